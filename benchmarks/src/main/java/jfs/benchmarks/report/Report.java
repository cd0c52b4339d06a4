package jfs.benchmarks.report;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import jfs.benchmarks.output.Table;
import jfs.benchmarks.statistics.Goal;
import jfs.benchmarks.statistics.Statistics;

/** What a command has measured, piece by piece. The text and the page are both made of this, and both have the pieces in this order. */
public final class Report {
    /** A piece of a report: one of the components, the others are null. */
    record Part(String heading, Plot plot, Table table, String line, Goal goal) {}

    private final String name;
    private final String title;
    private final String sentence;
    private final String samples;
    private final List<String> findings = new ArrayList<>();
    private final List<Part> parts = new ArrayList<>();
    private int printed;

    /**
     * @param name the name of the measurement, which the file of the page has too
     * @param title what is compared
     * @param sentence what was measured
     * @param samples how often, as in "11 forks"
     */
    public Report(String name, String title, String sentence, String samples) {
        this.name = name;
        this.title = title;
        this.sentence = sentence;
        this.samples = samples;
    }

    /** "1 fork" or "11 forks". */
    public static String forks(int forks) {
        return forks == 1 ? "1 fork" : forks + " forks";
    }

    /** A sentence about times that many times as long as JFS's. */
    public static String faster(Statistics.Estimate gain) {
        return gain.median() >= 1 ? "JFS is " + gain + " times faster." : "JFS is slower: it takes " + gain.inverse() + " times as long.";
    }

    /** Adds a sentence that stands at the top of the page: what was found. Only the page has it. */
    public void finding(String found) {
        findings.add(found);
    }

    /** Adds a heading for what follows. Only the page has it. */
    public void heading(String heading) {
        parts.add(new Part(heading, null, null, null, null));
    }

    /** Adds a plot. Only the page has it. A plot without any figure is left out. */
    public void plot(Plot plot) {
        if (!plot.isEmpty()) {
            parts.add(new Part(null, plot, null, null, null));
        }
    }

    public void table(Table table) {
        parts.add(new Part(null, null, table, null, null));
    }

    /** Adds a paragraph of one or more lines. An empty one is a gap in the text and is not on the page. */
    public void line(String line) {
        parts.add(new Part(null, null, null, line, null));
    }

    /** Adds a paragraph for each line of the text. */
    public void lines(String text) {
        text.lines().forEach(this::line);
    }

    /** Adds goals. The page has all goals in a table of their own. */
    public void goals(List<Goal> goals) {
        goals.forEach(goal -> parts.add(new Part(null, null, null, null, goal)));
    }

    /** Whether nothing was added. */
    public boolean isEmpty() {
        return parts.isEmpty();
    }

    String name() {
        return name;
    }

    String title() {
        return title;
    }

    String sentence() {
        return sentence;
    }

    String samples() {
        return samples;
    }

    List<String> findings() {
        return findings;
    }

    List<Part> parts() {
        return parts;
    }

    /** Prints the pieces that were not printed before. */
    void print(PrintWriter out) {
        if (printed < parts.size()) {
            out.println();
        }
        for (; printed < parts.size(); printed++) {
            Part part = parts.get(printed);
            if (part.table != null) {
                out.print(part.table);
            } else if (part.goal != null) {
                out.println(part.goal);
            } else if (part.line != null) {
                out.println(part.line);
            }
        }
        out.flush();
    }
}
