package jfs.benchmarks.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import jfs.benchmarks.statistics.Goal;

/** Writes results.json, with every round, and results.csv, with the medians. */
public final class Results {
    private Results() {}

    public static void write(Path folder, List<Comparison.Round> rounds, Comparison comparison, List<Goal> goals, long switchedRounds)
            throws IOException {
        Files.writeString(folder.resolve("results.csv"), csv(comparison));
        Files.writeString(folder.resolve("results.json"), json(rounds, comparison, goals, switchedRounds));
    }

    static String csv(Comparison comparison) {
        StringBuilder text = new StringBuilder("bytes,jdk_seconds,jfs_seconds,ratio,jdk_MBps,jfs_MBps,floor_seconds\n");
        for (Comparison.Row row : comparison.rows()) {
            text.append(String.format(
                    Locale.ROOT,
                    "%d,%s,%s,%s,%s,%s,%s%n",
                    row.bytes(), row.jdk(), row.jfs(), row.gain(), row.jdkMegabytes(), row.jfsMegabytes(),
                    Double.isNaN(row.floor()) ? "" : row.floor()));
        }
        return text.toString();
    }

    static String json(List<Comparison.Round> rounds, Comparison comparison, List<Goal> goals, long switchedRounds) {
        return "{\n"
                + "  \"time\": " + string(Instant.now().truncatedTo(ChronoUnit.SECONDS).toString()) + ",\n"
                + "  \"machine\": {\"os\": " + string(System.getProperty("os.name") + " " + System.getProperty("os.version"))
                + ", \"arch\": " + string(System.getProperty("os.arch"))
                + ", \"processors\": " + Runtime.getRuntime().availableProcessors() + "},\n"
                + "  \"rounds_switched\": " + switchedRounds + ",\n"
                + "  \"rounds\": [\n" + lines(rounds.stream().map(Results::round).toList()) + "  ],\n"
                + "  \"medians\": [\n" + lines(comparison.rows().stream().map(Results::row).toList()) + "  ],\n"
                + "  \"goals\": [\n" + lines(goals.stream().map(Results::goal).toList()) + "  ]\n"
                + "}\n";
    }

    private static String lines(List<String> objects) {
        return objects.isEmpty() ? "" : objects.stream().collect(Collectors.joining(",\n    ", "    ", "\n"));
    }

    private static String round(Comparison.Round round) {
        return String.format(
                "{\"jdk_seconds\": %s, \"jfs_seconds\": %s, \"floor_seconds\": %s}",
                bySize(round.jdk()), bySize(round.jfs()), bySize(round.floor()));
    }

    private static String bySize(Map<Integer, Double> seconds) {
        return new TreeMap<>(seconds).entrySet().stream()
                .map(entry -> "\"" + entry.getKey() + "\": " + entry.getValue())
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private static String row(Comparison.Row row) {
        return String.format(
                "{\"bytes\": %d, \"jdk_seconds\": %s, \"jfs_seconds\": %s, \"floor_seconds\": %s,"
                        + " \"ratio\": %s, \"jfs_to_floor\": %s}",
                row.bytes(), row.jdk(), row.jfs(), number(row.floor()), row.gain(), number(row.toFloor()));
    }

    private static String goal(Goal goal) {
        return String.format(
                "{\"what\": %s, \"measured\": %s, \"goal\": %s, \"met\": %s}",
                string(goal.what()), number(goal.measured()), string(goal.bound()), goal.met());
    }

    /** JSON has no NaN. */
    private static String number(double value) {
        return Double.isNaN(value) ? "null" : Double.toString(value);
    }

    private static String string(String value) {
        StringBuilder text = new StringBuilder("\"");
        for (char c : value.toCharArray()) {
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ') {
                text.append(String.format("\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        return text.append('"').toString();
    }
}
