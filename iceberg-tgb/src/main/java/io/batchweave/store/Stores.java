package io.batchweave.store;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.world.World;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.regex.Pattern;

/** Opens object stores by their URIs. */
public final class Stores {
    /** A scheme has two characters or more, so that a Windows drive letter is none. */
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:.*");

    private static final Pattern PASSWORD = Pattern.compile("[^@]*:[^@]*@.*");

    private Stores() {}

    /**
     * Opens the store that a URI or the path of a local folder names.
     *
     * @param uri such as {@code s3://bucket/warehouse}, {@code file:///data/warehouse} or {@code
     *     warehouse}
     * @throws InvalidRequestException if it is no URI, nothing opens its scheme, or what opens it
     *     needs a library that is not on the class path
     * @throws io.batchweave.errors.UnavailableException if the store cannot be reached
     */
    public static ObjectStore open(String uri, World world) {
        return open(uri, world, providers());
    }

    /**
     * Like {@link #open}, for who is about to put the first object there: makes the space where one
     * makes it, such as a local folder.
     */
    public static ObjectStore make(String uri, World world) {
        return with(
                uri,
                providers(),
                (provider, parsed) -> {
                    provider.make(parsed);
                    return provider.open(parsed, world);
                });
    }

    static ObjectStore open(String uri, World world, Collection<StoreProvider> providers) {
        return with(uri, providers, (provider, parsed) -> provider.open(parsed, world));
    }

    private static List<StoreProvider> providers() {
        return ServiceLoader.load(StoreProvider.class, Stores.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    private static ObjectStore with(
            String text,
            Collection<StoreProvider> providers,
            BiFunction<StoreProvider, URI, ObjectStore> work) {
        URI uri = parse(text);
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        StoreProvider provider =
                providerOf(scheme, providers).orElseThrow(() -> unknown(scheme, providers));
        try {
            return work.apply(provider, uri);
        } catch (NoClassDefFoundError e) {
            throw new InvalidRequestException(
                    "Cannot open a store of scheme '%s': class %s is missing; put %s on the class path"
                            .formatted(scheme, missingClass(e), provider.needs()),
                    e);
        }
    }

    private static URI parse(String text) {
        try {
            URI uri = SCHEME.matcher(text).matches() ? new URI(text) : fileUri(text);
            if (PASSWORD.matcher(Objects.toString(uri.getRawAuthority(), "")).matches()) {
                // The URI goes into messages and logs, so it is not shown here either.
                throw new InvalidRequestException(
                        "Cannot open a store: its URI holds a password; give credentials by the"
                                + " store's own configuration");
            }
            return uri;
        } catch (URISyntaxException e) {
            // Not as the cause: its message repeats the text, in which a secret may be.
            throw new InvalidRequestException(
                    "Cannot open a store: its URI is malformed at character %d (%s); write special"
                                    .formatted(e.getIndex() + 1, e.getReason())
                            + " characters as %XX");
        }
    }

    /** Of a relative path, a URI that starts without a slash: relative to the working directory. */
    private static URI fileUri(String path) throws URISyntaxException {
        return path.startsWith("/")
                ? new URI("file", null, path.replaceFirst("^/+", "/"), null)
                : new URI("file", path, null);
    }

    private static Optional<StoreProvider> providerOf(
            String scheme, Collection<StoreProvider> providers) {
        return providers.stream().filter(p -> p.schemes().contains(scheme)).findFirst();
    }

    private static InvalidRequestException unknown(
            String scheme, Collection<StoreProvider> providers) {
        TreeSet<String> known = new TreeSet<>();
        providers.forEach(p -> known.addAll(p.schemes()));
        return new InvalidRequestException(
                "Cannot open a store of scheme '%s': nothing here opens it; use a local path or one of %s"
                        .formatted(scheme, String.join(", ", known)));
    }

    private static String missingClass(NoClassDefFoundError error) {
        return Optional.ofNullable(error.getMessage()).orElse("?").replace('/', '.');
    }
}
