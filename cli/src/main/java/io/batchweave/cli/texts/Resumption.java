package io.batchweave.cli.texts;

import io.batchweave.cli.inputs.Inputs;
import io.batchweave.errors.InvalidRequestException;

/**
 * Finds a committed position again, or refuses: going on in inputs that are not those that were
 * ingested would lose or repeat text without a sign.
 */
final class Resumption {
    private final Position committed;

    private Resumption(Position committed) {
        this.committed = committed;
    }

    /**
     * Opens the input that holds {@code position}, at its start, when all that lies before it is as
     * it was: names and lengths of the inputs before, and every byte of this one.
     */
    static InputBytes open(Inputs inputs, Position position) {
        Resumption resumption = new Resumption(position);
        inputs.demandFirst(position.finished(), position.describe());
        InputBytes bytes = InputBytes.open(inputs.file(position.finished().inputs()));
        try {
            resumption.checkCurrent(bytes);
            return bytes;
        } catch (RuntimeException e) {
            bytes.close();
            throw e;
        }
    }

    private void checkCurrent(InputBytes bytes) {
        String name = bytes.input().name();
        if (!name.equals(committed.name())) {
            throw refusal("that input is " + name);
        }
        boolean mayGrow = InputKind.of(bytes.input()) == InputKind.JSONL;
        if (bytes.size() < committed.end() || (!mayGrow && bytes.size() != committed.size())) {
            throw refusal(
                    "it was read up to byte "
                            + committed.end()
                            + " of "
                            + committed.size()
                            + " and ends at byte "
                            + bytes.size());
        }
        bytes.takeUntil(committed.start());
        String digest = bytes.digestWith((int) (committed.end() - committed.start())).toHex();
        if (!digest.equals(committed.digest())) {
            throw refusal(
                    "its first "
                            + committed.end()
                            + " bytes have changed from digest "
                            + committed.digest()
                            + " to "
                            + digest);
        }
    }

    private InvalidRequestException refusal(String why) {
        return Inputs.changed(committed.describe(), why);
    }
}
