package io.batchweave.codec;

import io.batchweave.model.Axis;
import io.batchweave.model.Bytes;
import io.batchweave.model.Claim;
import io.batchweave.model.Commit;
import io.batchweave.model.Count;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.Alter;
import io.batchweave.model.Entry.AttachJob;
import io.batchweave.model.Entry.Checkpoint;
import io.batchweave.model.Entry.CreateDataset;
import io.batchweave.model.Entry.DetachJob;
import io.batchweave.model.Entry.Finish;
import io.batchweave.model.Entry.OpenProducer;
import io.batchweave.model.Entry.Publish;
import io.batchweave.model.Entry.ReleaseCheckpoint;
import io.batchweave.model.Entry.Seal;
import io.batchweave.model.Entry.SealCondition;
import io.batchweave.model.Entry.Skip;
import io.batchweave.model.Entry.StartSession;
import io.batchweave.model.Entry.Sweep;
import io.batchweave.model.Entry.Unskip;
import io.batchweave.model.Feature;
import io.batchweave.model.Feature.RequiredOf;
import io.batchweave.model.GlobalBatch;
import io.batchweave.model.Part;
import io.batchweave.model.Provenance;
import io.batchweave.model.Setting.KeepFor;
import io.batchweave.model.Setting.KeepSteps;
import io.batchweave.model.Setting.MaxLead;
import io.batchweave.model.Setting.Retention;
import io.batchweave.model.Setting.RetentionPolicy;
import io.batchweave.model.Slice;
import io.batchweave.model.Source;
import io.batchweave.model.SourceRows;
import io.batchweave.model.StepRange;
import java.time.Instant;
import java.util.List;

/** One entry of each kind, with a value in every field. */
final class SampleCommits {
    private static final String ID = "0b1c2d3e-4f50-6172-8394-a5b6c7d8e9fa";
    private static final Claim CLAIM = new Claim("p7", 3, 41);
    private static final Bytes PROGRESS = Bytes.fromHex("00ff");

    private SampleCommits() {}

    static Commit of(Entry... entries) {
        return new Commit(
                "c-1", Instant.parse("2026-11-29T12:00:00.123Z"), "sample/1", List.of(entries));
    }

    /** One commit for each kind of entry. */
    static List<Commit> ofEachKind() {
        return entries().stream().map(entry -> of(entry)).toList();
    }

    static List<Entry> entries() {
        return List.of(
                new CreateDataset(
                        ID,
                        "{\"type\":\"struct\"}",
                        List.of(new Axis("dp", 2), new Axis("cp", 1)),
                        List.of("p7", "p8"),
                        List.of(new Feature("woven", RequiredOf.WRITERS))),
                new OpenProducer("p7", ID),
                publish(),
                new Finish(CLAIM, PROGRESS),
                new Seal(SealCondition.ALL_FINISHED),
                new AttachJob("j1", ID, 40, 3),
                new DetachJob("j1", ID),
                new StartSession("j1", ID, "s-1", "at-40"),
                checkpoint(),
                new ReleaseCheckpoint("j1", ID, "at-40"),
                new Skip(new StepRange(100, 120), "a loss spike"),
                new Unskip(new StepRange(7, 7)),
                new Alter(
                        List.of(
                                new Retention(RetentionPolicy.FOREVER),
                                new KeepSteps(1),
                                new KeepFor(2),
                                new MaxLead(3))),
                new Sweep(40, 20));
    }

    private static Checkpoint checkpoint() {
        return new Checkpoint("j1", ID, "s-1", "at-80", 80, Bytes.fromHex("5e".repeat(32)), true);
    }

    static Publish publish() {
        Part first =
                new Part(
                        200,
                        Bytes.fromHex("ab".repeat(32)),
                        List.of(new Slice(64, 100, 8, -2), new Slice(164, 36, 0, 7)));
        Part second = new Part(10, Bytes.fromHex("0c".repeat(32)), List.of(new Slice(0, 10, 1, 0)));
        return new Publish(
                CLAIM,
                PROGRESS,
                new GlobalBatch(
                        0,
                        List.of(first, second),
                        List.of(new Count("images", 0), new Count("tokens", 4_096)),
                        new Provenance(
                                List.of(
                                        new Source(
                                                "a.jsonl",
                                                2_000,
                                                Bytes.fromHex("1d".repeat(32)),
                                                0),
                                        new Source("b.jsonl", 0, Bytes.EMPTY, 1)),
                                List.of(
                                        new SourceRows(0, 1, 70, 3, 4_000),
                                        new SourceRows(2, 0, 0, 1, 96)))));
    }

    static Publish withoutProvenance(Publish publish) {
        return new Publish(
                publish.claim(), publish.progress(), publish.batch().withoutProvenance());
    }
}
