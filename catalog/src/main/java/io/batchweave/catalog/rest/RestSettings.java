package io.batchweave.catalog.rest;

import io.batchweave.errors.InvalidRequestException;
import java.util.Optional;

/** Where a server listens, and whom it serves. */
public final class RestSettings {
    /** Bytes of the largest request. */
    public static final int BODY_BYTES_MAX = 16 << 20;

    private static final String LOOPBACK = "127.0.0.1";

    /** What clients may do. */
    public enum Access {
        READ_ONLY,
        READ_AND_WRITE
    }

    private final String host;
    private final int port;
    private final Access access;
    private final Optional<String> token;

    private RestSettings(String host, int port, Access access, Optional<String> token) {
        this.host = host;
        this.port = port;
        this.access = access;
        this.token = token;
    }

    /**
     * For this machine alone, whoever asks.
     *
     * @param port to listen on; 0 for any that is free
     */
    public static RestSettings loopback(int port, Access access) {
        return new RestSettings(LOOPBACK, port, access, Optional.empty());
    }

    /**
     * For who presents a token.
     *
     * @param host name or address of this machine to listen on
     * @param token what clients must send; it is shown nowhere
     */
    public static RestSettings guarded(String host, int port, Access access, String token) {
        if (token.isBlank() || !token.chars().allMatch(c -> c > ' ' && c <= '~')) {
            throw new InvalidRequestException(
                    "Cannot serve with this token: it must be of printable characters without spaces");
        }
        return new RestSettings(host, port, access, Optional.of(token));
    }

    String host() {
        return host;
    }

    int port() {
        return port;
    }

    Access access() {
        return access;
    }

    Optional<String> token() {
        return token;
    }
}
