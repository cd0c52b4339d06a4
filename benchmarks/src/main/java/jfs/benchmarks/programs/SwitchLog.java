package jfs.benchmarks.programs;

import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** JFS's events in a program's output ({@code jfs.log=all}): whether the measured connection was switched, and all other events. */
public record SwitchLog(boolean switched, List<String> otherEvents) {
    private static final String EVENT = "jfs: ";
    private static final String NO_CHANNELS = EVENT + "no fast path for channels ";
    private static final Pattern SWITCHED_IN = Pattern.compile("(?<!not )\\bswitched in\\b");
    private static final Pattern SUMMARY = Pattern.compile("^jfs: \\d+ connections: (\\d+) fast\\b");
    private static final Pattern SWITCHED = Pattern.compile("(?<!not )\\bswitched\\b");

    /** How many connections to that server have switched the direction to this end. JFS logs this once for each of them. */
    public static long connections(List<String> output, int port) {
        Pattern server = Pattern.compile("\\b" + port + "\\b");
        return output.stream().filter(SWITCHED_IN.asPredicate().and(server.asPredicate())).count();
    }

    /** JFS's summary of all connections at the program's end; empty if there is none. */
    public static String summary(List<String> output) {
        return output.stream()
                .filter(SUMMARY.asPredicate())
                .map(line -> line.substring(EVENT.length()))
                .reduce("", (before, last) -> last);
    }

    /** Why JFS's provider of channels is not installed in that process; empty if it is, or if nothing asked for it. */
    public static String withoutChannels(List<String> output) {
        return output.stream()
                .filter(line -> line.startsWith(NO_CHANNELS))
                .map(line -> line.substring(EVENT.length()))
                .findFirst().orElse("");
    }

    /** How many connections were fast, according to the summary at the program's end; 0 if there is none. */
    public static long fast(List<String> output) {
        return output.stream()
                .map(SUMMARY::matcher)
                .filter(Matcher::find)
                .mapToLong(summary -> Long.parseLong(summary.group(1)))
                .sum();
    }

    /** The server's port distinguishes the measured connection from others, such as those that a program uses for its warm-up. */
    public static SwitchLog of(List<String> output, int port) {
        // An event need not be at the beginning of a line: the program may have written a part of a line of its own before.
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
