package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The README's tour, typed by a test. */
@Timeout(300)
class ReadmeTourIT {
    @TempDir private Path folder;

    @Test
    void theTourGoesAsTheReadmeSays() throws Exception {
        Python python = Python.installed();
        List<String> errors = new ArrayList<>();
        StringBuilder printed = new StringBuilder();
        for (String block : Readme.shell("A tour")) {
            Ran ran = type(block, python);
            printed.append(ran.out());
            ran.err().lines().forEach(errors::add);
        }

        assertThat(errors)
                .containsExactly(
                        "batchweave: Invalid place 'dp=0/3': a world size of 3 does not divide axis"
                                + " dp=8; legal sizes are 1, 2, 4, 8");
        assertThat(printed)
                .startsWith("Created demo.readme with the grid dp=8 (8 slices a step)")
                .contains("; the dataset is sealed\n")
                .contains("step 2  rows 4")
                .contains("{\"step\":2,\"slices\":[{\"index\":3,")
                .contains("1 rows 256 tokens\n")
                .contains("demo.readme  sealed\n")
                .contains("{\"step\":1,\"version\":")
                .contains("open producer p0: done\n")
                .contains("; nothing is wrong\n")
                .containsPattern(
                        "slice 0  .*  epoch 0  row \\d+  amount 256  sha256 [0-9a-f]{64}\n$");
    }

    @Test
    void columnsOfYourOwnGoAsTheReadmeSays() throws Exception {
        String block = Readme.shell("Columns of your own").get(0);

        Ran ran = type(block.replace("/tmp/", folder + "/"), Python.installed());

        assertThat(ran.err()).isEmpty();
        assertThat(ran.out())
                .isEqualTo(
                        """
                        Created demo.cats with the grid dp=4 (4 slices a step) in file://%s/warehouse/
                        Published 3 batches with 1000 rows to demo.cats as producer p0, the last as step 2; the dataset is sealed
                        (100, 2, 2, 3)
                        (100, 2, 2, 3)
                        (100, 2, 2, 3)
                        """
                                .formatted(folder));
    }

    @Test
    void shufflingGoesAsTheReadmeSays() throws Exception {
        String block = Readme.shell("Shuffled, in epochs, by several producers").get(0);

        Ran ran = type(block.replace("/tmp/", folder + "/"), Python.installed());

        assertThat(ran.err()).isEmpty();
        assertThat(ran.out())
                .contains("with 150000 rows to demo.shuffled as producer p1")
                .contains("with 150000 rows to demo.shuffled as producer p2")
                .endsWith("] each {3} times\n")
                .doesNotContain("[0, 1, 2, 3, 4]");
    }

    @Test
    void jobsGoAsTheReadmeSays() throws Exception {
        StringBuilder printed = new StringBuilder();
        for (String block : Readme.shell("Jobs, checkpoints and skips")) {
            Ran ran = type(block.replace("/tmp/", folder + "/"), Python.installed());
            assertThat(ran.err()).isEmpty();
            printed.append(ran.out());
        }

        Ran folded = type(Readme.shell("The steps as a table").get(0), Python.installed());
        assertThat(folded.err()).isEmpty();
        assertThat(folded.out())
                .startsWith("Folded 100 steps and ")
                .contains(" of demo.train; all steps before 100 are in the view, with ")
                .contains("\nFolded 0 steps and 0 events of demo.train;");
        assertThat(printed)
                .contains("Attached job llm to demo.train at step 0; it keeps its newest 2")
                .contains(
                        "Session run-1 of job llm of demo.train starts at the attachment at step 0")
                .contains("Made checkpoint good of job llm of demo.train at step 20\n")
                .contains("job llm is at checkpoint spiked at step 60: only a session at an older")
                .contains("starts at checkpoint good at step 20, and skips 55..59\n")
                .contains("Made checkpoint mended of job llm of demo.train at step 65\n")
                .contains(
                        "job llm  at checkpoint mended at step 65  session run-2 skips 55..59  lag 35")
                .containsPattern("step 64  producer p0 .* payload same  from .*train.jsonl\n")
                .contains("\nskipped 55..59  loss spike in run-1\n")
                .containsPattern(
                        "checkpoint mended of job llm: 60 steps, from 0 to below 65; receipt"
                                + " [0-9a-f]{64}; the chain holds, and all payload is as published\n")
                .contains("Would sweep from demo.train: payload of 60 steps (")
                .contains("Swept from demo.train: payload of 60 steps (")
                .containsPattern("step 59 .* swept\nstep 60 ")
                .endsWith("holds; payload of 55 steps is swept, all other is as published\n");
    }

    @Test
    void theTrainingLoopGoesAsTheReadmeSays() throws Exception {
        String block = Readme.shell("In a training loop").get(0);
        Path installed = folder.resolve("installed");

        Ran ran =
                type(
                        block.replace("/tmp/", folder + "/")
                                .replace("\"warehouse\"", "\"" + folder.resolve("warehouse") + "\"")
                                .replace(
                                        "pip install ./",
                                        "export PYTHONPATH="
                                                + installed
                                                + "; pip install --quiet --disable-pip-version-check"
                                                + " --no-index --no-deps --no-build-isolation --target "
                                                + installed
                                                + " ./"),
                        Python.installed());

        assertThat(ran.err()).isEmpty();
        assertThat(ran.out())
                .contains("step 0 sum 190\n", "step 9 sum 7390\n")
                .containsPattern(
                        "\\{'data': \\{'cursor': '[^']+:10:[0-9a-f]{64}:run7:[^']+'\\}\\}\n$");
    }

    /** In the checkout, with what was built in place of the launcher, and another warehouse. */
    private Ran type(String block, Python python) throws IOException, InterruptedException {
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        String command =
                CliProcess.builder().command().stream()
                        .map(word -> "'" + word + "'")
                        .collect(Collectors.joining(" "));
        String script = block.replace("./batchweave", command);
        ProcessBuilder bash =
                new ProcessBuilder("bash", "-c", script)
                        .directory(Readme.ROOT.toFile())
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        bash.environment().put("BATCHWEAVE_WAREHOUSE", folder.resolve("warehouse").toString());
        bash.environment().put("BATCHWEAVE_SHM_DIR", folder.toString());
        bash.environment().merge("PATH", python.executable().getParent().toString(), this::before);
        int code = bash.start().waitFor();
        return new Ran(code, Files.readString(out), Files.readString(err));
    }

    private String before(String path, String first) {
        return first + File.pathSeparator + path;
    }
}
