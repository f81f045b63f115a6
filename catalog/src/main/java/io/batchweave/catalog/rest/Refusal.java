package io.batchweave.catalog.rest;

/** A request that is not handed on. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String type;

    Refusal(int status, String type, String message) {
        super(message);
        this.status = status;
        this.type = type;
    }

    static Refusal badRequest(String message) {
        return new Refusal(400, "BadRequestException", message);
    }

    int status() {
        return status;
    }

    String type() {
        return type;
    }
}
