package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The server as people start and end it. */
class ServeIT {
    private static final Pattern AT = Pattern.compile("http://[0-9.]+:[0-9]+");

    @TempDir private Path folder;
    private Cli cli;

    @BeforeEach
    void create() {
        cli = new Cli(folder.resolve("warehouse"));
        cli.create("train.x", "dp=2");
    }

    private CliProcess serving(String... more) {
        List<String> arguments = new java.util.ArrayList<>(List.of("serve", "--port", "0"));
        arguments.addAll(List.of(more));
        return CliProcess.start(
                folder, Cli.at(cli.warehouse().toString(), arguments.toArray(String[]::new)));
    }

    private static URI uri(CliProcess process) {
        process.await("address", () -> AT.matcher(process.out()).find());
        Matcher at = AT.matcher(process.out());
        assertThat(at.find()).isTrue();
        return URI.create(at.group());
    }

    private static HttpResponse<String> got(URI server, String path, String... headers)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HttpClient.newHttpClient()
                .send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143"})
    void aSignalEndsItCleanly(String signal, int code) throws Exception {
        CliProcess.requireSignals();
        try (CliProcess process = serving()) {
            URI server = uri(process);
            // A dataset makes a namespace, and is no table in it.
            assertThat(got(server, "/v1/namespaces").body()).contains("[[\"train\"]]");
            assertThat(got(server, "/v1/namespaces/train/tables").body())
                    .contains("\"identifiers\":[]");

            process.signal(signal);

            assertThat(process.end().refused(code))
                    .isEqualTo(
                            "batchweave: Interrupted: requests under way were answered; tables stay"
                                    + " as they are");
            assertThatThrownBy(() -> got(server, "/v1/config"))
                    .isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void aTokenComesFromAFileAndIsShownNowhere() throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "hush-hush\n");
        try (CliProcess process = serving("--token-file", token.toString(), "--read-only")) {
            URI server = uri(process);

            assertThat(got(server, "/v1/namespaces").statusCode()).isEqualTo(401);
            assertThat(
                            got(server, "/v1/namespaces", "Authorization", "Bearer hush-hush")
                                    .statusCode())
                    .isEqualTo(200);
            assertThat(process.out() + process.err()).doesNotContain("hush-hush");
            assertThat(process.out()).contains("to be read");
        }
    }

    @Test
    void anotherCatalogIsServedByItsProperties() throws Exception {
        try (CliProcess process =
                serving("-P", "type=hadoop", "-P", "warehouse=" + folder.resolve("other"))) {
            URI server = uri(process);

            assertThat(got(server, "/v1/namespaces").statusCode()).isIn(200, 404);
            assertThat(got(server, "/v1/config").statusCode()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--host 0.0.0.0 | Cannot listen on 0.0.0.0 without a token",
                "--port 70000 | Cannot listen on port 70000",
                "--port x | Cannot run 'batchweave serve': invalid value for option '--port'",
                "--token-file /does/not/exist | Cannot read /does/not/exist",
                "--token-file /dev/null | Cannot serve with this token",
                "--catalog-impl no.such.Class | Cannot open the catalog that the properties describe",
                "-P type=unheard-of | Cannot open the catalog that the properties describe",
            })
    void whatMakesNoSenseIsRefused(String options, String message) {
        Ran ran =
                cli.run(
                        java.util.stream.Stream.concat(
                                        java.util.stream.Stream.of("serve"),
                                        java.util.stream.Stream.of(options.split(" ")))
                                .toArray(String[]::new));

        assertThat(ran.refused(2).toString()).contains(message);
    }
}
