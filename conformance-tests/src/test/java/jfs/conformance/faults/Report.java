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
import jfs.steps.Step;

/** What was tried how often, and what came out: a table in Markdown, for a human to look at. */
final class Report {

    /**
     * @param survivors how it ended for who was spared
     * @param nanos how long after the fault
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

    /** To a file of that name in target: in each cell how often, in milliseconds the longest, and the outcomes. */
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
