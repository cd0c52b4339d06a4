package jfs.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.ToIntFunction;

/** How many runs passed, failed and were skipped, and the reasons of the skipped ones. */
record Tally(Map<Outcome, Integer> counts, TreeSet<String> reasons) {

    private static final String NOT_RUN = "not run";

    static Tally of(Collection<TestRun> results) {
        Tally tally = new Tally(new EnumMap<>(Outcome.class), new TreeSet<>());
        for (TestRun result : results) {
            tally.counts.merge(result.outcome(), 1, Integer::sum);
            if (result.outcome() == Outcome.SKIPPED && !result.reason().isEmpty()) {
                tally.reasons.add(result.reason());
            }
        }
        return tally;
    }

    private int of(Outcome state) {
        return counts.getOrDefault(state, 0);
    }

    /**
     * The text of a cell: a sign for each outcome, with its number if there was more than one run.
     *
     * @param notes gives the number of the note with that text
     */
    String signs(ToIntFunction<String> notes) {
        if (counts.isEmpty()) {
            return NOT_RUN;
        }
        List<String> signs = new ArrayList<>();
        sign(signs, "✗", Outcome.FAILED);
        sign(signs, "✓", Outcome.PASSED);
        sign(signs, "↻", Outcome.UNSTEADY);
        sign(signs, "–", Outcome.SKIPPED);
        StringBuilder all = new StringBuilder(String.join(", ", signs));
        reasons.forEach(reason -> all.append(" <sup>").append(notes.applyAsInt(reason)).append("</sup>"));
        return all.toString();
    }

    private void sign(List<String> signs, String sign, Outcome state) {
        int runs = counts.values().stream().mapToInt(Integer::intValue).sum();
        if (of(state) > 0) {
            signs.add(runs == 1 ? sign : sign + " " + of(state));
        }
    }

    /** The text for the totals. */
    String words() {
        if (counts.isEmpty()) {
            return NOT_RUN;
        }
        StringBuilder words = new StringBuilder(of(Outcome.PASSED) + of(Outcome.UNSTEADY) + " passed");
        if (of(Outcome.UNSTEADY) > 0) {
            words.append(" (").append(of(Outcome.UNSTEADY)).append(" unsteady)");
        }
        for (Outcome state : List.of(Outcome.SKIPPED, Outcome.FAILED)) {
            if (of(state) > 0) {
                words.append(", ").append(of(state)).append(' ').append(state.name().toLowerCase(Locale.ROOT));
            }
        }
        return words.toString();
    }
}
