package jfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** docs/invariants.md has each invariant once, the sources that it names keep it, and the tests that it names exist. */
class InvariantsTest {

    private static final Path ROOT = Path.of("..");
    private static final Path INDEX = ROOT.resolve("docs/invariants.md");
    private static final List<String> FOLDERS =
            List.of("java/src", "launcher/src", "conformance-tests/src", "conformance-tests/programs/src", "native", "model", "docs");
    private static final Pattern TEXT_FILE = Pattern.compile(".*\\.(java|c|h|pml|md)");
    /** A row of a table: name, what holds, where it is kept, tests, models. */
    private static final Pattern ROW = Pattern.compile("\\| ([A-Z]+-\\d+) \\|[^|]+\\|([^|]+)\\|([^|]+)\\|([^|]*)\\|");
    private static final Pattern QUOTED = Pattern.compile("`([\\w.]+)`");
    private static final Pattern MUTANT = Pattern.compile("model\\.(\\w+)\\.(MUTANT_[A-Z]+_\\d*)(_?\\.\\.\\.)?");

    private record Row(String name, List<String> keptIn, String tests) {
    }

    private static List<Row> rows;
    /** The texts of all sources and pages but the index, by path. */
    private static final Map<Path, String> TEXTS = new LinkedHashMap<>();

    @BeforeAll
    static void read() throws IOException {
        rows = Files.readAllLines(INDEX).stream().map(ROW::matcher).filter(Matcher::matches)
                .map(row -> new Row(row.group(1), quoted(row.group(2)), row.group(3).strip())).toList();
        for (String folder : FOLDERS) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
                files.filter(file -> TEXT_FILE.matcher(file.toString()).matches() && !file.toString().contains("/target/")
                        && !file.equals(INDEX)).forEach(file -> TEXTS.put(file, textOf(file)));
            }
        }
    }

    private static String textOf(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> quoted(String cell) {
        return QUOTED.matcher(cell).results().map(match -> match.group(1)).toList();
    }

    /** The files of that name, below one of these folders. */
    private static List<String> textsOf(String file, String... folders) {
        return TEXTS.entrySet().stream()
                .filter(text -> text.getKey().endsWith(file) && Stream.of(folders).anyMatch(text.getKey().toString()::contains))
                .map(Map.Entry::getValue).toList();
    }

    @Test
    void eachHasOneNameAndNumbersHaveNoGaps() {
        Map<String, List<String>> ofRooms = rows.stream().map(Row::name)
                .collect(Collectors.groupingBy(name -> name.substring(0, name.indexOf('-')), LinkedHashMap::new, Collectors.toList()));
        assertTrue(ofRooms.size() > 1, "no rows");
        ofRooms.forEach((room, names) ->
                assertEquals(IntStream.rangeClosed(1, names.size()).mapToObj(i -> room + "-" + i).toList(), names));
    }

    @Test
    void everyNameThatASourceOrAPageUsesIsInTheIndex() {
        String rooms = rows.stream().map(row -> row.name().replaceAll("-\\d+", "")).distinct().collect(Collectors.joining("|"));
        Pattern name = Pattern.compile("(?<![\\w-])(?:" + rooms + ")-\\d+\\b");
        TreeSet<String> unknown = new TreeSet<>();
        TEXTS.values().forEach(text -> name.matcher(text).results().map(match -> match.group()).forEach(unknown::add));
        rows.forEach(row -> unknown.remove(row.name()));
        assertEquals(new TreeSet<>(), unknown);
    }

    @Test
    void everyInvariantIsNamedWhereItIsKept() {
        for (Row row : rows) {
            assertTrue(!row.keptIn().isEmpty(), () -> row.name() + " is kept nowhere");
            for (String source : row.keptIn()) {
                String file = source.contains(".") ? source : source + ".java";
                List<String> texts = textsOf(file, "/java/src/main/", "/native/scilib-shim/s", "/native/mx-shim/src/");
                assertTrue(!texts.isEmpty(), () -> row.name() + ": no source " + file);
                assertTrue(texts.stream().anyMatch(text -> Pattern.compile(row.name() + "\\b").matcher(text).find()),
                        () -> file + " does not name " + row.name());
            }
        }
    }

    @Test
    void theTestsExist() {
        for (Row row : rows) {
            if (!row.tests().equals("none")) {
                List<String> tests = quoted(row.tests());
                assertTrue(!tests.isEmpty(), () -> row.name() + " has neither tests nor \"none\"");
                tests.forEach(test -> assertTrue(exists(test), () -> row.name() + ": no test " + test));
            }
        }
    }

    /** A class, or a program of ctest's: {@code mx.test_x}, {@code shim.test_x}, {@code mx.unit_x}. */
    private static boolean exists(String test) {
        if (!test.contains(".")) {
            return !textsOf(test + ".java", "/src/test/").isEmpty();
        }
        String file = test.replaceFirst("^(mx|shim)\\.(unit|test)_", "test_") + ".c";
        String folder = test.startsWith("shim.") ? "/scilib-shim/test/" : test.contains(".unit_") ? "/mx-shim/test/unit/" : "/mx-shim/test/";
        return !textsOf(file, folder).isEmpty();
    }

    @Test
    void theMutantsExist() throws IOException {
        for (String line : Files.readAllLines(INDEX)) {
            for (Matcher mutant = MUTANT.matcher(line); mutant.find(); ) {
                List<String> models = textsOf(mutant.group(1) + ".pml", "/model/");
                String prefix = mutant.group(2);
                assertTrue(models.stream().anyMatch(model -> model.contains(prefix)), () -> "no " + prefix + " for " + line);
            }
        }
    }
}
