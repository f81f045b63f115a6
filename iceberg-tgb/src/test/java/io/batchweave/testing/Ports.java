package io.batchweave.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** The TCP ports of this machine's loopback address. */
public final class Ports {
    private Ports() {}

    /** One at which nobody listens by now, for a server that cannot choose one and say which. */
    public static int free() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }
}
