package io.batchweave.cli.publish;

import io.batchweave.cli.inputs.JsonLine;
import io.batchweave.cli.publish.Publication.Committed;
import io.batchweave.cli.publish.Publication.Standing;
import io.batchweave.cli.rows.arrow.InputPipe;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.model.Bytes;
import io.batchweave.model.SliceGrid;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.state.State;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.MessageSerializer;

/** What a program says to a producer through a pipe, and what it is told. */
public final class Conversation {
    private static final int PROTOCOL = 1;

    /** Messages of a stream begin with it, and no text does. */
    private static final byte ARROW_BEGIN = (byte) 0xff;

    private final Log log;
    private final String producer;
    private final InputPipe pipe;
    private final Consumer<Map<String, ?>> replies;

    /**
     * @param replies gets each reply, to be told at once
     */
    public Conversation(
            Log log, String producer, InputPipe pipe, Consumer<Map<String, ?>> replies) {
        this.log = log;
        this.producer = producer;
        this.pipe = pipe;
        this.replies = replies;
    }

    /**
     * Does what the program asks for until its pipe ends; then every batch is in the log.
     *
     * @param committer uploads and commits batches
     * @param afterCommit runs behind each commit, and returns at once
     * @param allocator of one slice
     * @throws io.batchweave.errors.BatchWeaveException why it does not go on
     */
    public void run(Executor committer, Runnable afterCommit, BufferAllocator allocator) {
        try (Publication publication =
                new Publication(log, producer, committer, afterCommit, allocator)) {
            tell(hello(publication.standing()));
            Optional<InputPipe.Line> line = line();
            while (line.isPresent()) {
                tell(answer(publication, whole(line.get())));
                line = line();
            }
            publication.flush();
        }
    }

    private Optional<InputPipe.Line> line() {
        try {
            ByteBuffer begin = pipe.peek(1);
            if (begin.hasRemaining() && begin.get() == ARROW_BEGIN) {
                throw new InvalidRequestException(
                        "Cannot take a request from standard input: an Arrow stream begins where a line of JSON is to be; write {\"do\": \"publish\", \"progress\": \"\"} and a line feed before the stream of each batch");
            }
            return pipe.line(JsonLine.BYTES_MAX);
        } catch (IOException e) {
            throw new UnavailableException(
                    "Cannot read from standard input: " + e.getMessage() + "; start again", e);
        }
    }

    private static String whole(InputPipe.Line line) {
        if (line instanceof InputPipe.Line.Whole whole) {
            return whole.text();
        }
        throw new InvalidRequestException(
                "Cannot take a request from standard input: a line has no line feed within "
                        + JsonLine.BYTES_MAX
                        + " bytes, or standard input ends in it; end each line");
    }

    private void tell(Map<String, ?> ok) {
        replies.accept(Map.of("ok", ok));
    }

    private Map<String, Object> hello(Standing standing) {
        SliceGrid grid = log.state().dataset().grid();
        Map<String, Object> ok = new LinkedHashMap<>();
        ok.put("protocol", PROTOCOL);
        ok.put("dataset", log.layout().dataset().toString());
        ok.put("producer", producer);
        ok.put("epoch", standing.epoch());
        ok.put("next_sequence", standing.nextSequence());
        ok.put("progress", base64(standing.progress()));
        ok.put("finished", standing.finished());
        ok.put("grid", grid.toString());
        ok.put("slices", grid.slices());
        ok.put("schema", schema(PayloadSchema.parse(log.state().dataset().schema())));
        return ok;
    }

    private static String schema(PayloadSchema schema) {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        try {
            MessageSerializer.serialize(
                    new WriteChannel(Channels.newChannel(message)), schema.arrow());
        } catch (IOException e) {
            throw new IllegalStateException("Memory takes what is written", e);
        }
        return Base64.getEncoder().encodeToString(message.toByteArray());
    }

    private static String base64(Bytes bytes) {
        return Base64.getEncoder().encodeToString(bytes.toArray());
    }

    private Map<String, Object> answer(Publication publication, String line) {
        Request request = Request.parse(line, publication.progress());
        Map<String, Object> ok = new LinkedHashMap<>();
        if (request instanceof Request.Publish publish) {
            ok.put("sequence", publication.publish(publish, pipe));
            ok.put("committed", committed(publication));
        } else if (request instanceof Request.Flush) {
            publication.flush();
            ok.put("committed", committed(publication));
            ok.put("next_sequence", publication.standing().nextSequence());
        } else if (request instanceof Request.Finish finish) {
            State state = publication.finish(finish.progress());
            ok.put("committed", committed(publication));
            ok.put("sealed", state.phase() == State.Phase.SEALED);
        } else {
            State state = publication.seal();
            ok.put("committed", committed(publication));
            ok.put("steps", state.nextStep());
        }
        return ok;
    }

    private static List<Map<String, Long>> committed(Publication publication) {
        return publication.news().stream().map(Conversation::json).toList();
    }

    private static Map<String, Long> json(Committed batch) {
        Map<String, Long> json = new LinkedHashMap<>();
        json.put("sequence", batch.sequence());
        json.put("step", batch.step().join());
        return json;
    }
}
