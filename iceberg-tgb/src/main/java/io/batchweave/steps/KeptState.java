package io.batchweave.steps;

import io.batchweave.codec.StateCodec;
import io.batchweave.errors.BatchWeaveException;
import io.batchweave.model.Layout;
import io.batchweave.state.State;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A State beside the table of events, of a version up to which they are folded, so that a process
 * that folds for the first time need not apply the log from its beginning. It may be missing at any
 * time, as after a removal of orphan files.
 */
final class KeptState {
    private static final Logger LOG = LoggerFactory.getLogger(KeptState.class);
    private static final String VERSION = "batchweave.kept-state";

    /** The one that is there, if it is of a version that is not beyond this one. */
    Optional<State> load(Opened events, State head, long version) {
        long kept = version(events);
        if (kept < 0 || kept > version) {
            return Optional.empty();
        }
        String path = path(events, kept);
        try (InputStream in = events.table().io().newInputFile(path).newStream()) {
            State state =
                    StateCodec.decode(ByteBuffer.wrap(in.readNBytes(StateCodec.BYTES_MAX)), path);
            return Optional.of(state)
                    .filter(each -> each.version() == kept)
                    .filter(each -> each.dataset().id().equals(head.dataset().id()));
        } catch (IOException
                | BatchWeaveException
                | org.apache.iceberg.exceptions.NotFoundException
                | org.apache.iceberg.exceptions.RuntimeIOException e) {
            LOG.debug("The log is applied from its beginning: {} cannot be read", path, e);
            return Optional.empty();
        }
    }

    private static long version(Opened events) {
        String text = events.table().properties().getOrDefault(VERSION, "");
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : -1;
    }

    private static String path(Opened events, long version) {
        return events.table().location() + "/metadata/state-" + Layout.padded(version) + ".avro";
    }

    /**
     * Keeps this one if the one that is there is so many versions older, and deletes that. If it
     * fails, somebody else does it, or we do later.
     */
    void save(Opened events, State state, int versions) {
        long kept = version(events);
        if (state.version() - kept < versions || state.version() > events.through()) {
            return;
        }
        try {
            Optional<ByteBuffer> body = StateCodec.encode(state);
            if (body.isPresent()) {
                write(events, state.version(), body.get());
                events.table()
                        .updateProperties()
                        .set(VERSION, Long.toString(state.version()))
                        .commit();
                if (kept >= 0) {
                    events.table().io().deleteFile(path(events, kept));
                }
            }
        } catch (IOException | RuntimeException e) {
            LOG.debug("The State of version {} is not kept for now", state.version(), e);
        }
    }

    private static void write(Opened events, long version, ByteBuffer body) throws IOException {
        byte[] bytes = new byte[body.remaining()];
        body.get(bytes);
        try (OutputStream out =
                events.table().io().newOutputFile(path(events, version)).createOrOverwrite()) {
            out.write(bytes);
        }
    }
}
