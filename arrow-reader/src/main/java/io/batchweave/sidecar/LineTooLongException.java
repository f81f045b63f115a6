package io.batchweave.sidecar;

import java.net.ProtocolException;

/** A line has no end where it must have one: nobody knows where the next one begins. */
final class LineTooLongException extends ProtocolException {
    private static final long serialVersionUID = 1L;

    LineTooLongException(int bytesMax) {
        super("a line is longer than " + bytesMax + " bytes");
    }
}
