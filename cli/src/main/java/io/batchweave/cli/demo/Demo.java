package io.batchweave.cli.demo;

import io.batchweave.cli.verify.Report;
import io.batchweave.cli.verify.Verifier;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Entry.CreateDataset;
import io.batchweave.model.SliceGrid;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.state.ProducerState;
import io.batchweave.store.CountingStore;
import io.batchweave.world.Deadline;
import io.batchweave.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * The main job: producers and trainers at once, two of them killed, and fewer ranks at the end.
 *
 * <p>Everything happens in processes of their own; this one watches, kills, and checks.
 */
public final class Demo {
    private static final int GRID = 8;
    private static final int RANKS_FIRST = 4;
    private static final int RANKS_LATER = 2;
    private static final int BATCHES_WANTED = 90;
    private static final int SEQ_LEN_MIN = 16;
    private static final int SEQ_LEN_MAX = 8_192;

    /** With fewer, a process may have ended before it can be killed. */
    private static final int BATCHES_MIN = 48;

    private static final int TOKENS_MIN = BATCHES_MIN * GRID * SEQ_LEN_MIN;
    private static final int BATCHES_PER_SECOND_MIN = 8;
    private static final int PUBLISHING_SECONDS = 10;

    /** Steps between a trainer's last checkpoint and the moment it is killed. */
    private static final int STEPS_SINCE_CHECKPOINT = 3;

    private static final String TOKENIZER = "cl100k_base";
    private static final Duration TIME_LIMIT = Duration.ofSeconds(110);
    private static final int TOKENS_PER_SECOND_MIN = 50_000;

    private final CountingStore store;
    private final DatasetName dataset;
    private final String warehouse;
    private final Children children;
    private final World world;
    private final Consumer<String> narrator;
    private boolean created;
    private final Map<String, Child> producers = new TreeMap<>();
    private Deadline deadline;

    /**
     * Prepares a run.
     *
     * @param warehouse the URI that the processes are given
     * @param children starts the processes, and outlives the run
     * @param narrator told what happens, line by line
     */
    public Demo(
            CountingStore store,
            DatasetName dataset,
            String warehouse,
            Children children,
            World world,
            Consumer<String> narrator) {
        this.store = store;
        this.dataset = dataset;
        this.warehouse = warehouse;
        this.children = children;
        this.world = world;
        this.narrator = narrator;
    }

    /**
     * Runs the story and checks how it ended.
     *
     * @param inputs for each producer, its files
     * @param fields of JSON lines, those that hold their text
     * @throws InvalidRequestException if there is too little text to kill somebody in mid-run
     * @throws UnavailableException if a process fails or time runs out
     */
    public List<Check> run(Map<String, List<String>> inputs, List<String> fields) {
        narrator.accept("tokenizing the input, to have something to compare with");
        List<InputText> texts =
                inputs.entrySet().stream()
                        .map(
                                input ->
                                        InputText.of(
                                                input.getKey(),
                                                input.getValue(),
                                                TOKENIZER,
                                                fields,
                                                world))
                        .toList();
        long tokens = texts.stream().mapToLong(InputText::tokens).sum();
        checkEnough(tokens);
        deadline = world.deadline(TIME_LIMIT.plusSeconds(tokens / TOKENS_PER_SECOND_MIN));
        int seqLen =
                Math.toIntExact(
                        Math.max(
                                SEQ_LEN_MIN,
                                Math.min(SEQ_LEN_MAX, tokens / (GRID * BATCHES_WANTED))));
        long steps = texts.stream().mapToLong(text -> text.batches(GRID * seqLen)).sum();
        long half = steps / 2;
        Log log = create(texts);
        List<Trainer> first = trainers(RANKS_FIRST);
        List<Trainer> later = trainers(RANKS_LATER);
        narrator.accept(
                "starting "
                        + (texts.size() == 1 ? "1 producer" : texts.size() + " producers")
                        + " with "
                        + tokens
                        + " tokens of text, and "
                        + RANKS_FIRST
                        + " trainers");
        texts.forEach(text -> startProducer(text, seqLen));
        first.forEach(
                trainer -> trainer.start(List.of("--from", "0", "--steps", Long.toString(half))));
        InputText victim = Collections.max(texts, Comparator.comparingLong(InputText::tokens));
        killProducer(log, victim, seqLen);
        killTrainer(first.get(RANKS_FIRST / 2), half);
        first.forEach(trainer -> trainer.child().awaitSuccess(deadline));
        narrator.accept(
                RANKS_FIRST
                        + " trainers have read the first "
                        + half
                        + " steps; "
                        + RANKS_LATER
                        + " go on from a checkpoint "
                        + STEPS_SINCE_CHECKPOINT
                        + " steps back");
        String checkpoint = cursorBefore(first.get(0).lines(), half - STEPS_SINCE_CHECKPOINT);
        later.forEach(trainer -> trainer.start(List.of("--cursor", checkpoint)));
        producers.values().forEach(producer -> producer.awaitSuccess(deadline));
        later.forEach(trainer -> trainer.child().awaitSuccess(deadline));
        narrator.accept(
                "the dataset is sealed and " + RANKS_LATER + " trainers have read it to its end");
        log.catchUp();
        return new DemoChecks(store, dataset, world).of(texts, steps, first, later, producers);
    }

