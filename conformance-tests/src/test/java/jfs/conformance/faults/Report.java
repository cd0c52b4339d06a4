package jfs.conformance.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import jfs.conformance.harness.faults.Ending;
import jfs.conformance.harness.faults.Fault;
import jfs.steps.Step;

/** The cells that were tested and their outcomes: a table in Markdown for people to read. */
final class Report {

    /**
     * @param survivors how the conversation ended for the process that was spared
     * @param nanos how long after the fault it ended
     */
    record Outcome(Ending survivors, long nanos) {

        private String text() {
            return survivors.isWhole() ? "whole" : survivors.read().replaceAll(".*: ", "");
        }
    }

    private final Map<Step, Map<Fault, List<Outcome>>> outcomes = new EnumMap<>(Step.class);

    void add(Cell cell, Outcome outcome) {
        outcomes.computeIfAbsent(cell.step(), step -> new EnumMap<>(Fault.class))
                .computeIfAbsent(cell.fault(), fault -> new ArrayList<>()).add(outcome);
    }

    /**
     * Writes a file of that name in the folder target. A cell has the number of runs, the longest in milliseconds, and the
     * outcomes.
     */
    void write(String name) throws IOException {
        StringBuilder text = new StringBuilder("| step |");
        for (Fault fault : Fault.values()) {
            text.append(' ').append(fault).append(" |");
        }
        text.append("\n| --- |").append(" --- |".repeat(Fault.values().length));
        outcomes.forEach((step, faults) -> {
            text.append("\n| ").append(step).append(" |");
            for (Fault fault : Fault.values()) {
                text.append(' ').append(cell(faults.getOrDefault(fault, List.of()))).append(" |");
            }
        });
        Files.createDirectories(Path.of("target"));
        Files.writeString(Path.of("target", name + ".md"), text.append('\n').toString());
    }

    private static String cell(List<Outcome> tried) {
        if (tried.isEmpty()) {
            return "";
        }
        Map<String, Long> counts = tried.stream()
                .collect(Collectors.groupingBy(Outcome::text, TreeMap::new, Collectors.counting()));
        long longest = tried.stream().mapToLong(Outcome::nanos).max().getAsLong() / 1_000_000;
        return counts.entrySet().stream().map(count -> count.getKey() + " " + count.getValue())
                .collect(Collectors.joining(", ")) + "; " + longest + " ms";
    }
}
