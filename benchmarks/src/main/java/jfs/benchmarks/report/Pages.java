package jfs.benchmarks.report;

import com.samskivert.mustache.Mustache;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import jfs.benchmarks.programs.Installation;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** An option of a command: where its page goes. Prints the report and writes the page: one file of HTML that loads nothing. */
public final class Pages {
    private static final DateTimeFormatter IN_NAMES = DateTimeFormatter.ofPattern("yyyy-MM-dd-HHmmss");
    private static final DateTimeFormatter IN_TEXT = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss xxx");
    /** The system property that the script {@code jfs} sets: the command as the user has typed it. */
    public static final String COMMAND = "benchmarks.command";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--report", paramLabel = "DIR", defaultValue = "target/reports",
            description = "Folder for a page with plots (HTML). Its name has the time of the measurement, so no page replaces another"
                    + " (default: ${DEFAULT-VALUE}).")
    private Path folder;

    private final ZonedDateTime begun = ZonedDateTime.now();
    private final String loadBefore = Machine.load();

    /** Prints what the report has so far, before a command goes on to measure. */
    public void show(Report report) {
        report.print(spec.commandLine().getOut());
    }

    /** Prints the rest of the report, writes its page, and names the page in the last line. */
    public void publish(Report report, Installation installation) {
        show(report);
        PrintWriter out = spec.commandLine().getOut();
        Machine.busy(loadBefore, Runtime.getRuntime().availableProcessors()).ifPresent(out::println);
        try {
            out.println("Page: " + write(report.name(), html(report, installation)));
        } catch (IOException e) {
            throw new UncheckedIOException("can't write a page into " + folder, e);
        }
        out.flush();
    }

    private Path write(String name, String html) throws IOException {
        Files.createDirectories(folder);
        for (int copy = 1; ; copy++) {
            Path file = folder.resolve(name + "-" + begun.format(IN_NAMES) + (copy == 1 ? "" : "-" + copy) + ".html");
            try {
                return Files.writeString(file, html, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            } catch (FileAlreadyExistsException e) {
                // Another page of the same second: the next name.
            }
        }
    }

    private String html(Report report, Installation installation) throws IOException {
        Map<String, Object> values = Map.of(
                "name", report.name(),
                "title", report.title(),
                "sentence", report.sentence(),
                "findings", report.findings(),
                "parts", report.parts().stream().filter(part -> part.goal() == null).map(Pages::part).toList(),
                "goals", report.parts().stream().map(Report.Part::goal).filter(Objects::nonNull).toList(),
                "facts", facts(report, installation));
        try (Reader template = new InputStreamReader(
                Objects.requireNonNull(Pages.class.getResourceAsStream("page.html.mustache")), StandardCharsets.UTF_8)) {
            return Mustache.compiler().escapeHTML(true).compile(template).execute(values);
        }
    }

    /** What the template shows of a piece: one of heading, plot, table and line. */
    private static Map<String, Object> part(Report.Part part) {
        if (part.heading() != null) {
            return Map.of("heading", part.heading());
        }
        if (part.plot() != null) {
            String svg = Base64.getEncoder().encodeToString(Drawing.svg(part.plot()).getBytes(StandardCharsets.UTF_8));
            return Map.of("plot", Map.of("words", part.plot().inWords(), "note", part.plot().note(), "svg", svg));
        }
        if (part.table() != null) {
            List<List<String>> rows = part.table().rows().stream().map(List::of).toList();
            return Map.of("table", Map.of("heads", part.table().heads(), "rows", rows));
        }
        return part.line().isBlank() ? Map.of() : Map.of("line", part.line());
    }

    private List<Map.Entry<String, String>> facts(Report report, Installation installation) {
        List<String> arguments = spec.commandLine().getParseResult().originalArgs();
        return List.of(
                Map.entry("Command", System.getProperty(COMMAND, spec.qualifiedName() + " " + String.join(" ", arguments))),
                Map.entry("Begun", begun.format(IN_TEXT)),
                Map.entry("Ended", ZonedDateTime.now().format(IN_TEXT)),
                Map.entry("Measured", report.samples()),
                Map.entry("Build (commit; + if files were changed)", Machine.commit()),
                Map.entry("JDK of the programs", Machine.java(installation.javaHome())),
                Map.entry("Processor", Machine.processor()),
                Map.entry("Memory", Machine.memory()),
                Map.entry("Kernel", Machine.kernel()),
                Map.entry("Load at the start (1, 5, 15 minutes)", loadBefore),
                Map.entry("Load at the end", Machine.load()));
    }
}
