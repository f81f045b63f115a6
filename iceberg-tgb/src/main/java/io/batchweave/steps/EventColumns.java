package io.batchweave.steps;

import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types.BooleanType;
import org.apache.iceberg.types.Types.IntegerType;
import org.apache.iceberg.types.Types.LongType;
import org.apache.iceberg.types.Types.MapType;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.iceberg.types.Types.StringType;
import org.apache.iceberg.types.Types.TimestampType;

/** The columns of the table of events: whatever a commit says that did not become a step. */
final class EventColumns {
    static final String VERSION = "version";
    static final String ENTRY = "entry";
    static final String AT = "at";
    static final String KIND = "kind";
    static final String EFFECTIVE = "effective";
    static final String WHY = "why";
    static final String PRODUCER = "producer";
    static final String EPOCH = "epoch";
    static final String SEQUENCE = "sequence";
    static final String JOB = "job";
    static final String SESSION = "session";
    static final String CHECKPOINT = "checkpoint";
    static final String STEP = "step";
    static final String LAST_STEP = "last_step";
    static final String RECEIPT = "receipt";
    static final String ROLLBACK = "rollback";
    static final String KEEP = "keep";
    static final String REASON = "reason";
    static final String SETTINGS = "settings";
    static final String WRITER = "writer";
    static final String COMMIT_ID = "commit_id";

    static final Schema SCHEMA =
            new Schema(
                    required(1, VERSION, LongType.get(), "Log version of the commit, from 0."),
                    required(2, ENTRY, IntegerType.get(), "Index of the entry in it, from 0."),
                    required(
                            3,
                            AT,
                            TimestampType.withZone(),
                            "Time of the commit by the store's clock; never steps back."),
                    required(
                            4,
                            KIND,
                            StringType.get(),
                            "created, opened, finished, sealed, attached, session, checkpoint,"
                                    + " released, detached, skipped, unskipped, altered, swept, or"
                                    + " published: a batch that did not become a step."),
                    required(
                            5,
                            EFFECTIVE,
                            BooleanType.get(),
                            "Whether it took effect; if not, it is as if it had never been said."),
                    optional(6, WHY, StringType.get(), "Why it is without effect."),
                    optional(7, PRODUCER, StringType.get(), "Of which producer."),
                    optional(
                            8,
                            EPOCH,
                            LongType.get(),
                            "Log version that opened the producer's incarnation."),
                    optional(9, SEQUENCE, LongType.get(), "Number of the producer's claim."),
                    optional(10, JOB, StringType.get(), "Of which training job."),
                    optional(11, SESSION, StringType.get(), "Of which start of the job."),
                    optional(
                            12,
                            CHECKPOINT,
                            StringType.get(),
                            "Which checkpoint; of a session, the one it asked to start at."),
                    optional(
                            13,
                            STEP,
                            LongType.get(),
                            "attached: the first step the job needs; session: the first it is"
                                    + " given; checkpoint: the first the model has not seen;"
                                    + " skipped, unskipped: the first of them; swept: the first"
                                    + " whose payload is kept; sealed: how many steps there are."),
                    optional(
                            14,
                            LAST_STEP,
                            LongType.get(),
                            "skipped, unskipped: the last of them; swept: payload of all steps"
                                    + " up to it is gone."),
                    optional(
                            15,
                            RECEIPT,
                            StringType.get(),
                            "checkpoint: of all that the job was given, in hexadecimal digits."),
                    optional(
                            16,
                            ROLLBACK,
                            BooleanType.get(),
                            "checkpoint: whether it may lie behind the job's last one."),
                    optional(
                            17,
                            KEEP,
                            IntegerType.get(),
                            "attached: how many checkpoints the job keeps."),
                    optional(18, REASON, StringType.get(), "skipped: why."),
                    required(
                            19,
                            SETTINGS,
                            MapType.ofRequired(30, 31, StringType.get(), StringType.get()),
                            "created, altered: the settings named, durations in milliseconds;"
                                    + " empty otherwise."),
                    required(20, WRITER, StringType.get(), "The software that wrote it."),
                    required(21, COMMIT_ID, StringType.get(), "Unique id of the commit."));

    private EventColumns() {}

    private static NestedField required(int id, String name, Type type, String doc) {
        return NestedField.required(id, name, type, doc);
    }

    private static NestedField optional(int id, String name, Type type, String doc) {
        return NestedField.optional(id, name, type, doc);
    }
}
