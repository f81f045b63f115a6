package io.batchweave.cli;

import io.batchweave.cli.demo.Check;
import io.batchweave.cli.demo.Children;
import io.batchweave.cli.demo.Demo;
import io.batchweave.cli.demo.ScratchFolder;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.model.DatasetName;
import io.batchweave.store.CountingStore;
import io.batchweave.store.Listing;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Stores;
import io.batchweave.world.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs the main job as a story. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = {
            "Run the main job with real processes, kill two of them in mid-run, and report what was checked.",
            "The warehouse is a temporary folder unless --warehouse or --keep is given."
        })
final class DemoCommand implements Callable<Integer>, Interruptible {
    private static final List<String> PRODUCERS = List.of("a", "b", "c");
    private static final List<String> SHIPPED_TEXT =
            List.of("format-spec", "iceberg-tgb/src/main", "cli/src/main");

    private static final int CLEARING_SECONDS_MAX = 10;

    @Mixin private Output output;

    @Option(
            names = {"-w", "--warehouse"},
            paramLabel = "URI",
            description = "Folder or URI of the warehouse.")
    private String warehouse;

    @Option(
            names = "--input",
            arity = "1..*",
            paramLabel = "FILES",
            description =
                    "Text or JSONL files to ingest, dealt out to the producers. Default: the text of this repository")
    private List<String> inputs = List.of();

    @Option(
            names = "--field",
            split = ",",
            paramLabel = "NAME",
            description = "Of each JSON line of the input, the fields that hold its text.")
    private List<String> fields = List.of();

    @Option(
            names = "--keep",
            description =
                    "Keep the dataset, in ./warehouse unless --warehouse names another place.")
    private boolean keep;

    private final World world = World.real();
    private final Instant start = world.clock().instant();
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile Runnable stop = () -> {};

    @Override
    public Integer call() {
        Thread worker = Thread.currentThread();
        try (ScratchFolder folder = ScratchFolder.make();
                Children children = new Children(folder.path())) {
            stop =
                    () -> {
                        children.close();
                        worker.interrupt();
                    };
            return run(folder.path(), children).code();
        } finally {
            over.countDown();
        }
    }

    private ExitCode run(Path folder, Children children) {
        Map<String, List<String>> texts = inputs.isEmpty() ? shippedText() : dealt(inputs);
        String uri =
                warehouse != null
                        ? warehouse
                        : keep ? "warehouse" : folder.resolve("warehouse").toString();
        try (CountingStore store = new CountingStore(Stores.make(uri, world))) {
            DatasetName dataset = freeName(store);
            Demo demo = new Demo(store, dataset, uri, children, world, this::tell);
            try {
                List<Check> checks = demo.run(texts, fields);
                report(checks, dataset, uri);
                return checks.stream().allMatch(Check::holds) ? ExitCode.OK : ExitCode.FOUND;
            } finally {
                children.close();
                // Another demo may have taken the name first: then it is not ours to delete.
                if (!keep && demo.hasCreatedItsDataset()) {
                    deleteAll(store, dataset.namespace() + "/" + dataset.name());
                }
            }
        }
    }

    @Override
    public String interrupt() {
        stop.run();
        try {
            if (over.await(CLEARING_SECONDS_MAX, TimeUnit.SECONDS)) {
                return "its processes have ended, and "
                        + (keep ? "the dataset stays as it is" : "its data is deleted");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return "its processes have ended; what it wrote could not be deleted in time";
    }

    /** An earlier run may have been kept; what is somebody's is never touched. */
    private static DatasetName freeName(ObjectStore store) {
        List<String> taken = store.list("demo", "").folders();
        String name = "text";
        for (int i = 2; taken.contains(name); i++) {
            name = "text-" + i;
        }
        return new DatasetName("demo", name);
    }

    private static Map<String, List<String>> shippedText() {
        String home = System.getProperty("batchweave.home");
        if (home == null || !Files.isDirectory(Path.of(home, SHIPPED_TEXT.get(0)))) {
            throw new InvalidRequestException(
                    "Cannot find the text that ships with the repository: start the demo by ./batchweave there, or name"
                            + " --input FILES");
        }
        Map<String, List<String>> texts = new TreeMap<>();
        for (int i = 0; i < PRODUCERS.size(); i++) {
            texts.put(PRODUCERS.get(i), textBelow(Path.of(home, SHIPPED_TEXT.get(i))));
        }
        return texts;
    }

    private static List<String> textBelow(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .map(Path::toString)
                    .filter(
                            file ->
                                    file.endsWith(".md")
                                            || file.endsWith(".java")
                                            || file.endsWith(".avsc"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UnavailableException("Cannot read " + folder + ": " + e.getMessage(), e);
        }
    }

    private static Map<String, List<String>> dealt(List<String> files) {
        Map<String, List<String>> texts = new TreeMap<>();
        for (int i = 0; i < files.size(); i++) {
            texts.computeIfAbsent(PRODUCERS.get(i % PRODUCERS.size()), name -> new ArrayList<>())
                    .add(files.get(i));
        }
        return texts;
    }

    private void tell(String line) {
        Duration elapsed = Duration.between(start, world.clock().instant());
        output.say(String.format("%5.1f s  %s", elapsed.toMillis() / 1000.0, line));
        output.flush();
    }

    private void report(List<Check> checks, DatasetName dataset, String uri) {
        Map<String, Boolean> results = new LinkedHashMap<>();
        Map<String, String> details = new LinkedHashMap<>();
        StringBuilder text = new StringBuilder("\nchecked:\n");
        for (Check check : checks) {
            results.put(check.name(), check.holds());
            details.put(check.name(), check.detail());
            text.append(
                    String.format(
                            "  %-5s %s%n        %s%n",
                            check.holds() ? "ok" : "WRONG", check.text(), check.detail()));
        }
        if (keep) {
            text.append(
                    String.format(
                            "%nkept %s; look at it with: batchweave status %s --warehouse %s%n",
                            dataset, dataset, uri));
        }
        output.print(
                Output.object(
                        "checks",
                        results,
                        "details",
                        details,
                        "dataset",
                        dataset.toString(),
                        "warehouse",
                        uri),
                text.toString().stripTrailing());
        output.flush();
    }

    private static void deleteAll(ObjectStore store, String folder) {
        store.listBelow(
                folder, items -> store.delete(items.stream().map(Listing.Item::key).toList()));
    }
}
