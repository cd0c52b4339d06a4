package jfs.report;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Stream;

/**
 * {@code java jfs.report.Main [--all|--docs] RESULTS DOCUMENT OUT [NOTE...]}, called in the project's folder: prints the
 * results of the tests and writes the document with the new results. Exits with 1 if a test has failed, or if a file can't
 * be read or written.
 */
public final class Main {

    private static final List<Path> SOURCES = Stream.of("conformance-tests", "conformance-tests/programs", "launcher")
            .map(module -> Path.of(module, "src/test/java")).toList();

    private Main() {
    }

    /**
     * @param args first an option of {@code ./jfs test}, which may be missing: with {@code --docs} the document itself is
     *     written if no test has failed, and with {@code --all} it is not compared. Then the folder of the results
     *     ({@link Runs#in}), the document, and the file to write. Then lines that are printed before the failed tests
     */
    public static void main(String[] args) {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        int first = args.length > 0 && args[0].startsWith("--") ? 1 : 0;
        if (args.length < first + 3) {
            System.err.println("the arguments are [--all|--docs] RESULTS DOCUMENT OUT [NOTE...]");
            System.exit(2);
        }
        try {
            SortedMap<String, List<TestRun>> runs = Runs.in(Path.of(args[first]));
            Summary summary = new Summary(runs);
            summary.times().forEach(out::println);
            summary.reduced().forEach(out::println);
            summary.skipped().forEach(out::println);
            summary.unsteady().forEach(out::println);
            List.of(args).subList(first + 3, args.length).forEach(out::println);
            boolean failed = summary.hasFailed();
            try {
                out.println(document(first == 0 ? "" : args[0], runs, Path.of(args[first + 1]), Path.of(args[first + 2]), failed));
            } catch (IOException | RuntimeException e) { // the failed tests are printed all the same
                out.println(args[first + 1] + " can't be read, or " + args[first + 2] + " can't be written: " + e);
                failed = true;
            }
            summary.failed().forEach(out::println);
            out.println(summary.totals());
            System.exit(failed ? 1 : 0);
        } catch (IOException e) {
            System.err.println("report of the tests: " + e);
            System.exit(1);
        }
    }

    /** @return one line about the document, to be printed */
    private static String document(String option, SortedMap<String, List<TestRun>> runs, Path path, Path out, boolean failed)
            throws IOException {
        if (runs.values().stream().anyMatch(Runs::isBuildBroken)) {
            return path + " is not compared, because the build failed";
        }
        Document document = Document.of(Files.readString(path));
        Document now = document.with(new Table(runs, Sources.below(SOURCES), path.getParent()).markdown());
        Files.writeString(out, now.text());
        if (option.equals("--all")) {
            return out + " is of this run; " + path + " is of one without --all, and not compared";
        }
        if (!option.equals("--docs")) {
            return path + " " + document.comparedWith(now);
        }
        if (failed) {
            return path + " is left as it was, for not all tests passed";
        }
        Files.writeString(path, now.text());
        return path + " is written";
    }
}
