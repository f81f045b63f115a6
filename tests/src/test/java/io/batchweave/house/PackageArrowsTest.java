package io.batchweave.house;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Who may use whom. The JDK is open to all; everything else is listed here, so that Avro, Arrow and
 * the like are each known to few.
 */
class PackageArrowsTest {
    private static final String ARROW = "org.apache.arrow.";
    private static final String ARROW_BATCH = "org.apache.arrow.vector.VectorSchemaRoot";
    private static final String ARROW_MEMORY = "org.apache.arrow.memory.";
    private static final String AVRO = "org.apache.avro.";
    private static final String AWS = "software.amazon.awssdk.";
    private static final String COLLECTIONS = "org.pcollections.";
    private static final String FLATBUFFERS = "com.google.flatbuffers.";
    private static final String HADOOP = "org.apache.hadoop.";
    private static final String ICEBERG = "org.apache.iceberg.";
    private static final String ICEBERG_REFUSALS = "org.apache.iceberg.exceptions.";
    private static final String ICEBERG_SCHEMA = "org.apache.iceberg.Schema";
    private static final String ICEBERG_TYPES = "org.apache.iceberg.types.";
    private static final String JETTY = "org.eclipse.jetty.";
    private static final String JSON = "com.fasterxml.jackson.";
    private static final String LOGGING = "org.slf4j.";
    private static final String LZ4 = "io.airlift.compress.lz4.";
    private static final String PARQUET = "org.apache.parquet.";
    private static final String PROMETHEUS = "io.prometheus.";
    private static final String SNAPPY = "org.xerial.snappy.";
    private static final String XML = "javax.xml.stream.";
    private static final String SPARK = "org.apache.spark.";
    private static final String TLS = "javax.net.ssl.";
    private static final String TOKENS = "com.knuddels.jtokkit.";
    private static final String ZSTD = "com.github.luben.zstd.";

    /** From the ground up: a package may use packages above it in this list, never below. */
    private static final List<Arrows> ARROWS =
            List.of(
                    arrows("errors"),
                    arrows("world"),
                    arrows("model"),
                    arrows("state", "model", "errors", COLLECTIONS),
                    arrows("codec", "model", "state", "errors", AVRO, COLLECTIONS),
                    arrows("store", "errors", "world", LOGGING),
                    arrows("store.local", "store", "errors", "world", LOGGING),
                    arrows("store.hadoop", "store", "errors", "world", HADOOP, LOGGING),
                    arrows("store.s3", "store", "errors", "world", AWS, XML, TLS, LOGGING),
                    arrows("log", "model", "codec", "state", "store", "errors", "world", LOGGING)
                            .and(COLLECTIONS),
                    arrows("payload", "model", "store", "errors", ARROW, FLATBUFFERS, JSON)
                            .and(ICEBERG_SCHEMA, ICEBERG_TYPES, ICEBERG_REFUSALS),
                    arrows("produce", "log", "payload", "model", "state", "store")
                            .and("errors", "world", ARROW_BATCH, ARROW_MEMORY, LOGGING)
                            .and(ICEBERG_SCHEMA, ICEBERG_TYPES),
                    arrows("retain", "log", "model", "state", "store", "errors", "world"),
                    arrows("steps", "log", "codec", "model", "state", "errors", "world")
                            .and(COLLECTIONS, ICEBERG, PARQUET, LOGGING),
                    arrows("read", "log", "payload", "model", "state", "store")
                            .and("errors", "world", ARROW, LOGGING, COLLECTIONS)
                            .and(ICEBERG_SCHEMA, ICEBERG_TYPES),
                    arrows("sidecar.arena", "read", "log", "payload", "model", "state", "store")
                            .and("errors", "world", LOGGING),
                    arrows("sidecar", "sidecar.arena", "read", "retain", "log", "payload", "model")
                            .and("state", "store", "errors", "world", ARROW, JSON, LOGGING)
                            .and(PROMETHEUS),
                    arrows("catalog.register", "store", "errors", "world"),
                    arrows("catalog.files", "store", "errors", "world", ICEBERG),
                    arrows("catalog", "catalog.register", "catalog.files", "store", "errors")
                            .and("world", ICEBERG, JSON, LOGGING),
                    arrows("catalog.rest", "errors", ICEBERG, JETTY, JSON, LOGGING),
                    arrows(
                                    "cli.serve",
                                    "model",
                                    "catalog",
                                    "catalog.rest",
                                    "steps",
                                    "log",
                                    "store",
                                    "errors")
                            .and("world", ICEBERG, HADOOP),
                    arrows("cli.order", "errors", JSON),
                    arrows("cli.files", "store", "errors", "world"),
                    arrows("cli.schema", "payload", "model", "errors", JSON)
                            .and(ICEBERG_SCHEMA, ICEBERG_TYPES, ICEBERG_REFUSALS),
                    arrows("cli.inputs", "cli.files", "model", "errors", JSON),
                    arrows("cli.tokens", "cli.inputs", "cli.order", "model", "errors", TOKENS),
                    arrows("cli.texts", "cli.inputs", "cli.tokens", "model", "errors", JSON),
                    arrows("cli.rows.cells", "payload", "model", "errors", ARROW)
                            .and(ICEBERG_SCHEMA, ICEBERG_TYPES),
                    arrows("cli.rows.reader", "cli.inputs", "model", "errors", ARROW_MEMORY),
                    arrows("cli.rows.arrow", "cli.rows.cells", "cli.rows.reader", "cli.inputs")
                            .and("payload", "model", "errors", ARROW, JSON)
                            .and(ICEBERG_SCHEMA, ICEBERG_TYPES),
                    arrows("cli.rows.parquet", "cli.rows.cells", "cli.rows.reader", "cli.inputs")
                            .and("model", "errors", ARROW_MEMORY, ICEBERG_TYPES)
                            .and(PARQUET, LZ4, SNAPPY, ZSTD),
                    arrows("cli.rows.text", "cli.rows.cells", "cli.rows.reader", "cli.inputs")
                            .and("payload", "model", "errors", ARROW, JSON, ZSTD)
                            .and(ICEBERG_SCHEMA, ICEBERG_TYPES),
                    arrows("cli.rows.feed", "cli.rows.cells", "cli.rows.reader")
                            .and("cli.rows.arrow", "cli.rows.parquet", "cli.rows.text")
                            .and("cli.order", "cli.inputs", "payload", "model", "errors")
                            .and(ARROW, JSON),
                    arrows("cli.rows", "cli.rows.cells", "cli.rows.reader", "cli.rows.text")
                            .and("cli.rows.feed", "cli.order", "cli.files", "cli.inputs")
                            .and("cli.tokens", "payload", "model", "errors", ARROW, JSON)
                            .and(ICEBERG_SCHEMA, ICEBERG_TYPES),
                    arrows("cli.verify", "log", "payload", "codec", "state", "store", "model")
                            .and("errors", ARROW, COLLECTIONS),
                    arrows("cli.publish", "cli.rows.arrow", "cli.inputs", "produce", "log")
                            .and("payload", "state", "model", "errors", ARROW, JSON),
                    arrows(
                                    "cli.demo",
                                    "cli.files",
                                    "cli.inputs",
                                    "cli.tokens",
                                    "cli.texts",
                                    "cli.rows",
                                    "cli.verify",
                                    "read",
                                    "payload",
                                    "log")
                            .and("state", "store", "model", "errors", "world")
                            .and(ARROW, JSON, COLLECTIONS),
                    arrows("examples", SPARK),
                    arrows("cli", Compiled.HOUSE, ARROW, JSON, LOGGING, COLLECTIONS)
                            .and(ICEBERG_SCHEMA, ICEBERG_TYPES)
                            .and("picocli.", TOKENS));

