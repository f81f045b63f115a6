package io.batchweave.s3;

import io.batchweave.store.Listing;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.ObjectStoreContract;
import io.batchweave.store.s3.S3Settings;
import io.batchweave.store.s3.S3Store;
import io.batchweave.world.World;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract against a real server: S3Proxy, or any other by {@code -Ds3.endpoint=URL
 * -Ds3.bucket=NAME}, with credentials from the environment.
 */
class S3ContractIT extends ObjectStoreContract {
    private static final Optional<URI> OTHER =
            Optional.ofNullable(System.getProperty("s3.endpoint")).map(URI::create);

    private static final String BUCKET = System.getProperty("s3.bucket", S3Proxy.BUCKET);

    /** The smallest parts, so that large objects have several. */
    static final S3Settings SMALL_PARTS =
            new S3Settings(
                    S3Settings.DEFAULT.addressing(),
                    64,
                    16,
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(20),
                    Duration.ofMinutes(1),
                    Duration.ofSeconds(20),
                    5 << 20,
                    2);

    @TempDir private static Path folder;
    private static Optional<S3Proxy> server = Optional.empty();

    private final String space = "contract-" + World.real().newId();

    @BeforeAll
    static void start() {
        server = OTHER.isPresent() ? Optional.empty() : Optional.of(S3Proxy.start(folder));
    }

    @AfterAll
    static void stop() {
        server.ifPresent(S3Proxy::close);
    }

    @Override
    protected ObjectStore open() {
        String uri = "s3://" + BUCKET + "/" + space;
        World world = World.real();
        return server.map(ours -> ours.access().open(uri, world, SMALL_PARTS))
                .orElseGet(
                        () ->
                                S3Store.open(
                                        URI.create(uri),
                                        world,
                                        SMALL_PARTS,
                                        client -> client.endpointOverride(OTHER.orElseThrow())));
    }

    /**
     * A file that is being written here has a name of 37 more characters, and a folder that goes
     * meanwhile is an error of the server.
     */
    @Override
    protected Set<Ability> abilities() {
        return server.isPresent()
                ? EnumSet.complementOf(
                        EnumSet.of(Ability.TAKES_LONGEST_NAMES, Ability.CREATES_WHILE_FOLDERS_GO))
                : EnumSet.complementOf(EnumSet.of(Ability.HOLDS_OTHERS));
    }

    /** In a bucket that is not ours nothing is put that our clients cannot delete. */
    @Override
    protected void plant(String name) {
        server.orElseThrow().access().put(BUCKET, space + "/" + name);
    }

    /** Nobody else removes what is in a bucket that is not ours. */
    @AfterEach
    void leaveNothing() {
        try (ObjectStore store = open()) {
            deleteAll(store, "");
        }
    }

    private static void deleteAll(ObjectStore store, String folder) {
        Listing listing = store.list(folder, "");
        store.delete(listing.objects().stream().map(Listing.Item::key).toList());
        for (String below : listing.folders()) {
            deleteAll(store, folder.isEmpty() ? below : folder + "/" + below);
        }
    }
}
