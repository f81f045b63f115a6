package io.batchweave.sidecar;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.testing.Numbers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.flight.FlightCallHeaders;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStatusCode;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.HeaderCallOption;
import org.apache.arrow.flight.Location;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a stock Flight client is given. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FlightTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir private Path folder;
    private final BufferAllocator allocator = new RootAllocator();
    private ServedNumbers served;
    private FlightClient client;

    @BeforeEach
    void serve() {
        served = new ServedNumbers(folder, 1 << 20).publish(6).seal();
        int port = served.sidecar().flightPort().orElseThrow();
        client =
                FlightClient.builder(allocator, Location.forGrpcInsecure("127.0.0.1", port))
                        .build();
    }

    @AfterEach
    void everythingIsFreed() throws InterruptedException {
        client.close();
        served.close();
        allocator.close();
    }

    private static HeaderCallOption bearing(String token) {
        FlightCallHeaders headers = new FlightCallHeaders();
        headers.insert("authorization", "Bearer " + token);
        return new HeaderCallOption(headers);
    }

    private byte[] command(String more) {
        return JSON.createObjectNode()
                .put("warehouse", served.warehouse().toString())
                .put("dataset", "train.numbers")
                .toString()
                .replace("}", more.replace('\'', '"') + "}")
                .getBytes(UTF_8);
    }

    /** Step and slice of every batch, after each was looked at. */
    private List<String> read(String more) throws Exception {
        List<String> seen = new ArrayList<>();
        try (FlightStream stream =
                client.getStream(new Ticket(command(more)), bearing(ServedSettings.TOKEN))) {
            while (stream.next()) {
                byte[] json = new byte[(int) stream.getLatestMetadata().readableBytes()];
                stream.getLatestMetadata().getBytes(0, json);
                JsonNode about = JSON.readTree(json);
                long step = about.get("step").longValue();
                int slice = about.get("index").intValue();
                assertThat(about.get("cursor").textValue()).contains(":" + (step + 1) + ":");
                assertThat(Numbers.areThoseOf(stream.getRoot(), step, slice)).isTrue();
                seen.add(step + "/" + slice);
            }
        }
        return seen;
    }

    @Test
    void aStreamIsTheStepsOfOnePlaceUntilTheEnd() throws Exception {
        assertThat(read(",'mesh':'dp=1/6','from':2"))
                .containsExactly("2/2", "2/3", "3/2", "3/3", "4/2", "4/3", "5/2", "5/3");
        assertThat(read("")).hasSize(6 * 12);
    }

    /** More than the transport takes at once, to a reader that takes its time. */
    @Test
    void aSlowReaderIsGivenEverythingToo() throws Exception {
        served.close();
        served = new ServedNumbers(folder.resolve("long"), 1 << 20).publish(200).seal();
        client.close();
        client =
                FlightClient.builder(
                                allocator,
                                Location.forGrpcInsecure(
                                        "127.0.0.1", served.sidecar().flightPort().orElseThrow()))
                        .build();
        assertThat(read("")).hasSize(200 * 12);
    }

    @Test
    void theSchemaOfAStreamIsTold() {
        assertThat(
                        client.getInfo(
                                        FlightDescriptor.command(command("")),
                                        bearing(ServedSettings.TOKEN))
                                .getSchemaOptional())
                .hasValue(Numbers.SCHEMA.arrow());
    }

    @Test
    void whoBearsNoTokenIsToldNothing() {
        for (String token : List.of("", "wrong", ServedSettings.TOKEN + "x")) {
            try (FlightStream stream = client.getStream(new Ticket(command("")), bearing(token))) {
                assertThatExceptionOfType(FlightRuntimeException.class)
                        .isThrownBy(stream::next)
                        .matches(e -> e.status().code() == FlightStatusCode.UNAUTHENTICATED)
                        .withMessageNotContaining(ServedSettings.TOKEN);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    void badRequestsSayWhatIsWrong() {
        assertThatExceptionOfType(FlightRuntimeException.class)
                .isThrownBy(() -> read(",'mesh':'dp=0/5'"))
                .matches(e -> e.status().code() == FlightStatusCode.INVALID_ARGUMENT)
                .withMessageContaining("legal sizes are");
        assertThatExceptionOfType(FlightRuntimeException.class)
                .isThrownBy(() -> read(",'from':99"))
                .withMessageContaining("sealed after 6 steps");
    }

    @Test
    void otherMachinesAreNotServedWithoutAToken() {
        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(
                        () -> new FlightSettings("0.0.0.0", 0, Optional.empty(), Optional.empty()))
                .withMessageContaining("--flight-token-file");
    }
}
