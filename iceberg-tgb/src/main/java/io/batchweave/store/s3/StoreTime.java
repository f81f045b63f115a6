package io.batchweave.store.s3;

import java.net.ProtocolException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import software.amazon.awssdk.http.SdkHttpResponse;

/** The server's clock, as its answers tell it: to the second. */
final class StoreTime {
    private StoreTime() {}

    /**
     * When an answer was given.
     *
     * @throws ProtocolException if it does not say
     */
    static Instant of(SdkHttpResponse answer) throws ProtocolException {
        String date = answer.firstMatchingHeader("Date").orElse("");
        try {
            return DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from);
        } catch (DateTimeException e) {
            throw new ProtocolException("its answer carries no Date");
        }
    }
}
