package io.batchweave.e2e;

import io.batchweave.s3.S3Access;
import io.batchweave.s3.S3Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The questions of {@code spark-examples}, asked of a stock Trino through the REST endpoint. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TrinoIT {
    private static final String WAREHOUSE = "s3://" + S3Proxy.BUCKET + "/warehouse";

    @TempDir private Path folder;

    @Test
    void answersAsTheLogDoes() {
        try (S3Proxy store = S3Proxy.start(folder);
                AwsSettings unused =
                        AwsSettings.of(
                                store.endpoint(),
                                store.access().accessKey(),
                                store.access().secretKey())) {
            TrainedView view = new TrainedView(WAREHOUSE, folder);
            try (CliProcess server = serve(store.access());
                    Trino trino = Trino.start(folder, catalog(server, store.access()))) {
                view.assertToldBy(trino, "trino");
            }
        }
    }

    private CliProcess serve(S3Access access) {
        List<String> flags = new ArrayList<>(CliProcess.FLAGS);
        flags.add("-Daws.endpointUrlS3=" + access.endpoint());
        flags.add("-Daws.accessKeyId=" + access.accessKey());
        flags.add("-Daws.secretAccessKey=" + access.secretKey());
        return CliProcess.start(
                folder,
                flags,
                "io.batchweave.cli.Main",
                Cli.at(WAREHOUSE, "serve", "--port", "0", "--read-only"));
    }

    private static Map<String, String> catalog(CliProcess server, S3Access access) {
        return Map.of(
                "connector.name", "iceberg",
                "iceberg.catalog.type", "rest",
                "iceberg.rest-catalog.uri", SparkIT.uri(server),
                "fs.native-s3.enabled", "true",
                "s3.endpoint", access.endpoint().toString(),
                "s3.path-style-access", "true",
                "s3.region", "us-east-1",
                "s3.aws-access-key", access.accessKey(),
                "s3.aws-secret-key", access.secretKey());
    }
}
