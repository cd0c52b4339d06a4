package jfs.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tests that ran, as Markdown: totals, then a table for each class of tests. The same results give the same text. */
final class Table {

    /** The subjects in the order of their columns. Other subjects come after them. */
    private static final List<String> SUBJECTS = List.of("jdk", "tcp", "sci", "mx", "nio", "nio_sci");

    /** Classes that are shown under one heading. */
    private record Part(String title, String about, Predicate<TestRun> has) {

        static Part ofPackage(String title, String about, String name) {
            return new Part(title, about,
                    result -> result.subject().isEmpty() && result.type().startsWith(name + "."));
        }
    }

    private static final List<Part> PARTS = List.of(
            new Part("Sockets", "Both ends in one JVM. A column for each subject; the number is that of the runs, most "
                    + "often one for each start of the connection.", result -> !result.subject().isEmpty()),
            Part.ofPackage("Channels", "Channels and selectors of JFS's provider (`jfs.nio`), each compared with the JDK's in one JVM.",
                    "jfs.conformance.nio"),
            Part.ofPackage("Programs", "Whole programs that know nothing of JFS, each in JVMs of its own: on the JDK's "
                    + "sockets, by launcher and by agent. What they say is compared line by line.", "jfs.programs"),
            Part.ofPackage("Processes", "JFS between processes: beside peers without it, between namespaces, users and "
                    + "JDKs, and when one of them is killed.", "jfs.conformance.processes"),
            Part.ofPackage("Starting programs", "What `java` does with a program, the agent and the launcher do too.",
                    "jfs.launcher"));

    private final SortedMap<String, List<TestRun>> results;
    private final Sources sources;
    private final Path links;
    private final StringBuilder text = new StringBuilder();

    /**
     * @param results by the number of the JDK
     * @param links   the folder that links are relative to
     */
    Table(SortedMap<String, List<TestRun>> results, Sources sources, Path links) {
        this.results = results;
        this.sources = sources;
        this.links = links;
    }

    String markdown() {
        text.setLength(0);
        Map<Part, List<TestRun>> parts = new LinkedHashMap<>();
        for (Part part : PARTS) {
            List<TestRun> ofPart = all().filter(part.has).toList();
            if (!ofPart.isEmpty()) {
                parts.put(part, ofPart);
            }
        }
        totals(parts);
        parts.forEach((part, ofPart) -> {
            text.append("\n## ").append(part.title).append("\n\n").append(part.about).append('\n');
            new TreeSet<>(ofPart.stream().map(TestRun::type).toList()).forEach(this::type);
        });
        return text.toString();
    }

    private Stream<TestRun> all() {
        return results.values().stream().flatMap(Collection::stream).filter(run -> run.name().isInJava());
    }

    // ---- totals ----

    private void totals(Map<Part, List<TestRun>> parts) {
        row("", Stream.concat(Stream.of("behaviours"), results.keySet().stream().map(jdk -> "JDK " + jdk)).toList());
        row("---", Stream.concat(Stream.of("---:"), results.keySet().stream().map(jdk -> "---")).toList());
        parts.forEach((part, ofPart) -> {
            for (String subject : subjects(ofPart)) {
                total(part.title + (subject.isEmpty() ? "" : ", " + subject),
                        part.has.and(result -> result.subject().equals(subject)));
            }
        });
    }

    private void total(String title, Predicate<TestRun> which) {
        List<String> cells = new ArrayList<>();
        cells.add("" + all().filter(which).map(result -> result.type() + "." + result.behaviour()).distinct().count());
        results.values().forEach(ofJdk -> cells.add(Tally.of(ofJdk.stream().filter(which).toList()).words()));
        row(title, cells);
    }

    private static List<String> subjects(Collection<TestRun> results) {
        return results.stream().map(TestRun::subject).distinct().sorted(Comparator.<String>comparingInt(
                subject -> SUBJECTS.contains(subject) ? SUBJECTS.indexOf(subject) : SUBJECTS.size())
                .thenComparing(Comparator.naturalOrder())).toList();
    }

    // ---- a class ----

    private void type(String name) {
        Sources.Type source = sources.of(name);
        List<TestRun> ofType = all().filter(result -> result.type().equals(name)).toList();
        List<String> subjects = subjects(ofType);
        boolean once = subjects.equals(List.of(""));
        text.append("\n### ").append(name.substring(name.lastIndexOf('.') + 1)).append("\n\n");
        if (!source.about().isEmpty()) {
            text.append(source.about()).append(" ([source](")
                    .append(links.relativize(source.file())).append("))\n\n");
        }
        List<String> columns = once ? results.keySet().stream().map(jdk -> "JDK " + jdk).toList() : subjects;
        row("behaviour", columns);
        row("---", columns.stream().map(column -> ":---:").toList());
        Map<String, Integer> notes = new LinkedHashMap<>();
        for (String behaviour : behaviours(ofType, source)) {
            Predicate<TestRun> which = result -> result.type().equals(name) && result.behaviour().equals(behaviour);
            Stream<String> cells = once
                    ? results.keySet().stream().map(jdk -> cell(jdk, which, notes))
                    : subjects.stream().map(on -> cell(which.and(result -> result.subject().equals(on)), notes));
            row(behaviour.isEmpty() ? "*the class as a whole*" : Words.of(behaviour), cells.toList());
        }
        if (!notes.isEmpty()) {
            text.append('\n');
            text.append(notes.entrySet().stream()
                    .map(note -> "<sup>" + note.getValue() + "</sup> " + Words.literally(note.getKey()))
                    .collect(Collectors.joining("<br>\n"))).append('\n');
        }
    }

    /** The behaviours in the order of the class's source file. Inherited ones come after them. */
    private static List<String> behaviours(List<TestRun> ofType, Sources.Type source) {
        return ofType.stream().map(TestRun::behaviour).distinct().sorted(Comparator.<String>comparingInt(behaviour -> {
            int place = source.methods().indexOf(behaviour);
            return place < 0 ? source.methods().size() : place;
        }).thenComparing(Comparator.naturalOrder())).toList();
    }

    private String cell(String jdk, Predicate<TestRun> which, Map<String, Integer> notes) {
        return Tally.of(results.get(jdk).stream().filter(which).toList())
                .signs(note -> notes.computeIfAbsent(note, first -> notes.size() + 1));
    }

    /** One text if all JDKs have the same result, else the result of each JDK. */
    private String cell(Predicate<TestRun> which, Map<String, Integer> notes) {
        if (all().noneMatch(which)) {
            return "";
        }
        Map<String, String> cells = new TreeMap<>();
        results.keySet().forEach(jdk -> cells.put(jdk, cell(jdk, which, notes)));
        if (cells.values().stream().distinct().count() == 1) {
            return cells.get(results.firstKey());
        }
        return cells.entrySet().stream().map(cell -> cell.getKey() + ": " + cell.getValue())
                .collect(Collectors.joining("; "));
    }

    private void row(String first, List<String> cells) {
        text.append("| ").append(first).append(" | ").append(String.join(" | ", cells)).append(" |\n");
    }
}
