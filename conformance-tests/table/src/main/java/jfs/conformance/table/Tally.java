package jfs.conformance.table;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import jfs.conformance.table.Result.State;

/** How often something passed, failed and was skipped, and the reasons of the latter. */
record Tally(Map<State, Integer> counts, TreeSet<String> reasons) {

    static Tally of(Collection<Result> results) {
        Tally tally = new Tally(new EnumMap<>(State.class), new TreeSet<>());
        for (Result result : results) {
            tally.counts.merge(result.state(), 1, Integer::sum);
            if (result.state() == State.SKIPPED && !result.reason().isEmpty()) {
                tally.reasons.add(result.reason());
            }
        }
        return tally;
    }

    private int of(State state) {
        return counts.getOrDefault(state, 0);
    }

    /**
     * For a cell: a sign for each outcome, with its number if there was more than one run.
     *
     * @param notes gives the number of the note with that text
     */
    String signs(ToIntFunction<String> notes) {
        if (counts.isEmpty()) {
            return "not run";
        }
        List<String> signs = new ArrayList<>();
        sign(signs, "✗", State.FAILED);
        sign(signs, "✓", State.PASSED);
        sign(signs, "–", State.SKIPPED);
        StringBuilder all = new StringBuilder(String.join(", ", signs));
        reasons.forEach(reason -> all.append(" <sup>").append(notes.applyAsInt(reason)).append("</sup>"));
        return all.toString();
    }

    private void sign(List<String> signs, String sign, State state) {
        int runs = counts.values().stream().mapToInt(Integer::intValue).sum();
        if (of(state) > 0) {
            signs.add(runs == 1 ? sign : sign + " " + of(state));
        }
    }

    /** For the totals. */
    String words() {
        StringBuilder words = new StringBuilder(of(State.PASSED) + " passed");
        for (State state : List.of(State.SKIPPED, State.FAILED)) {
            if (of(state) > 0) {
                words.append(", ").append(of(state)).append(' ').append(state.name().toLowerCase(Locale.ROOT));
            }
        }
        return words.toString();
    }
}
