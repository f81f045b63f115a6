package io.batchweave.retain;

import io.batchweave.model.Bytes;
import io.batchweave.model.Layout;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What all ranks must say alike of a checkpoint, as a part of a key. */
record Statement(long nextStep, int worldSize, Bytes receipt) {
    private static final Pattern FORM = Pattern.compile("00(\\d{18})-(\\d{1,7})-([0-9a-f]{64})");

    static Optional<Statement> parse(String key) {
        Matcher parts = FORM.matcher(key);
        return parts.matches()
                ? Optional.of(
                        new Statement(
                                Long.parseLong(parts.group(1)),
                                Integer.parseInt(parts.group(2)),
                                Bytes.fromHex(parts.group(3))))
                : Optional.empty();
    }

    /** For people. */
    String text() {
        return "step %d of %d %s with the receipt %s"
                .formatted(nextStep, worldSize, worldSize == 1 ? "rank" : "ranks", receipt);
    }

    @Override
    public String toString() {
        return Layout.padded(nextStep) + "-" + worldSize + "-" + receipt.toHex();
    }
}
