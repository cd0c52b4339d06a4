package jfs.benchmarks;

import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the events in a program's output ({@code jfs.log=all}) say of the measured connection, and all else that they say. */
record SwitchLog(boolean switched, List<String> otherEvents) {
    private static final String EVENT = "jfs: ";
    private static final Pattern SWITCHED_IN = Pattern.compile("(?<!not )\\bswitched in\\b");
    private static final Pattern SUMMARY = Pattern.compile("^jfs: \\d+ connections: (\\d+) fast\\b");
    private static final Pattern SWITCHED = Pattern.compile("(?<!not )\\bswitched\\b");

    /** How many connections to that server have switched the direction to this end; each of them says so once. */
    static long connections(List<String> output, int port) {
        Pattern server = Pattern.compile("\\b" + port + "\\b");
        return output.stream().filter(SWITCHED_IN.asPredicate().and(server.asPredicate())).count();
    }

    /** What the summary at a program's end says of all connections; empty without one. */
    static String summary(List<String> output) {
        return output.stream()
                .filter(SUMMARY.asPredicate())
                .map(line -> line.substring(EVENT.length()))
                .reduce("", (before, last) -> last);
    }

    /** How many connections were fast, as the summary at a program's end tells; 0 without one. */
    static long fast(List<String> output) {
        return output.stream()
                .map(SUMMARY::matcher)
                .filter(Matcher::find)
                .mapToLong(summary -> Long.parseLong(summary.group(1)))
                .sum();
    }

    /** The server's port tells the measured connection from others, such as those by which a program warms itself up. */
    static SwitchLog of(List<String> output, int port) {
        // Not only at a line's beginning: a program may have been in the middle of a line of its own.
        List<String> events = output.stream()
                .filter(line -> line.contains(EVENT))
                .map(line -> line.substring(line.indexOf(EVENT)))
                .toList();
        Predicate<String> switched = SWITCHED.asPredicate().and(Pattern.compile("\\b" + port + "\\b").asPredicate());
        return new SwitchLog(
                events.stream().anyMatch(switched),
                events.stream().filter(switched.negate()).distinct().toList());
    }
}
