package io.batchweave.sidecar;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.store.Requests;
import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What Prometheus is told, at the moment it asks. The names of readers end with their connection,
 * as several ranks may stand at one place.
 */
final class Metrics implements MultiCollector, AutoCloseable {
    private static final double NANOS = 1e9;

    private final Node node;
    private final HTTPServer server;

    private Metrics(Node node, int port) throws IOException {
        this.node = node;
        PrometheusRegistry registry = new PrometheusRegistry();
        registry.register(this);
        this.server =
                HTTPServer.builder()
                        .inetAddress(InetAddress.getLoopbackAddress())
                        .port(port)
                        .registry(registry)
                        .buildAndStart();
    }

    /**
     * Serves {@code /metrics} on this machine.
     *
     * @throws InvalidRequestException if the port is taken, or is none
     */
    static Metrics serve(Node node, int port) {
        try {
            return new Metrics(node, port);
        } catch (IOException | IllegalArgumentException e) {
            throw new InvalidRequestException(
                    "Cannot serve metrics on port " + port + ": " + e.getMessage(), e);
        }
    }

    int port() {
        return server.getPort();
    }

    @Override
    public MetricSnapshots collect() {
        List<Reader> readers = node.readers().all();
        return MetricSnapshots.builder()
                .metricSnapshot(
                        gauge(
                                "batchweave_reader_next_step",
                                "The step that the reader is given next",
                                of(readers, Reader::nextStep)))
                .metricSnapshot(
                        gauge(
                                "batchweave_reader_steps_ahead",
                                "Steps to have fetched ahead, at the pace of the trainer",
                                of(readers, reader -> reader.pace().steps())))
                .metricSnapshot(
                        gauge(
                                "batchweave_reader_fetch_seconds",
                                "What it takes to fetch a step, averaged over the latest",
                                of(readers, reader -> reader.pace().fetchNanos() / NANOS)))
                .metricSnapshot(
                        counter(
                                "batchweave_reader_steps",
                                "Steps that were given",
                                of(readers, reader -> reader.waits().steps())))
                .metricSnapshot(
                        counter(
                                "batchweave_reader_bytes",
                                "Bytes of the slices that were given",
                                of(readers, reader -> reader.waits().bytes())))
                .metricSnapshot(
                        counter(
                                "batchweave_reader_wait_seconds",
                                "What the trainer waited for its steps",
                                of(readers, reader -> reader.waits().waited().toNanos() / NANOS)))
                .metricSnapshot(
                        gauge(
                                "batchweave_arena_bytes",
                                "Bytes of the files in shared memory",
                                List.of(new Point(Labels.EMPTY, node.slices().arena().bytes()))))
                .metricSnapshot(
                        counter(
                                "batchweave_store_requests",
                                "Requests to the warehouse",
                                ofStores(Requests::total)))
                .metricSnapshot(
                        counter(
                                "batchweave_store_read_bytes",
                                "Bytes that were read from the warehouse",
                                ofStores(Requests::bytesDown)))
                .build();
    }

    /** What is measured of one thing, and of which. */
    private record Point(Labels labels, double value) {}

    private static GaugeSnapshot gauge(String name, String help, List<Point> points) {
        GaugeSnapshot.Builder all = GaugeSnapshot.builder().name(name).help(help);
        points.forEach(
                point ->
                        all.dataPoint(
                                GaugeSnapshot.GaugeDataPointSnapshot.builder()
                                        .labels(point.labels())
                                        .value(point.value())
                                        .build()));
        return all.build();
    }

    private static CounterSnapshot counter(String name, String help, List<Point> points) {
        CounterSnapshot.Builder all = CounterSnapshot.builder().name(name).help(help);
        points.forEach(
                point ->
                        all.dataPoint(
                                CounterSnapshot.CounterDataPointSnapshot.builder()
                                        .labels(point.labels())
                                        .value(point.value())
                                        .build()));
        return all.build();
    }

    private static List<Point> of(List<Reader> readers, ToDoubleFunction<Reader> value) {
        return readers.stream()
                .map(reader -> new Point(labels(reader), value.applyAsDouble(reader)))
                .toList();
    }

    private static Labels labels(Reader reader) {
        return Labels.of(
                "dataset", reader.ask().dataset(),
                "job", reader.job(),
                "mesh", reader.place().text(),
                "reader", Long.toString(reader.number()));
    }

    private List<Point> ofStores(ToDoubleFunction<Requests> value) {
        return node.datasets().all().stream()
                .map(
                        dataset ->
                                new Point(
                                        labels(dataset),
                                        value.applyAsDouble(dataset.store().requests())))
                .toList();
    }

    private static Labels labels(OpenDataset dataset) {
        return Labels.of(
                "dataset", dataset.log().layout().dataset().toString(),
                "warehouse", dataset.store().uri());
    }

    @Override
    public void close() {
        server.close();
    }
}
