package io.batchweave.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.batchweave.model.StepRanges;
import java.io.PrintWriter;
import java.nio.channels.WritableByteChannel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints for people, or one JSON object a line for programs. */
final class Output {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(names = "--json", description = "Print one JSON object a line.")
    private boolean json;

    /** Prints one thing, in the form that was asked for. */
    void print(Map<String, ?> object, String text) {
        PrintWriter out = command.commandLine().getOut();
        out.println(json ? toJson(object) : text);
    }

    /** Prints a line for people; programs do not get it. */
    void say(String text) {
        if (!json) {
            command.commandLine().getOut().println(text);
        }
    }

    boolean isJson() {
        return json;
    }

    /** For what is no text. */
    WritableByteChannel bytes() {
        return ((Main) command.root().userObject()).bytes();
    }

    void flush() {
        command.commandLine().getOut().flush();
    }

    /** Whether anybody still reads: false once a pipe is closed. */
    boolean isOpen() {
        return !command.commandLine().getOut().checkError();
    }

    /** A number and what it counts. */
    static String count(long number, String one, String many) {
        return number + " " + (number == 1 ? one : many);
    }

    /** What is said of so many findings, of which there are some. */
    static String wrong(int findings) {
        return count(findings, "thing is wrong", "things are wrong");
    }

    /** Steps as JSON: a first and a last one of each range. */
    static List<Map<String, Object>> ranges(StepRanges steps) {
        return steps.ranges().stream()
                .map(range -> object("first", range.first(), "last", range.last()))
                .toList();
    }

    static String toJson(Map<String, ?> object) {
        try {
            return JSON.writeValueAsString(object);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Maps of plain values are JSON", e);
        }
    }

    /** A JSON object with its fields in the order given: name, value, name, value, ... */
    static Map<String, Object> object(Object... namesAndValues) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            object.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return object;
    }
}
