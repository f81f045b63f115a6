package io.batchweave.e2e;

import io.batchweave.model.Claim;
import io.batchweave.model.Layout;
import io.batchweave.produce.Producer;
import io.batchweave.retain.Job;
import io.batchweave.retain.Jobs;
import io.batchweave.retain.Saved;
import io.batchweave.retain.Shard;
import io.batchweave.state.ProducerState;
import io.batchweave.state.State;
import io.batchweave.store.Listing;
import io.batchweave.store.MemoryStore;
import io.batchweave.store.ObjectStore;
import io.batchweave.testing.Scene;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A dataset that has been worked on for long: it has more commits than a log is trimmed for, and
 * something of all that a sweep deletes. Step n holds batch n of {@link
 * io.batchweave.testing.Numbers}.
 */
final class Aged {
    static final String NAME = Scene.NAME.toString();
    static final int STEPS = 1_150;

    /** Where the oldest checkpoint is that its job keeps. */
    static final long PINNED = 1_000;

    private static final List<String> PRODUCERS = List.of("p", "q", "r");
    private static final Layout LAYOUT = new Layout(Scene.NAME);

    private final Scene scene = new Scene("dp=2");
    private final List<Producer> producers = new ArrayList<>();
    private int steps;

    private Aged() {}

    private static final class Made {
        private static final MemoryStore DATASET = new Aged().grown();
    }

    /** A store of its own with all of its objects. */
    static MemoryStore dataset() {
        return Made.DATASET.copy();
    }

    /** The same as a local warehouse. */
    static Cli in(Path warehouse) {
        new Objects(warehouse).add(Made.DATASET, LAYOUT.root());
        return new Cli(warehouse);
    }

    /** Lines of JSON that fill so many batches of its schema, if a slice has one row. */
    static String rows(int batches) {
        return IntStream.range(0, 2 * batches)
                .mapToObj(row -> "{\"batch\":%d,\"slice\":%d}\n".formatted(row, row % 2))
                .collect(Collectors.joining());
    }

    /** The keys of all its objects in a store. */
    static List<String> keys(ObjectStore store) {
        return keys(store, LAYOUT.root()).sorted().toList();
    }

    private static Stream<String> keys(ObjectStore store, String folder) {
        Listing listing = store.list(folder, "");
        return Stream.concat(
                listing.objects().stream().map(Listing.Item::key),
                listing.folders().stream().flatMap(below -> keys(store, folder + "/" + below)));
    }

    private MemoryStore grown() {
        try (scene) {
            grow();
            return scene.memory();
        }
    }

    private void grow() {
        Job job = new Jobs(scene.log()).attach("j", 0, 2);
        open();
        publishTo(500);
        job.start("first");
        acknowledge(job, "first", "a", 400, 0, 1, 2, 3);
        acknowledge(job, "first", "b", 450, 0, 2);
        leavePayload();
        open();
        publishTo(STEPS);
        job.start("second");
        job.checkpoint(saved(job, "second", "c", 900));
        job.checkpoint(saved(job, "second", "d", PINNED));
        acknowledge(job, "second", "e", 1_100, 0, 1, 2, 3);
        acknowledge(job, "second", "f", 1_120, 3);
        leavePayload();
    }

    private void open() {
        producers.clear();
        PRODUCERS.forEach(name -> producers.add(scene.producer(name)));
    }

    /** Each batch in a commit of its own. */
    private void publishTo(int end) {
        for (; steps < end; steps++) {
            scene.publish(producers.get(steps % producers.size()), steps);
        }
    }

    private static Saved saved(Job job, String session, String checkpoint, long step) {
        return new Saved(session, checkpoint, step, job.given(step), Saved.Direction.FORWARD);
    }

    private static void acknowledge(
            Job job, String session, String checkpoint, long step, int... ranks) {
        for (int rank : ranks) {
            job.acknowledge(saved(job, session, checkpoint, step), new Shard(rank, 4));
        }
    }

    private void leavePayload() {
        uncommitted(scene.truth())
                .forEach(key -> scene.memory().create(key, ByteBuffer.allocate(100)));
    }

    /** What each of its producers has uploaded last: two batches, one of two parts. */
    static Set<String> uncommitted(State state) {
        Set<String> keys = new TreeSet<>();
        for (String name : PRODUCERS) {
            ProducerState producer = state.producer(name).orElseThrow();
            Claim next = new Claim(name, producer.epoch(), producer.nextSequence());
            Claim later = new Claim(name, next.epoch(), next.sequence() + 1);
            keys.addAll(List.of(LAYOUT.part(next, 0), LAYOUT.part(next, 1), LAYOUT.part(later, 0)));
        }
        return keys;
    }
}
