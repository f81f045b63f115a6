package io.batchweave.sidecar.arena;

/**
 * Shared memory has no room; trainers that go on make some. The text is a reason, and what to do.
 */
final class ArenaFullException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ArenaFullException(String message) {
        super(message);
    }

    ArenaFullException(String message, Throwable cause) {
        super(message, cause);
    }
}
