package jfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jfs.config.Settings;
import jfs.config.SettingsInWords;
import jfs.config.Transports;
import jfs.stat.Reason;
import jfs.stat.Stats;
import jfs.transport.BuiltIn;
import org.junit.jupiter.api.Test;

/**
 * docs/reference.md names each setting with its default, each reason with its text, and each counter. docs/glossary.md names classes that
 * exist, and all pages name tests that exist.
 */
class ReferenceTest {

    private static final Path ROOT = Path.of("..");
    private static final Path REFERENCE = ROOT.resolve("docs/reference.md");
    /** Defaults that are no value of the setting. */
    private static final Set<String> NO_VALUE = Set.of("none", "the jar's", "all");

    /** The cells of the rows of one section, without the heads of its tables. */
    private static List<String[]> rows(String section) throws IOException {
        List<String[]> rows = new ArrayList<>();
        boolean inside = false;
        for (String line : Files.readAllLines(REFERENCE)) {
            inside = line.startsWith("## ") ? line.equals("## " + section) : inside;
            if (inside && line.startsWith("| `")) {
                rows.add(Stream.of(line.substring(2, line.length() - 2).split(" \\| ")).map(String::strip).toArray(String[]::new));
            }
        }
        return rows;
    }

    private static List<String> words(String cell) {
        return Stream.of(cell.split(",")).map(it -> it.replace("`", "").strip()).collect(Collectors.toList());
    }

    /** The values of all settings. */
    private static List<Object> read(Properties properties) {
        Settings it = Settings.read(properties, Map.of());
        Transports transports = Transports.read(it, BuiltIn.TRANSPORTS);
        List<Object> values = new ArrayList<>(Arrays.asList(it.pollMicros(), it.upgradeAfter(), it.allowedUsers(), it.unproven(), it.tcp(),
                it.nio(), it.nioAtOnce(), it.nettyOnNio(), it.install(), it.rules(), it.hostsKey(), it.hostsAddress(), it.hostsPorts(),
                it.hostsKeepAlive(), it.log(), it.nativeBlocks(), it.nativeDir(), transports.known(), transports.allowed()));
        transports.known().forEach(each -> each.settings().forEach(setting -> values.add(transports.value(setting))));
        return values;
    }

    /** The message about an unknown setting lists them all. */
    private static Set<String> settings() {
        Properties unknown = new Properties();
        unknown.setProperty("jfs.x", "");
        String message = assertThrows(IllegalArgumentException.class, () -> read(unknown)).getMessage();
        return new TreeSet<>(List.of(message.substring(message.indexOf("allowed are ") + "allowed are ".length()).split(", ")));
    }

    @Test
    void everySettingIsThereWithItsDefault() throws IOException {
        Set<String> named = new TreeSet<>();
        for (String[] row : rows("Settings")) {
            List<String> names = words(row[0]);
            List<String> defaults = words(row[2]);
            assertEquals(names.size(), defaults.size(), row[0]);
            for (int i = 0; i < names.size(); i++) {
                named.add(names.get(i));
                if (!NO_VALUE.contains(defaults.get(i))) {
                    Properties properties = new Properties();
                    properties.setProperty(names.get(i), defaults.get(i));
                    assertEquals(read(new Properties()), read(properties), names.get(i));
                }
            }
        }
        assertEquals(settings(), named);
    }

    /** The command settings shows what the page has. */
    @Test
    void theCommandSettingsHasTheSameDefaults() throws IOException {
        Map<String, String> onPage = new TreeMap<>();
        for (String[] row : rows("Settings")) {
            for (int i = 0; i < words(row[0]).size(); i++) {
                onPage.put(words(row[0]).get(i), words(row[2]).get(i));
            }
        }
        Map<String, String> shown = new TreeMap<>();
        SettingsInWords.of(new Properties(), Map.of(), BuiltIn.TRANSPORTS).forEach(it -> {
            shown.put(it.name(), it.value());
            assertFalse(it.meaning().isEmpty(), it.name());
        });
        assertEquals(onPage, shown);
    }

