package jfs.conformance.table;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * {@code java jfs.conformance.table.Main RESULTS DOCUMENT OUT}, in the project's folder: writes the document with the
 * results, read from the folder's files, which are named by their JDK, to OUT, and says in one line how the document
 * itself differs. Exits with 1 and one line on stderr if it can't.
 */
public final class Main {

    private static final List<Path> SOURCES = Stream.of("conformance-tests", "conformance-tests/programs", "launcher")
            .map(module -> Path.of(module, "src/test/java")).toList();

    private Main() {
    }

    /** @param args folder of results, document, file to be written */
    public static void main(String[] args) {
        if (args.length != 3) {
            fail("the arguments are RESULTS DOCUMENT OUT");
        }
        try {
            Path path = Path.of(args[1]);
            Document document = read(path);
            Document now = document.with(new Table(resultsIn(Path.of(args[0])), Sources.below(SOURCES),
                    path.getParent()).markdown());
            Files.writeString(Path.of(args[2]), now.text());
            System.out.println(path + " " + document.comparedWith(now));
        } catch (IOException | IllegalArgumentException e) {
            fail(e.toString());
        }
    }

    private static Document read(Path path) throws IOException {
        try {
            return Document.of(Files.readString(path));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(path + ": " + e.getMessage());
        }
    }

    private static SortedMap<String, List<Result>> resultsIn(Path folder) throws IOException {
        SortedMap<String, List<Result>> results = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                List<Result> ofJdk = new ArrayList<>();
                for (String line : Files.readAllLines(file)) {
                    Optional<Result> result = Result.parse(line);
                    result.ifPresent(ofJdk::add);
                }
                results.put(file.getFileName().toString(), ofJdk);
            }
        }
        return results;
    }

    private static void fail(String message) {
        System.err.println("conformance table: " + message);
        System.exit(1);
    }
}
