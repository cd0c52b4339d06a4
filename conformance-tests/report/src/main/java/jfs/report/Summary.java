package jfs.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The lines that are printed after all tests: where the time went, and which tests were skipped, were unsteady or failed. */
final class Summary {

    private static final int LONGEST = 15;

    private final SortedMap<String, List<TestRun>> runs;

    /** @param runs by the number of the JDK */
    Summary(SortedMap<String, List<TestRun>> runs) {
        this.runs = runs;
    }

    /** Seconds that tests took, of each module, and of the classes that took longest. */
    List<String> times() {
        List<String> lines = new ArrayList<>();
        lines.add("Seconds by module (tests run side by side, so the sum is more than the time that passed):");
        lines.addAll(times(run -> run.module().isEmpty() ? "." : run.module(), Integer.MAX_VALUE));
        lines.add("The " + LONGEST + " classes and C tests that took longest:");
        lines.addAll(times(run -> run.name().isInJava() ? run.type() : run.name().text(), LONGEST));
        return lines;
    }

    private List<String> times(Function<TestRun, String> group, int most) {
        Map<String, Double> all = seconds(all(), group);
        return all.entrySet().stream().filter(entry -> entry.getValue() >= 1)
                .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(most)
                .map(entry -> String.format(Locale.ROOT, "%6.0f  %s (%s)", entry.getValue(), entry.getKey(),
                        ofEachJdk(group, entry.getKey())))
                .toList();
    }

    private String ofEachJdk(Function<TestRun, String> group, String name) {
        return runs.entrySet().stream()
                .map(jdk -> String.format(Locale.ROOT, "JDK %s: %.0f", jdk.getKey(),
                        seconds(jdk.getValue().stream(), group).getOrDefault(name, 0.0)))
                .collect(Collectors.joining(", "));
    }

    private static Map<String, Double> seconds(Stream<TestRun> runs, Function<TestRun, String> group) {
        return runs.collect(Collectors.groupingBy(group, Collectors.summingDouble(TestRun::seconds)));
    }

    private Stream<TestRun> all() {
        return runs.values().stream().flatMap(Collection::stream);
    }

    /**
     * One line for the skipped tests of a class with subjects, or for the skipped runs of a test without subjects, that
     * have the same reason.
     */
    List<String> skipped() {
        List<String> lines = new ArrayList<>();
        runs.forEach((jdk, ofJdk) -> {
            Map<String, List<TestRun>> groups = ofJdk.stream().filter(run -> run.outcome() == Outcome.SKIPPED).collect(
                    Collectors.groupingBy(run -> beforeBracket(run.name().text()) + "\n" + run.reason(), LinkedHashMap::new,
                            Collectors.toList()));
            groups.values().forEach(group -> {
                TestRun first = group.get(0);
                String name = first.name().text();
                String which = group.size() == 1 ? name : beforeBracket(name) + ", " + group.size() + " tests";
                lines.add("SKIPPED on JDK " + jdk + ": " + which + because(first));
            });
        });
        return lines;
    }

    private static String beforeBracket(String name) {
        int bracket = name.indexOf('(');
        return bracket < 0 ? name : name.substring(0, bracket);
    }

    /** One line for each place in the tests that does something less often than with {@code --all}. */
    List<String> reduced() {
        return all().flatMap(run -> run.reduced().stream()).distinct().sorted()
                .map(line -> "FEWER than with --all: " + line).toList();
    }

    List<String> unsteady() {
        return lines(Outcome.UNSTEADY, "UNSTEADY", ": failed, and passed when run again");
    }

    List<String> failed() {
        return lines(Outcome.FAILED, "FAILED", "");
    }

    private List<String> lines(Outcome outcome, String word, String what) {
        List<String> lines = new ArrayList<>();
        runs.forEach((jdk, ofJdk) -> ofJdk.stream().filter(run -> run.outcome() == outcome)
                .forEach(run -> lines.add(word + " on JDK " + jdk + ": " + run.name().text() + what + because(run))));
        return lines;
    }

    private static String because(TestRun run) {
        return run.reason().isEmpty() ? "" : ": " + run.reason();
    }

    private long count(Outcome outcome) {
        return all().filter(run -> run.outcome() == outcome).count();
    }

    boolean hasFailed() {
        return count(Outcome.FAILED) > 0;
    }

    String totals() {
        long unsteady = count(Outcome.UNSTEADY);
        return (count(Outcome.PASSED) + unsteady) + " passed" + (unsteady == 0 ? "" : " (" + unsteady + " unsteady)") + ", "
                + count(Outcome.FAILED) + " failed, " + count(Outcome.SKIPPED) + " skipped";
    }
}
