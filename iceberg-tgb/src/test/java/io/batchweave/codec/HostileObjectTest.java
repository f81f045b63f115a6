package io.batchweave.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.UnsupportedFeatureException;
import io.batchweave.model.Commit;
import io.batchweave.model.Entry;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.apache.avro.Schema;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Objects whose checksum is right and whose content is not: they are refused, by the right
 * exception, without taking memory or stack that their few bytes do not warrant.
 */
class HostileObjectTest {
    private static final String NAME = "memory:/log/7";
    private static final String RECORD = "{'type': 'record', 'name': 'Commit', 'fields': [%s]}";
    private static final long BYTES_FOR_PARSING = 8 << 20;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** The first object ever read loads classes, which is not what the limits here are about. */
    @BeforeAll
    static void readOnce() {
        decodeOrRefuse(ByteBuffer.wrap(everything()));
        decodeOrRefuse(ForeignObjects.object("{", new byte[1]));
    }

    @ParameterizedTest
    @ValueSource(longs = {1 << 20, Integer.MAX_VALUE, 1L << 32, Long.MAX_VALUE, -1, Long.MIN_VALUE})
    void lengthIsNotBelieved(long length) {
        byte[] claimed = ForeignObjects.joined(List.of(ForeignObjects.number(length), new byte[9]));
        byte[] asBlock =
                ForeignObjects.joined(
                        List.of(
                                ForeignObjects.number(-Math.max(1, Math.abs(length))),
                                ForeignObjects.number(length),
                                new byte[9]));

        for (String type :
                List.of(
                        "'string'",
                        "'bytes'",
                        "{'type': 'array', 'items': 'int'}",
                        "{'type': 'array', 'items': 'string'}",
                        "{'type': 'array', 'items': ['null', 'int']}",
                        "{'type': 'map', 'values': 'int'}")) {
            String schema = RECORD.formatted(field("a", type));
            assertRefusedWithin(BYTES_FOR_PARSING, schema, claimed);
            assertRefusedWithin(BYTES_FOR_PARSING, schema, asBlock);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1 << 20, Integer.MAX_VALUE, 1L << 32, Long.MAX_VALUE, -1})
    void lengthInTheHeaderIsNotBelieved(long length) {
        byte[] start = {'O', 'b', 'j', 1, 6};
        byte[] codec =
                ForeignObjects.joined(
                        List.of(
                                start,
                                ForeignObjects.text("avro.codec"),
                                ForeignObjects.text("null"),
                                ForeignObjects.text("avro.schema"),
                                ForeignObjects.number(length),
                                new byte[64]));

        assertCorruptWithin(BYTES_FOR_PARSING, ByteBuffer.wrap(codec));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'null'",
                "{'type': 'fixed', 'name': 'F', 'size': 0}",
                "{'type': 'record', 'name': 'N', 'fields': []}",
                "{'type': 'array', 'items': 'null'}",
                "{'type': 'array', 'items': {'type': 'record', 'name': 'N', 'fields': []}}",
                "{'type': 'array', 'items': {'type': 'fixed', 'name': 'F', 'size': 0}}",
                "{'type': 'map', 'values': 'null'}",
                "['int', {'type': 'array', 'items': 'null'}]",
            })
    void valueThatTakesNoByteIsRefused(String type) {
        byte[] body =
                ForeignObjects.joined(List.of(ForeignObjects.number(100_000_000), new byte[20]));

        assertRefusedWithin(BYTES_FOR_PARSING, RECORD.formatted(field("a", type)), body);
    }

    @ParameterizedTest
    @ValueSource(ints = {65_537, Integer.MAX_VALUE})
    void fixedValueLargerThan64KiBIsRefused(int size) {
        String fixed = "{'type': 'fixed', 'name': 'F', 'size': " + size + "}";

        assertRefusedWithin(
                BYTES_FOR_PARSING, RECORD.formatted(field("a", fixed)), new byte[size & 0xfffff]);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'Commit'",
                "['null', 'Commit']",
                "{'type': 'array', 'items': 'Commit'}",
                "{'type': 'map', 'values': 'Commit'}",
                "{'type': 'record', 'name': 'B', 'fields': [{'name': 'c', 'type': 'Commit'}]}",
            })
    void schemaThatContainsItselfIsRefused(String type) {
        byte[] body = new byte[1 << 20];
        Arrays.fill(body, (byte) 2);

        assertRefusedWithin(4 * BYTES_FOR_PARSING, RECORD.formatted(field("a", type)), body);
    }

    /** Each record holds the one before, by name; nested in its text it would stop the parser. */
    @Test
    void longChainOfRecordsIsRefused() {
        String chain =
                IntStream.range(0, 600)
                        .mapToObj(
                                i ->
                                        field(
                                                "f" + i,
                                                "{'type': 'record', 'name': 'R%d', 'fields': [%s]}"
                                                        .formatted(i, linkTo(i - 1))))
                        .collect(Collectors.joining(","));

        assertRefusedWithin(32 * BYTES_FOR_PARSING, RECORD.formatted(chain), new byte[1 << 16]);
    }

    private static String linkTo(int i) {
        return field("a", i < 0 ? "'int'" : "'R" + i + "'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "null",
                "[]",
                "{}",
                "'Commit'",
                "{'type': 'record', 'name': 'Commit'}",
                "{'type': 'record', 'name': 'a b', 'fields': []}",
                "{'type': 'record', 'name': 'Commit', 'fields': [{'name': 'a', 'type': 'Other'}]}",
                "{'type': 'record', 'name': 'Commit', 'fields': {'name': 'a', 'type': 'int'}}",
                "{'type': 'fixed', 'name': 'F', 'size': -1}",
                "{'type': 'fixed', 'name': 'F', 'size': 'many'}",
                "{'type': 'enum', 'name': 'E', 'symbols': ['A', 'A']}",
            })
    void whatIsNoSchemaIsRefused(String schema) {
        assertRefusedWithin(BYTES_FOR_PARSING, schema, new byte[4]);
    }

    @Test
    void schemaNestedDeepInItsTextIsRefused() {
        String open = "{'type': 'array', 'items': ";
        String schema = open.repeat(2_000) + "'int'" + "}".repeat(2_000);

        assertRefusedWithin(BYTES_FOR_PARSING, schema, new byte[4]);
    }

    @Test
    void schemaHasAtMost64KiB() {
        String own = ForeignObjects.ownSchema();
        Schema schema = new Schema.Parser().parse(own);
        byte[] body =
                ForeignObjects.body(ForeignObjects.read(ByteBuffer.wrap(everything()), schema));
        String longest = own + " ".repeat(65_536 - own.length());

        assertThat(CommitCodec.decode(ForeignObjects.object(longest, body), NAME)).isNotNull();
        assertCorruptWithin(BYTES_FOR_PARSING, ForeignObjects.object(longest + " ", body));
    }

    /** What an object must not get made, though its schema names it. */
    static final class Trap {
        static int made;

        Trap(String key) {
            made += key.length();
        }
    }

    @Test
    void schemaCannotHaveJavaObjectsMade() {
        String map =
                "{'type': 'map', 'values': 'int', 'java-key-class': '%s'}"
                        .formatted(Trap.class.getName());

        assertRefusedWithin(
                BYTES_FOR_PARSING, RECORD.formatted(field("a", map)), new byte[] {2, 2, 'x', 2, 0});
        assertThat(Trap.made).isZero();
    }

    @Property(tries = 1_000)
    void noiseInTheRecordIsRefusedOrSense(@ForAll @Size(max = 200) byte[] noise) {
        decodeOrRefuse(ForeignObjects.object(ForeignObjects.ownSchema(), noise));
    }

    @Property(tries = 1_000)
    void noiseAnywhereIsRefusedOrSense(
            @ForAll @Size(min = 1, max = 8) List<Integer> places, @ForAll byte[] noise) {
        byte[] object = everything();
        int checksumAt = ForeignObjects.checksumAt(object);
        for (int i = 0; i < Math.min(places.size(), noise.length); i++) {
            object[Math.floorMod(places.get(i), object.length)] = noise[i];
        }
        decodeOrRefuse(ForeignObjects.sealed(object, checksumAt));
    }

    /** Every byte, by every value that tends to matter: lengths, signs, quotes. */
    @Test
    void everyByteInTurnIsRefusedOrSense() {
        byte[] object = everything();
        int checksumAt = ForeignObjects.checksumAt(object);
        for (int i = 0; i < object.length; i++) {
            byte was = object[i];
            for (int value : new int[] {0, 0x7f, was + 2}) {
                object[i] = (byte) value;
                decodeOrRefuse(ForeignObjects.sealed(object, checksumAt));
            }
            object[i] = was;
        }
    }

    private static byte[] everything() {
        Commit commit = SampleCommits.of(SampleCommits.entries().toArray(Entry[]::new));
        return CommitCodec.encode(commit).array();
    }

    private static void decodeOrRefuse(ByteBuffer object) {
        try {
            assertThat(CommitCodec.decode(object, NAME)).isNotNull();
        } catch (CorruptException | UnsupportedFeatureException refused) {
            assertThat(refused.getMessage())
                    .startsWith("Cannot read " + NAME + ": ")
                    .doesNotContain("\n");
        }
    }

    private static void assertRefusedWithin(long bytesMax, String schema, byte[] body) {
        assertCorruptWithin(bytesMax, ForeignObjects.object(schema.replace('\'', '"'), body));
    }

    /** Heap that was asked for is counted, whether or not anything was done with it. */
    private static void assertCorruptWithin(long bytesMax, ByteBuffer object) {
        long thread = Thread.currentThread().getId();
        long before = THREADS.getThreadAllocatedBytes(thread);
        try {
            CommitCodec.decode(object, NAME);
            fail("read what makes no sense");
        } catch (CorruptException refused) {
            assertThat(refused.getMessage())
                    .startsWith("Cannot read " + NAME + ": ")
                    .doesNotContain("\n");
        }
        assertThat(THREADS.getThreadAllocatedBytes(thread) - before).isLessThan(bytesMax);
    }

    private static String field(String name, String type) {
        return "{'name': '" + name + "', 'type': " + type + "}";
    }
}
