package io.batchweave.cli.demo;

import io.batchweave.cli.verify.Report;
import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.DatasetName;
import io.batchweave.state.Saving;
import io.batchweave.state.StepRecord;
import io.batchweave.store.CountingStore;
import io.batchweave.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * What is checked once everybody is done: against the input, between the ranks, and against every
 * stored byte.
 */
final class DemoChecks {
    private static final Pattern COUNT = Pattern.compile("(\\w+)=(\\d+)");

    private final CountingStore store;
    private final DatasetName dataset;
    private final World world;
    private final List<Check> checks = new ArrayList<>();

    DemoChecks(CountingStore store, DatasetName dataset, World world) {
        this.store = store;
        this.dataset = dataset;
        this.world = world;
    }

    List<Check> of(
            List<InputText> texts,
            long steps,
            List<Trainer> first,
            List<Trainer> later,
            Map<String, Child> producers) {
        Log log = Log.open(store, dataset, world, LogLimits.DEFAULT);
        try (Delivered delivered = new Delivered(log)) {
            delivered.read(store, "dp", first.size());
            long tokens = texts.stream().mapToLong(InputText::tokens).sum();
            check(
                    "every_input_token_delivered_exactly_once",
                    "every input token was delivered exactly once, in order",
                    texts.stream().allMatch(delivered::matches) && log.state().nextStep() == steps,
                    tokens + " tokens of " + texts.size() + " producers in " + steps + " steps");
            checkRanks(first, later, steps);
            checkDigests(first, later, delivered);
            checkBytes(delivered);
        }
        checkRequests(log, producers);
        Report report = Demo.verify(store, dataset);
        check(
                "verify_is_clean",
                "every commit, payload object and digest is as it was written",
                report.clean(),
                report.commits()
                        + " commits, "
                        + report.slices()
                        + " slices, "
                        + report.bytes()
                        + " bytes");
        return checks;
    }

    /**
     * The steps that ranks read on their own, one process after the other, are the same on all of
     * them.
     */
    private void checkRanks(List<Trainer> first, List<Trainer> later, long steps) {
        List<Long> firstHalf = distinctSteps(first.get(0));
        List<Long> rest = distinctSteps(later.get(0));
        boolean same =
                first.stream().allMatch(rank -> distinctSteps(rank).equals(firstHalf))
                        && later.stream().allMatch(rank -> distinctSteps(rank).equals(rest));
        boolean all =
                LongStream.concat(
                                firstHalf.stream().mapToLong(s -> s),
                                rest.stream().mapToLong(s -> s))
                        .distinct()
                        .boxed()
                        .toList()
                        .equals(LongStream.range(0, steps).boxed().toList());
        check(
                "every_rank_saw_the_same_steps",
                "every rank saw the same steps, and together all of them",
                same && all,
                first.size()
                        + " ranks saw steps 0.."
                        + (firstHalf.size() - 1)
                        + ", "
                        + later.size()
                        + " ranks steps "
                        + rest.get(0)
                        + ".."
                        + rest.get(rest.size() - 1));
        Map<Long, String> cursors = new TreeMap<>();
        boolean agree =
                Stream.concat(first.stream(), later.stream())
                        .flatMap(rank -> rank.lines().stream())
                        .allMatch(
                                line ->
                                        line.cursor()
                                                .equals(
                                                        cursors.computeIfAbsent(
                                                                line.step(),
                                                                step -> line.cursor())));
        check(
                "receipts_agree",
                "after each step all ranks held the same receipt",
                agree,
                cursors.size() + " receipts");
    }

    private static List<Long> distinctSteps(Trainer trainer) {
        return trainer.lines().stream().map(TrainerLine::step).distinct().toList();
    }

    private void checkDigests(List<Trainer> first, List<Trainer> later, Delivered delivered) {
        List<TrainerLine> before =
                first.stream().flatMap(rank -> rank.linesBefore().stream()).toList();
        long twice =
                first.stream()
                        .mapToLong(rank -> rank.lines().size() - distinctSteps(rank).size())
                        .sum();
        check(
                "digests_equal_before_and_after_restarts",
                "slices have the same digests before and after the restarts",
                !before.isEmpty()
                        && twice > 0
                        && first.stream().allMatch(rank -> agree(rank, delivered)),
                twice + " steps were read again by the trainer that was killed");
        check(
                "digests_equal_across_world_sizes",
                "slices have the same digests at both world sizes",
                later.stream().allMatch(rank -> agree(rank, delivered)),
                first.size() + " ranks and " + later.size() + " ranks");
    }

    private static boolean agree(Trainer trainer, Delivered delivered) {
        return trainer.lines().stream()
                .allMatch(
                        line ->
                                delivered
                                        .digests()
                                        .get(line.step())
                                        .entrySet()
                                        .containsAll(line.digests().entrySet()));
    }

    private void checkBytes(Delivered delivered) {
        double ratio = (double) delivered.bytesFetched() / delivered.bytesNeeded();
        check(
                "bytes_fetched_are_bytes_needed",
                "ranks fetch the bytes of their slices and no others",
                ratio <= 1.01,
                String.format(
                        "%d fetched, %d needed: %.3f",
                        delivered.bytesFetched(), delivered.bytesNeeded(), ratio));
    }

    /**
     * Every create that was not refused is a commit in the log, or a State that was saved after so
     * many: none was made in vain, none was lost.
     */
    private void checkRequests(Log log, Map<String, Child> producers) {
        long creates = 0;
        long refused = 0;
        long reads = 0;
        long commits = 0;
        for (Map.Entry<String, Child> producer : producers.entrySet()) {
            Map<String, Long> counts = counts(producer.getValue().errorText());
            long made = counts.getOrDefault("creates", 0L);
            creates += made;
            refused += counts.getOrDefault("refused", 0L);
            reads += counts.getOrDefault("reads", 0L);
            // One that found nothing left to do did not even open.
            commits += made == 0 ? 0 : commits(log, producer.getKey());
        }
        long others = creates - refused - commits;
        long states = log.state().version() / Saving.COMMITS_MAX + producers.size();
        check(
                "requests_per_commit",
                "a commit costs one request, and one for each race that it lost",
                commits > 0 && creates - refused >= commits && others <= states,
                String.format(
                        "%d commits by %d producers at once: %.2f creates and %.2f reads a commit",
                        commits,
                        producers.size(),
                        (double) creates / commits,
                        (double) reads / commits));
    }

    /**
     * Commits of a producer's last incarnation: its opening, those with its batches, its finish.
     */
    private static long commits(Log log, String producer) {
        long epoch = log.state().producer(producer).orElseThrow().epoch();
        long withBatches =
                LongStream.range(0, log.state().nextStep())
                        .mapToObj(log::step)
                        .filter(
                                step ->
                                        step.claim().producer().equals(producer)
                                                && step.claim().epoch() == epoch)
                        .map(StepRecord::version)
                        .distinct()
                        .count();
        return withBatches + 2;
    }

    private static Map<String, Long> counts(String stats) {
        Map<String, Long> counts = new TreeMap<>();
        Matcher matcher = COUNT.matcher(stats);
        while (matcher.find()) {
            counts.put(matcher.group(1), Long.parseLong(matcher.group(2)));
        }
        return counts;
    }

    private void check(String name, String text, boolean holds, String detail) {
        checks.add(new Check(name, text, holds, detail));
    }
}
