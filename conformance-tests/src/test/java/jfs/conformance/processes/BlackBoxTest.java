package jfs.conformance.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The conformance tests see the library from outside, and their harness knows none of them. Tests of a package from inside are
 * in {@code java} and {@code java/native-tests}.
 */
@Tag("processes") // once, not for each subject
class BlackBoxTest {

    private static final Path LIBRARY = Path.of("../java/src/main/java");
    private static final List<Path> TESTS = List.of(Path.of("src/test/java"), Path.of("programs/src/main/java"),
            Path.of("programs/src/test/java"), Path.of("report/src/main/java"), Path.of("report/src/test/java"));

    /** What the tests use of packages that the library does not export, and what for. */
    private static final Set<String> TOOLS = Set.of(
            "jfs.nativelib.NativeLibrary", // whether this machine has what a test needs; whether native code copies blocks
            "jfs.nativelib.Posix", // system calls that Java has no method for, as hostile peers make them
            "jfs.nativelib.Sisci", // segments of hostile peers; whether segments are memory
            "jfs.steps.Step", // where a process is to die or to pause
            "jfs.mx.MxEndpoint", // counts channels and messages
            "jfs.wait.Sleepers", // counts sleeps
            "jfs.connection.Connection", "jfs.connection.IdleWatch"); // UnmappingTest trims a connection, as the watch does after a while

    private static Stream<Path> sources(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        }
    }

    private static Set<String> exported() throws IOException {
        return Pattern.compile("(?m)^ +exports ([\\w.]+);").matcher(Files.readString(LIBRARY.resolve("module-info.java"))).results()
                .map(it -> it.group(1)).collect(Collectors.toSet());
    }

    private static Set<String> packages(Path folder) throws IOException {
        return sources(folder).map(file -> folder.relativize(file.getParent()).toString().replace('/', '.'))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void noTestIsInAPackageOfTheLibrary() throws Exception {
        Set<String> library = packages(LIBRARY);
        assertFalse(library.isEmpty());
        Set<String> both = new TreeSet<>();
        for (Path folder : TESTS) {
            both.addAll(packages(folder));
        }
        assertFalse(both.isEmpty());
        both.retainAll(library);
        assertEquals(Set.of(), both);
    }

    @Test
    void theTestsUseExportedPackagesAndAFewTools() throws Exception {
        Set<String> internal = packages(LIBRARY);
        internal.removeAll(exported());
        Pattern imported = Pattern.compile("(?m)^import (?:static )?(([a-z0-9_.]+)\\.[A-Z]\\w*)");
        Set<String> used = new TreeSet<>();
        for (Path source : sources(TESTS.get(0)).toList()) {
            imported.matcher(Files.readString(source)).results().filter(type -> internal.contains(type.group(2)))
                    .forEach(type -> used.add(type.group(1)));
        }
        assertEquals(new TreeSet<>(TOOLS), used);
    }

    /** What the harness needs of a test belongs in the harness. */
    @Test
    void theHarnessKnowsNoTest() throws Exception {
        Pattern named = Pattern.compile("\\bjfs\\.conformance\\.(\\w+)[\\w.]*");
        List<Path> harness = sources(TESTS.get(0).resolve("jfs/conformance/harness")).toList();
        Set<String> packages = new TreeSet<>();
        Set<String> tests = new TreeSet<>();
        for (Path source : harness) {
            named.matcher(Files.readString(source)).results().forEach(type -> {
                packages.add(type.group(1));
                if (!type.group(1).equals("harness")) {
                    tests.add(source.getFileName() + ": " + type.group());
                }
            });
            if (source.toString().endsWith("Test.java")) {
                tests.add(source.getFileName().toString());
            }
        }
        assertTrue(packages.contains("harness"), () -> "the names of " + harness.size() + " files");
        assertEquals(Set.of(), tests);
    }
}
