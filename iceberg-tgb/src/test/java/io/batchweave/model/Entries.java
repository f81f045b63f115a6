package io.batchweave.model;

import io.batchweave.model.Entry.CreateDataset;
import io.batchweave.model.Entry.Finish;
import io.batchweave.model.Entry.OpenProducer;
import io.batchweave.model.Entry.Publish;
import io.batchweave.model.Entry.Seal;
import io.batchweave.model.Entry.SealCondition;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/** Plain entries for tests: a dataset of two slices, and batches that fit it. */
public final class Entries {
    public static final Bytes PROGRESS = Bytes.fromHex("07");

    private Entries() {}

    /** The same id for the same number. */
    public static String id(long number) {
        return new UUID(0, number).toString();
    }

    /** A dataset with the grid {@code dp=2}. */
    public static CreateDataset dataset(String... producers) {
        return new CreateDataset(
                id(0), "{}", List.of(new Axis("dp", 2)), List.of(producers), List.of());
    }

    public static CreateDataset dataset(Feature... features) {
        return new CreateDataset(
                id(0), "{}", List.of(new Axis("dp", 2)), List.of(), List.of(features));
    }

    public static OpenProducer opening(String producer, long id) {
        return new OpenProducer(producer, id(id));
    }

    /** The batch that only this claim publishes, with progress that names it. */
    public static Publish publish(Claim claim) {
        return new Publish(claim, progress(claim), batch(claim.hashCode(), 2));
    }

    /**
     * A batch whose record is so heavy that of two the older one is cut off, though it takes a few
     * KiB where it is stored: it has many counts.
     */
    public static Publish heavy(Claim claim) {
        GlobalBatch plain = batch(claim.hashCode(), 2);
        List<Count> counts =
                IntStream.range(0, 3_300).mapToObj(i -> new Count("c" + i, 1)).toList();
        return new Publish(
                claim, progress(claim), new GlobalBatch(plain.schemaId(), plain.parts(), counts));
    }

    public static Publish publish(String producer, long epoch, long sequence) {
        return publish(new Claim(producer, epoch, sequence));
    }

    public static Finish finish(String producer, long epoch, long sequence) {
        Claim claim = new Claim(producer, epoch, sequence);
        return new Finish(claim, progress(claim));
    }

    public static Seal seal() {
        return new Seal(SealCondition.NONE);
    }

    public static Seal sealIfAllFinished() {
        return new Seal(SealCondition.ALL_FINISHED);
    }

    /** A batch of one part, told from others by its content. */
    public static GlobalBatch batch(int content, int slices) {
        return new GlobalBatch(0, List.of(part(content, slices)), List.of());
    }

    public static Part part(int content, int slices) {
        List<Slice> cut =
                IntStream.range(0, slices).mapToObj(i -> new Slice(i * 64L, 64, 3, i)).toList();
        return new Part(slices * 64L, Bytes.fromHex("%064x".formatted(content)), cut);
    }

    public static Bytes progress(Claim claim) {
        return Bytes.fromHex("%08x".formatted(claim.sequence()));
    }
}
