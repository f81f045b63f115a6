package io.batchweave.sim;

import java.io.PrintWriter;
import java.io.StringWriter;

/** A failure as a text, which passes from one world of classes into another. */
final class Stack {
    private Stack() {}

    static String of(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
