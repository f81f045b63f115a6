package io.batchweave.sidecar;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import org.apache.arrow.flight.CallHeaders;
import org.apache.arrow.flight.CallInfo;
import org.apache.arrow.flight.CallStatus;
import org.apache.arrow.flight.FlightServerMiddleware;
import org.apache.arrow.flight.RequestContext;

/** Lets only those in who bear the token, in the header {@code authorization: Bearer TOKEN}. */
final class TokenCheck implements FlightServerMiddleware.Factory<TokenCheck.Passed> {
    private final byte[] expected;

    TokenCheck(String token) {
        this.expected = ("Bearer " + token).getBytes(UTF_8);
    }

    @Override
    public Passed onCallStarted(CallInfo call, CallHeaders headers, RequestContext context) {
        String given = headers.get("authorization");
        boolean isRight = given != null && MessageDigest.isEqual(given.getBytes(UTF_8), expected);
        if (!isRight) {
            throw CallStatus.UNAUTHENTICATED
                    .withDescription("Cannot serve a caller without the right token")
                    .toRuntimeException();
        }
        return new Passed();
    }

    /** A call that may go on. */
    static final class Passed implements FlightServerMiddleware {
        @Override
        public void onBeforeSendingHeaders(CallHeaders outgoing) {}

        @Override
        public void onCallCompleted(CallStatus status) {}

        @Override
        public void onCallErrored(Throwable error) {}
    }
}
