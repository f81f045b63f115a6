package io.batchweave.store.s3;

import io.batchweave.store.s3.FakeS3.Mishap;
import java.util.Optional;

/** Ways in which a request goes wrong. */
final class Mishaps {
    private Mishaps() {}

    /** The server does nothing and answers so. */
    static Mishap answer(FakeReply reply) {
        return (request, server) -> Optional.of(reply);
    }

    static Mishap error(int status, String code) {
        return answer(FakeReply.error(status, code));
    }

    /** The request never arrives. */
    static Mishap requestLost() {
        return (request, server) -> Optional.empty();
    }

    /** The server does what it was asked for, and its answer never arrives. */
    static Mishap answerLost() {
        return (request, server) -> {
            server.answer(request);
            return Optional.empty();
        };
    }

    /** The server does what it was asked for, and something else is heard of it. */
    static Mishap doneBut(FakeReply reply) {
        return (request, server) -> {
            server.answer(request);
            return Optional.of(reply);
        };
    }

    /** The last bytes of the answer never arrive. */
    static Mishap cut(int bytes) {
        return (request, server) -> Optional.of(server.answer(request).cut(bytes));
    }
}
