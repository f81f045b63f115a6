package io.batchweave.sidecar;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.read.Place;
import io.batchweave.read.ReadLimits;
import io.batchweave.read.SliceBatch;
import io.batchweave.read.Start;
import io.batchweave.read.StepBatch;
import io.batchweave.read.StepReader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.apache.arrow.flight.BackpressureStrategy;
import org.apache.arrow.flight.CallStatus;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightEndpoint;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.NoOpFlightProducer;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;

/**
 * Steps as Arrow Flight streams, for readers on other machines and in other languages: a ticket is
 * what {@code open} says over the socket, a stream is the steps from there on, a record batch for
 * each slice. Its metadata tells step, slice and cursor.
 */
final class FlightSteps extends NoOpFlightProducer {
    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final long STALLED_MS = 60_000;

    private final Node node;
    private final BufferAllocator allocator;
    private final Executor streams;

    /**
     * @param streams runs each stream as long as it lasts: gRPC's own threads must stay free, to
     *     hear that a reader is ready for more
     */
    FlightSteps(Node node, BufferAllocator allocator, Executor streams) {
        this.node = node;
        this.allocator = allocator;
        this.streams = streams;
    }

    /** A stream, and the schema of it, for a command that is a ticket. */
    @Override
    public FlightInfo getFlightInfo(CallContext context, FlightDescriptor descriptor) {
        try {
            byte[] command = descriptor.isCommand() ? descriptor.getCommand() : new byte[0];
            Ask ask = Ask.of(Request.parse(new String(command, UTF_8)));
            OpenDataset dataset = node.datasets().open(ask.warehouse(), ask.dataset());
            try {
                return new FlightInfo(
                        dataset.schema().arrow(),
                        descriptor,
                        List.of(new FlightEndpoint(new Ticket(command))),
                        -1,
                        -1);
            } finally {
                node.datasets().close(ask.warehouse(), ask.dataset());
            }
        } catch (RuntimeException | Error e) {
            throw status(e).toRuntimeException();
        }
    }

    @Override
    public void getStream(CallContext context, Ticket ticket, ServerStreamListener listener) {
        BackpressureStrategy pressure = new BackpressureStrategy.CallbackBackpressureStrategy();
        pressure.register(listener);
        streams.execute(() -> stream(ticket, pressure, listener));
    }

    private void stream(
            Ticket ticket, BackpressureStrategy pressure, ServerStreamListener listener) {
        try {
            Request request = Request.parse(new String(ticket.getBytes(), UTF_8));
            Ask ask = Ask.of(request);
            Duration wait = request.number("wait_ms").map(Duration::ofMillis).orElse(WAIT);
            OpenDataset dataset = node.datasets().open(ask.warehouse(), ask.dataset());
            try {
                stream(ask, dataset, wait, pressure, listener);
            } finally {
                node.datasets().close(ask.warehouse(), ask.dataset());
            }
        } catch (RuntimeException | Error e) {
            Health.tell(e);
            listener.error(status(e).toRuntimeException());
        }
    }

    private void stream(
            Ask ask,
            OpenDataset dataset,
            Duration wait,
            BackpressureStrategy pressure,
            ServerStreamListener listener) {
        Log log = dataset.log();
        Place place = node.place(ask, log);
        Start start = node.start(ask, log);
        try (BufferAllocator own = allocator.newChildAllocator("stream", 0, Long.MAX_VALUE);
                VectorSchemaRoot root = VectorSchemaRoot.create(dataset.schema().arrow(), own);
                StepReader reader =
                        StepReader.open(
                                log, start, place, ReadLimits.DEFAULT, own, node.fetchers())) {
            listener.start(root);
            Optional<StepBatch> next = reader.next(wait);
            while (next.isPresent() && !listener.isCancelled()) {
                try (StepBatch step = next.get()) {
                    send(step, root, own, pressure, listener);
                }
                next = reader.next(wait);
            }
            listener.completed();
        }
    }

    private static void send(
            StepBatch step,
            VectorSchemaRoot root,
            BufferAllocator allocator,
            BackpressureStrategy pressure,
            ServerStreamListener listener) {
        for (SliceBatch slice : step.slices()) {
            BackpressureStrategy.WaitResult ready = pressure.waitForListener(STALLED_MS);
            if (ready != BackpressureStrategy.WaitResult.READY) {
                throw new UnavailableException(
                        "Cannot go on with a stream: its reader took nothing for "
                                + STALLED_MS
                                + " ms, or is gone; go on from the cursor of the last step");
            }
            try (ArrowRecordBatch batch = new VectorUnloader(slice.rows()).getRecordBatch()) {
                new VectorLoader(root).load(batch);
                // Flight frees it when it is sent.
                listener.putNext(metadata(step, slice, allocator));
            }
            root.clear();
        }
    }

    private static ArrowBuf metadata(StepBatch step, SliceBatch slice, BufferAllocator allocator) {
        byte[] json =
                Reply.object()
                        .put("step", step.step())
                        .put("index", slice.index())
                        .put("cursor", step.cursor().toString())
                        .toString()
                        .getBytes(UTF_8);
        ArrowBuf metadata = allocator.buffer(json.length);
        metadata.writeBytes(json);
        return metadata;
    }

    /** Flight has no words for most of our kinds, so the text begins with ours. */
    private static CallStatus status(Throwable thrown) {
        Kind kind = Kind.of(thrown);
        CallStatus status =
                switch (kind) {
                    case INVALID -> CallStatus.INVALID_ARGUMENT;
                    case NO_ACCESS -> CallStatus.UNAUTHORIZED;
                    case UNAVAILABLE, UNKNOWN -> CallStatus.UNAVAILABLE;
                    case EXPIRED -> CallStatus.NOT_FOUND;
                    case FENCED -> CallStatus.CANCELLED;
                    case UNSUPPORTED -> CallStatus.UNIMPLEMENTED;
                    case CORRUPT, INTERNAL -> CallStatus.INTERNAL;
                };
        return status.withDescription(kind + ": " + thrown.getMessage()).withCause(thrown);
    }
}
