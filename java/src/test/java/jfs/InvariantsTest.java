package jfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
    /** Folders that a build makes, and may remove while this test runs. */
    private static final List<String> ELSEWHERE = List.of("target", ".git");
    private static final Pattern TEXT_FILE = Pattern.compile(".*\\.(java|c|h|pml|md|txt|cmake|sh|xml)");
    private static final Pattern GROUP = Pattern.compile("## ([A-Z]+)");
    /** A row of a table: name, what holds, where it is kept, tests, models. */
    private static final Pattern ROW = Pattern.compile("\\| ([A-Z]+-\\d+) \\|[^|]+\\|([^|]+)\\|([^|]+)\\|([^|]*)\\|");
    private static final Pattern QUOTED = Pattern.compile("`([\\w.]+)`");
    private static final Pattern MUTANT = Pattern.compile("#ifn?def MUTANT_([A-Z]+)_(\\d+)_");

    private record Row(String name, List<String> keptIn, String tests, List<String> models) {
        String prefix() {
            return name.replaceFirst("-.*", "");
        }
    }

    private static List<String> prefixes;
    private static List<Row> rows;
    /** The texts of all sources and pages but the index, by path. */
    private static final Map<Path, String> TEXTS = new LinkedHashMap<>();

    @BeforeAll
    static void read() throws IOException {
        List<String> lines = Files.readAllLines(INDEX);
        prefixes = lines.stream().map(GROUP::matcher).filter(Matcher::matches).map(prefix -> prefix.group(1)).toList();
        rows = lines.stream().filter(line -> line.matches("\\| [A-Z]+-.*")).map(InvariantsTest::row).toList();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return ELSEWHERE.contains(folder.getFileName().toString()) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (TEXT_FILE.matcher(file.toString()).matches() && !file.equals(INDEX)) {
                    TEXTS.put(file, textOf(file));
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static Row row(String line) {
        Matcher row = ROW.matcher(line);
        assertTrue(row.matches(), () -> "not a row with five cells: " + line);
        return new Row(row.group(1), quoted(row.group(2)), row.group(3).strip(), quoted(row.group(4).replace("_...", "")));
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

    /** The texts of the files with that name below one of these folders. */
    private static List<String> textsOf(String file, String... folders) {
        return TEXTS.entrySet().stream()
                .filter(text -> text.getKey().endsWith(file) && Stream.of(folders).anyMatch(text.getKey().toString()::contains))
                .map(Map.Entry::getValue).toList();
    }

    @Test
    void eachPrefixHasItsNumbersWithoutGaps() {
        List<String> expected = prefixes.stream().flatMap(prefix -> {
            long all = rows.stream().filter(row -> row.prefix().equals(prefix)).count();
            return IntStream.rangeClosed(1, Math.max(1, (int) all)).mapToObj(i -> prefix + "-" + i);
        }).toList();
        assertEquals(expected, rows.stream().map(Row::name).toList());
    }

    @Test
    void everyNameThatASourceOrAPageUsesIsInTheIndex() {
        Pattern name = Pattern.compile("(?<![\\w-])(?:" + String.join("|", prefixes) + ")-\\d+\\b");
        TreeSet<String> unknown = new TreeSet<>();
        TEXTS.values().forEach(text -> name.matcher(text).results().map(match -> match.group()).forEach(unknown::add));
        rows.forEach(row -> unknown.remove(row.name()));
        assertEquals(new TreeSet<>(), unknown);
    }

    /** The words of an invariant stand behind its name at the beginning of a line, or of a paragraph, of one comment. */
    @Test
    void noneIsDefinedTwice() {
        Pattern definition = Pattern.compile("(?m)^ \\* (?:<p>|<br>)?(" + String.join("|", prefixes) + ")-(\\d+)(?:\\.|  )");
        Map<String, Long> times = TEXTS.values().stream().flatMap(text -> definition.matcher(text).results())
                .collect(Collectors.groupingBy(match -> match.group(1) + "-" + match.group(2), TreeMap::new, Collectors.counting()));
        assertTrue(times.size() > 20, times::toString);
        times.values().removeIf(count -> count == 1);
        assertEquals(Map.of(), times);
    }

    @Test
    void everyInvariantIsNamedWhereItIsKept() {
        for (Row row : rows) {
            assertTrue(!row.keptIn().isEmpty(), () -> row.name() + " is kept nowhere");
            for (String source : row.keptIn()) {
                String file = source.contains(".") ? source : source + ".java";
                List<String> texts = textsOf(file, "/java/src/main/", "/buffers/src/main/", "/native/scilib-shim/s",
                        "/native/mx-shim/src/", "/native/jni/");
                assertTrue(!texts.isEmpty(), () -> row.name() + ": no source " + file);
                assertTrue(texts.stream().anyMatch(text -> Pattern.compile("\\b" + row.name() + "\\b").matcher(text).find()),
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

    /** A class, for JUnit or jcstress, or a program of ctest's: {@code mx.test_x}, {@code shim.test_x}, {@code mx.unit_x}. */
    private static boolean exists(String test) {
        if (!test.contains(".")) {
            return test.matches("\\w+(Test|IT|Order)") && !textsOf(test + ".java", "/src/test/").isEmpty();
        }
        String file = test.replaceFirst("^(mx|shim)\\.(unit|test)_", "test_") + ".c";
        boolean unit = test.startsWith("mx.unit_");
        return TEXTS.keySet().stream().anyMatch(path -> path.endsWith(file)
                && path.toString().contains(test.startsWith("mx.") ? "/mx-shim/test/" : "/scilib-shim/test/")
                && path.toString().contains("/unit/") == unit);
    }

    /** Each row names the models that have a mutant without the invariant, and no others. */
    @Test
    void theModelsAreThoseWithItsMutants() {
        Map<String, TreeSet<String>> models = new TreeMap<>();
        TEXTS.forEach((path, text) -> {
            if (path.toString().endsWith(".pml")) {
                String model = path.getFileName().toString().replace(".pml", "");
                MUTANT.matcher(text).results().forEach(mutant -> {
                    String name = mutant.group(1) + "-" + mutant.group(2);
                    models.computeIfAbsent(name, first -> new TreeSet<>())
                            .add("model." + model + ".MUTANT_" + mutant.group(1) + "_" + mutant.group(2));
                });
            }
        });
        Map<String, TreeSet<String>> named = new TreeMap<>();
        rows.stream().filter(row -> !row.models().isEmpty()).forEach(row -> named.put(row.name(), new TreeSet<>(row.models())));
        assertEquals(models, named);
    }
}
