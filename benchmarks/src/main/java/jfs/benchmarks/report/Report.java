package jfs.benchmarks.report;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import jfs.benchmarks.output.Table;
import jfs.benchmarks.statistics.Goal;

/** What a command has measured. The text and the page are both made of this. */
public final class Report {
    /** A piece of a report: one of the components, the others are null. */
    record Part(Table table, String line, Goal goal) {}

    private final String name;
    private final String sentence;
    private final String samples;
    private final List<Part> parts = new ArrayList<>();
    private final List<Plot> plots = new ArrayList<>();

    /**
     * @param name the name of the measurement, which the file of the page has too
     * @param sentence what was measured
     * @param samples how often, as in "11 forks"
     */
    public Report(String name, String sentence, String samples) {
        this.name = name;
        this.sentence = sentence;
        this.samples = samples;
    }

    public void table(Table table) {
        parts.add(new Part(table, null, null));
    }

    /** Adds a line of text; an empty one is a gap in the text and is not on the page. */
    public void line(String line) {
        parts.add(new Part(null, line, null));
    }

    public void goals(List<Goal> goals) {
        goals.forEach(goal -> parts.add(new Part(null, null, goal)));
    }

    /** Adds a plot. Only the page has it. */
    public void plot(Plot plot) {
        plots.add(plot);
    }

    String name() {
        return name;
    }

    String sentence() {
        return sentence;
    }

    String samples() {
        return samples;
    }

    List<Part> parts() {
        return parts;
    }

    List<Plot> plots() {
        return plots;
    }

    void print(PrintWriter out) {
        out.println();
        for (Part part : parts) {
            if (part.table != null) {
                out.print(part.table);
            } else {
                out.println(part.goal != null ? part.goal.toString() : part.line);
            }
        }
        out.flush();
    }
}
