package io.batchweave.cli;

import io.batchweave.cli.serve.OpenCatalog;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.store.ObjectStore;
import io.batchweave.world.World;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import picocli.CommandLine.Option;

/** Which catalog: the options of every command that works with one. */
final class CatalogOptions {
    @Option(
            names = "--catalog-impl",
            paramLabel = "CLASS",
            description = "Take another Iceberg catalog than that of the warehouse.")
    private String implementation;

    @Option(
            names = "-P",
            paramLabel = "NAME=VALUE",
            description = "A property of the other catalog, such as type=jdbc; repeat it.")
    private Map<String, String> properties = Map.of();

    @Option(
            names = "--properties-file",
            paramLabel = "FILE",
            description = "Properties of the other catalog, for those that hold secrets.")
    private Path propertiesFile;

    /** The properties of another catalog; none: that of the warehouse is meant. */
    Map<String, String> other() {
        Map<String, String> all = new HashMap<>();
        if (propertiesFile != null) {
            Properties read = new Properties();
            try (Reader reader = Files.newBufferedReader(propertiesFile)) {
                read.load(reader);
            } catch (IOException e) {
                throw unreadable(propertiesFile, e);
            }
            read.stringPropertyNames().forEach(name -> all.put(name, read.getProperty(name)));
        }
        all.putAll(properties);
        if (implementation != null) {
            all.put("catalog-impl", implementation);
        }
        return all;
    }

    /** Refuses options that make no sense, before anything is done. */
    void check() {
        other();
    }

    /** Opens the catalog that is meant, for a dataset that lies in this store. */
    OpenCatalog open(ObjectStore store, World world) {
        Map<String, String> other = other();
        return other.isEmpty() ? OpenCatalog.of(store, world) : OpenCatalog.of(other);
    }

    static InvalidRequestException unreadable(Path file, IOException e) {
        return new InvalidRequestException(
                "Cannot read %s: %s; name a file that can be read"
                        .formatted(file, Files.exists(file) ? e.getMessage() : "there is none"),
                e);
    }
}
