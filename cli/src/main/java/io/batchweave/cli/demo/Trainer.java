package io.batchweave.cli.demo;

import java.util.ArrayList;
import java.util.List;

/** One rank: its processes, one after the other, and all that they said. */
final class Trainer {
    private final String rank;
    private final Children children;
    private final List<String> arguments;
    private final List<TrainerLine> linesBefore = new ArrayList<>();
    private Child child;
    private int starts;

    /**
     * A rank that has not started.
     *
     * @param rank such as {@code 2/4}
     * @param arguments of {@code read}, without where to start
     */
    Trainer(String rank, Children children, List<String> arguments) {
        this.rank = rank;
        this.children = children;
        this.arguments = List.copyOf(arguments);
    }

    /** Starts at a place such as {@code --from 0} and ends before a step. */
    void start(List<String> place) {
        List<String> command = new ArrayList<>(arguments);
        command.addAll(place);
        starts++;
        child = children.start("trainer-" + rank.replace('/', '-') + "-" + starts, command);
    }

    /** Kills it and keeps what it said. */
    void kill() {
        child.kill();
        linesBefore.addAll(parsed());
    }

    Child child() {
        return child;
    }

    /** What its living process has said. */
    List<TrainerLine> parsed() {
        return child.lines().stream().map(TrainerLine::parse).toList();
    }

    /** What its killed process had said. */
    List<TrainerLine> linesBefore() {
        return linesBefore;
    }

    /** All that any process of it said. */
    List<TrainerLine> lines() {
        List<TrainerLine> all = new ArrayList<>(linesBefore);
        all.addAll(parsed());
        return all;
    }
}
