package io.batchweave.cli.rows;

import io.batchweave.cli.files.Location;
import io.batchweave.cli.files.Locations;
import io.batchweave.cli.inputs.Fingerprint;
import io.batchweave.cli.inputs.Input;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Finds the inputs that sources were, which are known by their content. */
final class OriginalInputs {
    private final Locations locations;
    private final List<Input> elsewhere = new ArrayList<>();

    OriginalInputs(Locations locations) {
        this.locations = locations;
    }

    /** Says that an input may lie at this path or URI now. */
    void lookAt(String moved) {
        Input input = input(moved);
        if (!input.location().isFile()) {
            throw new InvalidRequestException(
                    "Cannot read "
                            + input
                            + ": "
                            + absence(input)
                            + "; name the file that an input is now with --input");
        }
        elsewhere.add(input);
    }

    /**
     * The input, which has grown at most.
     *
     * @throws InvalidRequestException if it is neither where it was nor where it may be now
     */
    Input of(Source source) {
        if (source.digest().length() == 0) {
            throw refusal(source, "its producer did not tell its digest");
        }
        for (Input input : elsewhere) {
            if (digest(input, source).equals(source.digest().toHex())) {
                return input;
            }
        }
        Input input = input(source.input());
        if (!input.location().isFile()) {
            throw refusal(source, absence(input));
        }
        String now = digest(input, source);
        if (!now.equals(source.digest().toHex())) {
            throw refusal(source, "they have digest " + now);
        }
        return input;
    }

    private InvalidRequestException refusal(Source source, String why) {
        String tried =
                elsewhere.stream()
                        .map(each -> ", " + each + " has digest " + digest(each, source))
                        .collect(Collectors.joining());
        return new InvalidRequestException(
                "Cannot read the rows of %s again: its first %d bytes had digest %s, and %s%s; name the file that it is now with --input"
                        .formatted(
                                source.input(),
                                source.length(),
                                source.digest().toHex(),
                                why,
                                tried));
    }

    private static String absence(Input input) {
        return input.location().exists() ? "it is no regular file" : "there is no such file";
    }

    private static String digest(Input input, Source source) {
        return Fingerprint.of(input, source.length()).digest();
    }

    private Input input(String text) {
        Location location = locations.at(text);
        return new Input(location, location.name());
    }
}
