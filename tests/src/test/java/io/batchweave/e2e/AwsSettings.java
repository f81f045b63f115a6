package io.batchweave.e2e;

import java.net.URI;
import java.util.HashMap;
import java.util.Map;

/**
 * Where the AWS SDK finds a server and its credentials until this is closed: as the environment
 * would say, which a test cannot change.
 */
final class AwsSettings implements AutoCloseable {
    private final Map<String, String> before = new HashMap<>();

    private AwsSettings() {}

    static AwsSettings of(URI endpoint, String accessKey, String secretKey) {
        AwsSettings settings = new AwsSettings();
        settings.set("aws.endpointUrlS3", endpoint.toString());
        settings.set("aws.accessKeyId", accessKey);
        settings.set("aws.secretAccessKey", secretKey);
        return settings;
    }

    private void set(String name, String value) {
        before.put(name, System.setProperty(name, value));
    }

    @Override
    public void close() {
        before.forEach(
                (name, value) -> {
                    if (value == null) {
                        System.clearProperty(name);
                    } else {
                        System.setProperty(name, value);
                    }
                });
    }
}
