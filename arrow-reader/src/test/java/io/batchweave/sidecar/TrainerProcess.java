package io.batchweave.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.batchweave.model.Slice;
import io.batchweave.payload.SliceReader;
import io.batchweave.testing.Numbers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/** What a trainer does: says lines over the socket, and looks into the files it hears of. */
final class TrainerProcess implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final SocketChannel socket;
    private final Lines lines;

    TrainerProcess(Path at) {
        try {
            socket = SocketChannel.open(UnixDomainSocketAddress.of(at));
            lines = new Lines(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What it calls its process. */
    static final long PID = 4_242;

    /** One that has said hello. */
    static TrainerProcess known(Path at) {
        TrainerProcess trainer = new TrainerProcess(at);
        assertThat(
                        trainer.ask("{'do':'hello','protocol':1,'pid':" + PID + "}")
                                .path("ok")
                                .path("protocol")
                                .intValue())
                .isEqualTo(1);
        return trainer;
    }

    void say(String line) {
        try {
            lines.write(line.replace('\'', '"'));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    JsonNode hear() {
        try {
            return JSON.readTree(lines.read().orElse("{\"gone\": true}"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the sidecar has ended the connection; waits until it says or does something. */
    boolean isGone() {
        try {
            return lines.read().isEmpty();
        } catch (IOException e) {
            // As where it has not read all that it was sent.
            return true;
        }
    }

    JsonNode ask(String line) {
        say(line);
        return hear();
    }

    /** Opens the dataset of numbers with further fields, such as {@code 'mesh':'dp=0/2'}. */
    JsonNode open(Path warehouse, String more) {
        ObjectNode line = JSON.createObjectNode();
        line.put("do", "open").put("warehouse", warehouse.toString());
        line.put("dataset", "train.numbers");
        try {
            line.setAll((ObjectNode) JSON.readTree("{" + more.replace('\'', '"') + "}"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ask(line.toString());
    }

    /** The next step, of which every slice is the one that was published; -1 at the end. */
    long next() {
        JsonNode reply = ask("{'do':'next','wait_ms':20000}");
        assertThat(reply.has("ok")).as("%s", reply).isTrue();
        JsonNode step = reply.get("ok");
        if (step.path("end").booleanValue()) {
            return -1;
        }
        step.get("slices").forEach(slice -> check(step.get("step").longValue(), slice));
        return step.get("step").longValue();
    }

    private static void check(long step, JsonNode slice) {
        long length = slice.get("length").longValue();
        Slice lies = new Slice(0, length, slice.get("rows").longValue(), 0);
        try (BufferAllocator allocator = new RootAllocator();
                ArrowBuf bytes = allocator.buffer(length)) {
            byte[] file = Files.readAllBytes(Path.of(slice.get("path").textValue()));
            bytes.setBytes(0, file, slice.get("offset").intValue(), length);
            try (VectorSchemaRoot rows =
                    new SliceReader(Numbers.SCHEMA, allocator).read(bytes, lies, "the arena")) {
                assertThat(Numbers.areThoseOf(rows, step, slice.get("index").intValue())).isTrue();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kind and text of an error. */
    static Optional<String> error(JsonNode reply) {
        return Optional.ofNullable(reply.get("error"))
                .map(
                        error ->
                                error.get("kind").textValue()
                                        + ": "
                                        + error.get("message").textValue());
    }

    /** As when the process is killed. */
    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
