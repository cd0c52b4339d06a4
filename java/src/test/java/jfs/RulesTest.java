package jfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Where docs/rules.md says that a rule is kept, the source names it. */
class RulesTest {

    private static final Path ROOT = Path.of("..");
    /** A row of the table: number, rule, where it is kept, tests. */
    private static final Pattern ROW = Pattern.compile("\\| (R\\d+) \\|[^|]+\\|([^|]+)\\|[^|]+\\|");
    private static final Pattern SOURCE = Pattern.compile("`([\\w.]+)`");

    @Test
    void everyRuleIsNamedWhereItIsKept() throws IOException {
        List<Matcher> rows = Files.readAllLines(ROOT.resolve("docs/rules.md")).stream().map(ROW::matcher)
                .filter(Matcher::matches).toList();
        assertEquals(IntStream.rangeClosed(1, 30).mapToObj(i -> "R" + i).toList(),
                rows.stream().map(row -> row.group(1)).toList());
        for (Matcher row : rows) {
            Matcher source = SOURCE.matcher(row.group(2));
            assertTrue(source.find(), () -> row.group(1) + " is kept nowhere");
            do {
                String name = source.group(1);
                assertTrue(Pattern.compile("\\b" + row.group(1) + "\\b").matcher(text(name)).find(),
                        () -> name + " does not name " + row.group(1));
            } while (source.find());
        }
    }

    private static String text(String name) throws IOException {
        String file = name.contains(".") ? name : name + ".java";
        for (Path folder : List.of(ROOT.resolve("java/src/main"), ROOT.resolve("native/scilib-shim/src"))) {
            try (Stream<Path> all = Files.walk(folder)) {
                Path found = all.filter(path -> path.endsWith(file)).findAny().orElse(null);
                if (found != null) {
                    return Files.readString(found);
                }
            }
        }
        throw new AssertionError("no source " + file);
    }
}