    private static final Map<String, Arrows> BY_PACKAGE =
            ARROWS.stream().collect(Collectors.toMap(Arrows::from, Function.identity()));

    @Test
    void packagesUseOnlyWhatTheyMay() {
        Breaches.assertNone(
                "A package reaches for what it may not use. Move the code to a package that may, or"
                        + " pass it what it needs. A new arrow is a decision about the design; it is"
                        + " made in PackageArrowsTest:",
                Compiled.main().stream()
                        .filter(type -> BY_PACKAGE.containsKey(Compiled.shortPackage(type)))
                        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                        .filter(use -> !isAllowed(use))
                        .map(PackageArrowsTest::describe));
    }

    @Test
    void everyPackageHasItsArrows() {
        Breaches.assertNone(
                "A package is not in PackageArrowsTest. Say there what it may use:",
                Compiled.main().stream()
                        .map(Compiled::shortPackage)
                        .filter(name -> !BY_PACKAGE.containsKey(name)));
    }

    @Test
    void arrowsFormNoCircle() {
        Set<String> below = new HashSet<>();
        for (Arrows arrows : ARROWS) {
            Breaches.assertNone(
                    "Package "
                            + arrows.from
                            + " may use one that comes after it in PackageArrowsTest. Of two that"
                            + " need each other, one hides a third that both may use:",
                    arrows.to.stream()
                            .filter(BY_PACKAGE::containsKey)
                            .filter(name -> !below.contains(name)));
            below.add(arrows.from);
        }
    }

    private static boolean isAllowed(Dependency use) {
        JavaClass target = use.getTargetClass().getBaseComponentType();
        String from = Compiled.shortPackage(use.getOriginClass());
        return target.isPrimitive()
                || target.getName().startsWith("java.")
                || BY_PACKAGE.get(from).allow(target);
    }

    private static String describe(Dependency use) {
        return use.getOriginClass().getName()
                + " uses "
                + use.getTargetClass().getBaseComponentType().getName()
                + " "
                + use.getSourceCodeLocation();
    }

    private static Arrows arrows(String from, String... to) {
        return new Arrows(from, List.of(to));
    }

    /**
     * @param to our packages by their short names, without those inside them; others by what the
     *     full names of their classes begin with
     */
    private record Arrows(String from, List<String> to) {
        Arrows and(String... more) {
            return new Arrows(from, Stream.concat(to.stream(), Stream.of(more)).toList());
        }

        boolean allow(JavaClass target) {
            if (target.getPackageName().startsWith(Compiled.HOUSE)) {
                String name = Compiled.shortPackage(target);
                return name.equals(from) || to.contains(name) || to.contains(Compiled.HOUSE);
            }
            return to.stream().anyMatch(target.getName()::startsWith);
        }
    }
}
