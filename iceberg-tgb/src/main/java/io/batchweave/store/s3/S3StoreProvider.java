package io.batchweave.store.s3;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.StoreProvider;
import io.batchweave.store.s3.S3Settings.Addressing;
import io.batchweave.world.World;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Opens {@code s3://bucket/folder}, by the AWS SDK's own settings. One is added, for servers that
 * do not do as theirs usually do: {@code BATCHWEAVE_S3_ADDRESSING} is {@code path} or {@code host}.
 */
public final class S3StoreProvider implements StoreProvider {
    private static final String ADDRESSING = "BATCHWEAVE_S3_ADDRESSING";

    @Override
    public Set<String> schemes() {
        return Set.of("s3");
    }

    @Override
    public String needs() {
        return "software.amazon.awssdk:s3 and software.amazon.awssdk:apache5-client";
    }

    @Override
    public ObjectStore open(URI uri, World world) {
        Addressing addressing = addressing(Optional.ofNullable(System.getenv(ADDRESSING)));
        return S3Store.open(uri, world, S3Settings.DEFAULT.with(addressing), client -> {});
    }

    static Addressing addressing(Optional<String> setting) {
        try {
            return Addressing.valueOf(setting.orElse("automatic").toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new InvalidRequestException(
                    "Cannot open a store of scheme 's3': %s is neither 'path' nor 'host'"
                            .formatted(ADDRESSING),
                    e);
        }
    }
}
