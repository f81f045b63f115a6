package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the command says of itself, and that the README says the same. */
class HelpTest {
    private static final Pattern CODE_IN_HELP = Pattern.compile("(?m)^ +(\\d+)  (.+)$");
    private static final Pattern CODE_IN_README = Pattern.compile("(?m)^\\| (\\d+) \\| (.+) \\|$");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "create",
                "ingest",
                "read",
                "log",
                "steps",
                "status",
                "seal",
                "verify",
                "probe",
                "demo",
                "attach",
                "session",
                "checkpoint",
                "release",
                "detach",
                "skip",
                "unskip",
                "alter",
                "prove",
                "fold",
                "sweep",
                "drop",
                "list",
                "serve"
            })
    void everyCommandExplainsItself(String command) {
        String usage = "Usage: batchweave " + command + " ";

        assertThat(Cli.runAlone("--help").succeeded().out()).contains("\n  " + command + " ");
        assertThat(Cli.runAlone(command, "--help").succeeded().out())
                .startsWith(usage)
                .contains("--json");
        assertThat(Cli.runAlone("help", command).succeeded().out()).startsWith(usage);
    }

    /** It prints nothing but JSON, so there is nothing to ask for. */
    @Test
    void publishExplainsItself() {
        assertThat(Cli.runAlone("--help").succeeded().out()).contains("\n  publish ");
        assertThat(Cli.runAlone("publish", "--help").succeeded().out())
                .startsWith("Usage: batchweave publish ")
                .contains("cli/publish.md");
    }

    @Test
    void withoutACommandThereIsHelp() {
        assertThat(Cli.runAlone().succeeded()).isEqualTo(Cli.runAlone("--help").succeeded());
    }

    @Test
    void versionIsOneLine() {
        assertThat(Cli.runAlone("--version").succeeded().out()).matches("batchweave \\S+\\n");
    }

    @Test
    void theReadmeListsTheExitCodesThatHelpLists() throws IOException {
        Map<Integer, String> help = codes(CODE_IN_HELP, Cli.runAlone("--help").succeeded().out());

        assertThat(help).containsOnlyKeys(0, 1, 2, 3, 4, 5, 6, 7, 8, 70, 130);
        assertThat(codes(CODE_IN_README, Readme.text().replace("`", ""))).isEqualTo(help);
    }

    private static Map<Integer, String> codes(Pattern pattern, String text) {
        Map<Integer, String> codes = new TreeMap<>();
        List<MatchResult> rows = pattern.matcher(text).results().toList();
        rows.forEach(row -> codes.put(Integer.valueOf(row.group(1)), row.group(2)));
        return codes;
    }
}