    @Test
    void everyReasonIsThereWithItsText() throws IOException {
        List<String> expected = Stream.of(Reason.values())
                .map(it -> "`" + it + "` | " + it.text() + " | " + (it.canPass() ? "is tried again" : "for good"))
                .collect(Collectors.toList());
        assertEquals(expected, rows("Reasons").stream().map(it -> String.join(" | ", it)).collect(Collectors.toList()));
    }

    /** A user who has a reason finds it on the page that says what to do. */
    @Test
    void everyReasonHasItsPlaceAmongWhatToDo() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/how-to/troubleshoot.md"));
        String table = page.substring(page.indexOf("## 3. Read the answer"), page.indexOf("## Conditions on one host"));
        assertEquals(List.of(), Stream.of(Reason.values()).filter(it -> !table.contains("`" + it + "`")).collect(Collectors.toList()));
    }

    /** A page names a test by its class, or by its class and its method. */
    @Test
    void thePagesNameTestsThatExist() throws IOException {
        Map<String, String> tests = new HashMap<>();
        for (String module : List.of("java", "java/native-tests", "buffers", "conformance-tests", "conformance-tests/programs", "launcher",
                "samples", "benchmarks")) {
            for (Path file : files(ROOT.resolve(module).resolve("src/test"), ".java")) {
                tests.put(file.getFileName().toString().replace(".java", ""), Files.readString(file));
            }
        }
        String methods = String.join("\n", tests.values()); // a test may have its method from a class that it extends
        Pattern named = Pattern.compile("`(\\w+(?:Test|IT|Order))(?:\\.(\\w+))?`");
        Set<String> missing = new TreeSet<>();
        for (Path page : files(ROOT.resolve("docs"), ".md")) {
            named.matcher(Files.readString(page)).results().filter(test -> !tests.containsKey(test.group(1))
                    || test.group(2) != null && !Pattern.compile("(void|class) " + test.group(2) + "\\b").matcher(methods).find())
                    .forEach(test -> missing.add(page.getFileName() + ": " + test.group()));
        }
        assertEquals(Set.of(), missing);
    }

    private static List<Path> files(Path folder, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(ending)).collect(Collectors.toList());
        }
    }

    @Test
    void everyCounterIsThere() throws IOException {
        Set<String> counters = new TreeSet<>();
        for (Method method : Stats.class.getDeclaredMethods()) {
            if (Modifier.isPublic(method.getModifiers()) && method.getReturnType() != void.class) {
                counters.add(method.getName() + Stream.of(method.getParameterTypes()).map(Class::getSimpleName)
                        .collect(Collectors.joining(", ", "(", ")")));
            }
        }
        for (Field field : Stats.class.getFields()) {
            counters.add(field.getName());
        }
        Set<String> named = new TreeSet<>();
        for (String[] row : rows("The log and the counters")) {
            if (row.length == 2) { // the lines of the log have three cells
                named.addAll(words(row[0]));
            }
        }
        assertEquals(counters, named);
    }

    @Test
    void theGlossaryNamesClassesThatExist() throws IOException {
        Set<String> classes = new TreeSet<>();
        for (String module : List.of("java", "buffers")) {
            for (Path file : files(ROOT.resolve(module).resolve("src/main/java"), ".java")) {
                classes.add(file.getFileName().toString().replace(".java", ""));
            }
        }
        Set<String> named = new TreeSet<>();
        for (String line : Files.readAllLines(REFERENCE.resolveSibling("glossary.md"))) {
            if (line.startsWith("| ") && !line.startsWith("| term |")) {
                String cell = line.substring(0, line.length() - 1).substring(line.lastIndexOf('|', line.length() - 2) + 1);
                named.addAll(words(cell));
            }
        }
        named.remove("");
        assertFalse(named.isEmpty());
        named.removeAll(classes);
        assertEquals(Set.of(), named, "not there");
    }
}
