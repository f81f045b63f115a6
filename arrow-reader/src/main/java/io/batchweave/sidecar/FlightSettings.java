package io.batchweave.sidecar;

import io.batchweave.errors.InvalidRequestException;
import java.io.File;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/**
 * How remote readers are served.
 *
 * @param port 0: any that is free
 * @param token that callers must bear; it is never shown
 * @param tls certificates and key, or none
 */
public record FlightSettings(String host, int port, Optional<String> token, Optional<Tls> tls) {

    /** A chain of certificates and its key, as PEM files. */
    public record Tls(File certificates, File key) {}

    /**
     * @throws InvalidRequestException if anybody on the network could read everything
     */
    public FlightSettings {
        if (token.isEmpty() && !isLoopback(host)) {
            throw new InvalidRequestException(
                    "Cannot serve Arrow Flight on "
                            + host
                            + " to whoever asks: name a file with a token (--flight-token-file), or serve on"
                            + " 127.0.0.1");
        }
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new InvalidRequestException("Cannot serve on " + host + ": it is unknown", e);
        }
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