    private static void checkEnough(long tokens) {
        if (tokens < TOKENS_MIN) {
            throw new InvalidRequestException(
                    "Cannot run the demo with "
                            + tokens
                            + " tokens of text: it needs at least "
                            + TOKENS_MIN
                            + ", about 25 KB of English; name more --input FILES");
        }
    }

    /** Whether the dataset is this run's own. */
    public boolean hasCreatedItsDataset() {
        return created;
    }

    private Log create(List<InputText> texts) {
        CreateDataset entry =
                new CreateDataset(
                        world.newId(),
                        PayloadSchema.tokens().json(),
                        SliceGrid.parse("dp=" + GRID).axes(),
                        texts.stream().map(InputText::producer).toList(),
                        List.of());
        Log log = Log.create(store, dataset, entry, world, LogLimits.DEFAULT);
        created = true;
        narrator.accept(
                "created " + dataset + " with " + GRID + " slices a step in " + store.uri());
        return log;
    }

    private void startProducer(InputText text, int seqLen) {
        List<String> arguments = new ArrayList<>(List.of("ingest", dataset.toString()));
        arguments.addAll(text.files());
        arguments.addAll(
                List.of("--warehouse", warehouse, "--producer", text.producer(), "--stats"));
        arguments.addAll(List.of("--tokenizer", TOKENIZER, "--seq-len", Integer.toString(seqLen)));
        long rate =
                Math.max(BATCHES_PER_SECOND_MIN, text.batches(GRID * seqLen) / PUBLISHING_SECONDS);
        arguments.addAll(List.of("--rate", Long.toString(rate)));
        if (!text.fields().isEmpty()) {
            arguments.addAll(List.of("--field", String.join(",", text.fields())));
        }
        String run = producers.containsKey(text.producer()) ? "-again" : "";
        producers.put(
                text.producer(), children.start("producer-" + text.producer() + run, arguments));
    }

    private List<Trainer> trainers(int world) {
        List<Trainer> trainers = new ArrayList<>();
        for (int rank = 0; rank < world; rank++) {
            String place = rank + "/" + world;
            trainers.add(
                    new Trainer(
                            place,
                            children,
                            List.of(
                                    "read",
                                    dataset.toString(),
                                    "--mesh",
                                    "dp=" + place,
                                    "--json",
                                    "--wait",
                                    "60s",
                                    "--warehouse",
                                    warehouse)));
        }
        return trainers;
    }

    private void killProducer(Log log, InputText victim, int seqLen) {
        long third = Math.max(1, victim.batches(GRID * seqLen) / 3);
        Child child = producers.get(victim.producer());
        await("producer " + victim.producer(), child, () -> steps(log, victim.producer()) >= third);
        child.kill();
        narrator.accept(
                "killed producer "
                        + victim.producer()
                        + " (SIGKILL) after "
                        + steps(log, victim.producer())
                        + " of its batches; starting it again");
        startProducer(victim, seqLen);
    }

    private static long steps(Log log, String producer) {
        return log.catchUp().producer(producer).map(ProducerState::steps).orElse(0L);
    }

    private void killTrainer(Trainer victim, long half) {
        long enough = Math.max(STEPS_SINCE_CHECKPOINT + 1, half / 2);
        await("a trainer", victim.child(), () -> victim.parsed().size() >= enough);
        victim.kill();
        long seen = victim.linesBefore().size();
        long from = seen - STEPS_SINCE_CHECKPOINT;
        narrator.accept(
                "killed a trainer (SIGKILL) after step "
                        + (seen - 1)
                        + "; starting it again from its"
                        + " checkpoint before step "
                        + from);
        victim.start(
                List.of(
                        "--cursor",
                        cursorBefore(victim.linesBefore(), from),
                        "--steps",
                        Long.toString(half - from)));
    }

    private static String cursorBefore(List<TrainerLine> lines, long step) {
        return lines.stream()
                .filter(line -> line.step() == step - 1)
                .map(TrainerLine::cursor)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "No trainer said where to go on before step "
                                                + step
                                                + ": "
                                                + lines.stream()
                                                        .map(line -> Long.toString(line.step()))
                                                        .collect(Collectors.joining(","))));
    }

    /** Waits for something that a process is about to bring about. */
    private void await(String who, Child child, BooleanSupplier happened) {
        while (!happened.getAsBoolean()) {
            if (!deadline.remains() || !child.isAlive()) {
                throw new UnavailableException(
                        "Cannot go on with the demo: "
                                + who
                                + (child.isAlive() ? " is too slow" : " ended too early")
                                + "; "
                                + child.lastWords());
            }
            world.pause().pause(Duration.ofMillis(5));
        }
    }

    /** Reads every byte of the dataset once more. */
    static Report verify(CountingStore store, DatasetName dataset) {
        try (BufferAllocator allocator = new RootAllocator()) {
            return new Verifier(store, dataset, allocator, step -> {}).verify();
        }
    }
}
