package io.batchweave.sidecar;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.read.Cursor;
import io.batchweave.retain.Acknowledged;
import io.batchweave.retain.Job;
import io.batchweave.retain.Jobs;
import io.batchweave.retain.Saved;
import io.batchweave.retain.Shard;
import io.batchweave.sidecar.arena.ArenaStep;
import io.batchweave.sidecar.arena.Placed;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;

/** What one client asked for so far, and what it is told. Used by one thread. */
final class Connection implements AutoCloseable {
    static final int PROTOCOL = 1;

    private static final int WAIT_MS = 30_000;

    private final Node node;
    private final Identity identity;
    private Optional<Reader> reader = Optional.empty();
    private Optional<Long> client = Optional.empty();
    private boolean isKnown;

    Connection(Node node, Identity identity) {
        this.node = node;
        this.identity = identity;
    }

    /** What a client is told who has sent this line. */
    String answer(String line) {
        try {
            return Reply.ok(done(Request.parse(line)));
        } catch (RuntimeException | Error e) {
            Health.tell(e);
            return Reply.error(e);
        }
    }

    private ObjectNode done(Request request) {
        String verb = request.verb();
        if (!isKnown && !verb.equals("hello")) {
            throw new InvalidRequestException(
                    "Cannot " + verb + ": the first line of a connection says hello");
        }
        return switch (verb) {
            case "hello" -> hello(request);
            case "open" -> open(request);
            case "next" -> next(request);
            case "checkpoint" -> checkpoint(request);
            case "health" -> Health.of(node).json();
            default -> throw new InvalidRequestException("Cannot do '" + verb + "': unknown");
        };
    }

    private ObjectNode hello(Request request) {
        long protocol = request.number("protocol").orElse(-1L);
        if (protocol != PROTOCOL) {
            throw new InvalidRequestException(
                    "Cannot talk to a client of protocol "
                            + protocol
                            + " and version "
                            + request.text("version").orElse("unknown")
                            + ": this sidecar speaks "
                            + PROTOCOL
                            + " and is of version "
                            + identity.version()
                            + "; end it (process "
                            + identity.pid()
                            + ") or use the same version");
        }
        client = request.number("pid");
        isKnown = true;
        return Reply.object()
                .put("protocol", PROTOCOL)
                .put("version", identity.version())
                .put("pid", identity.pid())
                .put("arena", node.slices().arena().folder().toString());
    }

    private ObjectNode open(Request request) {
        close();
        Ask ask = Ask.of(request);
        Reader opened = node.open(client.map(ask::by).orElse(ask));
        reader = Optional.of(opened);
        Log log = opened.log();
        ObjectNode reply = Reply.object();
        reply.put("dataset_id", log.state().dataset().id());
        reply.put("next_step", opened.nextStep());
        reply.put("cursor", text(opened.cursor()));
        reply.put("job", opened.job());
        reply.put("session", opened.session());
        reply.put("grid", log.state().dataset().grid().toString());
        ArrayNode slices = reply.putArray("slices");
        opened.place().slices().forEach(slices::add);
        PayloadSchema schema = PayloadSchema.parse(log.state().dataset().schema());
        reply.put(
                "schema", Base64.getEncoder().encodeToString(schema.arrow().serializeAsMessage()));
        return reply;
    }

    private static String text(Optional<Cursor> cursor) {
        return cursor.map(Cursor::toString).orElse(null);
    }

    private Reader opened() {
        return reader.orElseThrow(
                () ->
                        new InvalidRequestException(
                                "Cannot go on: this connection has opened nothing"));
    }

    private ObjectNode next(Request request) {
        Reader mine = opened();
        Optional<ArenaStep> next =
                mine.next(Duration.ofMillis(request.number("wait_ms").orElse((long) WAIT_MS)));
        ObjectNode reply = Reply.object();
        if (next.isEmpty()) {
            return reply.put("end", true).put("cursor", text(mine.cursor()));
        }
        reply.put("step", next.get().step());
        reply.put("cursor", next.get().cursor().toString());
        ArrayNode slices = reply.putArray("slices");
        next.get().slices().forEach(placed -> add(slices, placed));
        return reply;
    }

    private static void add(ArrayNode slices, Placed placed) {
        slices.addObject()
                .put("index", placed.index())
                .put("rows", placed.slice().rows())
                .put("path", placed.path())
                .put("offset", placed.offset())
                .put("length", placed.slice().length());
    }

    /** Made by who has read up to the cursor, in the session of this connection. */
    private ObjectNode checkpoint(Request request) {
        Reader mine = opened();
        if (mine.job().isEmpty()) {
            throw new InvalidRequestException(
                    "Cannot make a checkpoint: the reader is of no job; open it with one");
        }
        Cursor cursor = Cursor.parse(request.required("cursor"));
        Saved saved =
                new Saved(
                        cursor.session(),
                        request.required("id"),
                        cursor.nextStep(),
                        cursor.receipt(),
                        Saved.Direction.FORWARD);
        Job job = new Jobs(mine.log()).open(mine.job());
        Acknowledged made =
                request.number("ranks").isEmpty()
                        ? new Acknowledged.Complete(job.checkpoint(saved))
                        : job.acknowledge(saved, shard(request));
        ObjectNode reply = Reply.object().put("checkpoint", saved.checkpoint());
        reply.put("next_step", saved.nextStep());
        return reply.put(
                "waiting_for", made instanceof Acknowledged.Waiting more ? more.missing() : 0);
    }

    private static Shard shard(Request request) {
        return new Shard(request.count("rank", 0), request.count("ranks", 1));
    }

    /** The reader is gone, and what only it needed. */
    @Override
    public void close() {
        reader.ifPresent(node::close);
        reader = Optional.empty();
    }
}
