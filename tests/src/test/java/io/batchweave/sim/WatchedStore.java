package io.batchweave.sim;

import io.batchweave.codec.CommitCodec;
import io.batchweave.codec.StateCodec;
import io.batchweave.model.Bytes;
import io.batchweave.model.Commit;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.Publish;
import io.batchweave.model.Layout;
import io.batchweave.store.Creation;
import io.batchweave.store.ForwardingStore;
import io.batchweave.store.ForwardingUpload;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Upload;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Where requests leave one process: what must hold of each at that moment is checked here. */
final class WatchedStore extends ForwardingStore {
    private final ObjectStore store;
    private final Layout layout;
    private final String host;
    private final Witness witness;
    private final Map<Entry, Bytes> offered = new HashMap<>();

    WatchedStore(ObjectStore store, Layout layout, String host, Witness witness) {
        super(store);
        this.store = store;
        this.layout = layout;
        this.host = host;
        this.witness = witness;
    }

    @Override
    public Creation create(String key, ByteBuffer body) {
        if (key.startsWith(layout.commits() + "/")) {
            checkCommit(key, body);
        }
        if (key.startsWith(layout.states() + "/")) {
            witness.saw(StateCodec.decode(body.duplicate(), key));
        }
        return store.create(key, body);
    }

    private void checkCommit(String key, ByteBuffer body) {
        Commit commit = CommitCodec.decode(body.duplicate(), key);
        for (Entry entry : commit.entries()) {
            if (isOfOneCommit(entry)) {
                checkBytes(entry, body);
            }
            if (entry instanceof Publish publish) {
                checkPayload(publish);
            }
        }
    }

    /** What a job or an operator says may be said anew, in another commit. */
    private static boolean isOfOneCommit(Entry entry) {
        return !(entry instanceof Entry.OfJob
                || entry instanceof Entry.Alter
                || entry instanceof Entry.Sweep
                || entry instanceof Entry.Skip
                || entry instanceof Entry.Unskip);
    }

    /** LOG-1: whatever is offered again is offered as the same bytes. */
    private void checkBytes(Entry entry, ByteBuffer body) {
        var sha256 = Bytes.sha256();
        sha256.update(body.duplicate());
        Bytes digest = Bytes.digestOf(sha256);
        Bytes before = offered.putIfAbsent(entry, digest);
        witness.demand(
                before == null || before.equals(digest),
                () -> "%s was offered as other bytes".formatted(entry));
    }

    /** PRODUCE-1: payload is there before the commit that names it is offered. */
    private void checkPayload(Publish publish) {
        for (int part = 0; part < publish.batch().parts().size(); part++) {
            String key = layout.part(publish.claim(), part);
            witness.demand(
                    witness.wasCreated(key),
                    () -> "%s was offered before %s".formatted(publish.claim(), key));
        }
    }

    @Override
    public Upload upload(String key) {
        return new ForwardingUpload(store.upload(key)) {
            @Override
            public Creation complete() {
                checkUpload(key);
                return super.complete();
            }
        };
    }

    /** LOG-6: an epoch is in before it uploads. */
    private void checkUpload(String key) {
        String[] parts = key.substring(layout.payload().length() + 1).split("/", -1);
        long epoch = Long.parseLong(parts[1]);
        witness.demand(
                witness.wasCreated(layout.commit(epoch)),
                () -> "%s was uploaded before its epoch was in".formatted(key));
        witness.uploaded(key, host);
    }

    @Override
    public void delete(Collection<String> keys) {
        witness.deleting(keys);
        store.delete(keys);
    }

    @Override
    public void close() {}
}
