package jfs.conformance.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The native methods obey JNI's rules, as far as {@code -Xcheck:jni} checks them, and touch only their own memory. */
@Tag("processes")
class CheckedNativesTest {

    /** What the JVM prints about a violation, or before it ends because of one. */
    private static final String FINDINGS = "(WARNING|FATAL ERROR) in native method|WARNING: JNI ";
    /** An exit status that neither a JVM nor the tests use. */
    private static final int SANITIZERS_STATUS = 99;

    @TempDir
    private Path folder;

    /** Runs a JVM that checks, and that must end with one of these statuses. Returns what it printed. */
    private List<String> run(List<String> options, int minutes, Set<Integer> statuses) throws Exception {
        return run(options, Map.of(), minutes, statuses);
    }

    private List<String> run(List<String> options, Map<String, String> environment, int minutes, Set<Integer> statuses)
            throws Exception {
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java", "-Xcheck:jni",
                "-cp", System.getProperty("java.class.path"), "--enable-native-access=ALL-UNNAMED",
                "--add-opens=java.base/java.net=ALL-UNNAMED", "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED"));
        command.addAll(options);
        Path output = folder.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            assertTrue(process.waitFor(minutes, TimeUnit.MINUTES), () -> "still there after " + lines(output));
            assertTrue(statuses.contains(process.exitValue()), () -> process.exitValue() + ": " + lines(output));
        } finally {
            process.destroyForcibly();
        }
        return lines(output);
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The findings about JFS's methods. The JDK's own methods have findings too; each finding is followed by its stack. */
    private static List<String> ofJfs(List<String> lines) {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String next = i + 1 < lines.size() ? lines.get(i + 1).strip() : "";
            if (lines.get(i).matches(".*(" + FINDINGS + ").*") && !next.matches("at (java|jdk|sun)\\..*")) {
                found.add(lines.get(i) + " " + next);
            }
        }
        return found;
    }

    @Test
    void eachMethod() throws Exception {
        List<String> lines = run(List.of(NativeMethods.class.getName(), System.getProperty("jfs.native.dir")), 1, Set.of(0));
        assertEquals("done", lines.get(lines.size() - 1));
        assertEquals(List.of(), ofJfs(lines));
    }

    /**
     * The results of the tests are asserted where they run at their usual speed. Here a test may fail (status 1), but the
     * JVM may not. The soak test's sockets belong to other processes, which don't check. One JDK is enough, because the
     * natives don't depend on it. The later one has virtual threads.
     */
    @ParameterizedTest
    @ValueSource(strings = {"sci", "nio_sci"})
    @EnabledIfSystemProperty(named = "test.all", matches = "true", disabledReason = "takes minutes")
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void theWholeSubject(String subject) throws Exception {
        assumeTrue(Jdks.isNewest(), "the later JDK does it");
        List<String> lines = run(tests(subject, System.getProperty("guarded.native.dir"), "--select-package=jfs.conformance",
                "--exclude-tag=processes", "--exclude-tag=soak"), 29, Set.of(0, 1));
        assertSuccessful(100, lines);
        assertEquals(List.of(), ofJfs(lines));
    }

    private static List<String> tests(String subject, String natives, String... which) {
        List<String> options = new ArrayList<>(List.of("-XX:-OmitStackTraceInFastThrow", "-Dsubject=" + subject,
                "-Djfs.transport=sci", "-Djfs.tcp=" + (subject.equals("sci") ? "auto" : "nio"), "-Djfs.native.dir=" + natives,
                "-Djunit.jupiter.execution.timeout.default=120s", "org.junit.platform.console.ConsoleLauncher", "execute",
                "--details=summary"));
        options.addAll(List.of(which));
        return options;
    }

    private static void assertSuccessful(int testsMin, List<String> lines) {
        assertTrue(lines.stream().filter(line -> line.matches("\\[ *\\d+ tests successful *\\]"))
                .anyMatch(line -> Integer.parseInt(line.replaceAll("\\D", "")) >= testsMin), lines.toString());
    }

    /** Runs the tests that move bytes and that end connections, and each method. A finding ends that JVM. */
    @Test
    @EnabledIfSystemProperty(named = "test.all", matches = "true", disabledReason = "takes minutes")
    @Timeout(value = 12, unit = TimeUnit.MINUTES)
    void underTheAddressSanitizer() throws Exception {
        assumeTrue(Jdks.isOldest(), "the older JDK does it");
        String natives = System.getProperty("sanitized.native.dir");
        Path sanitizer = Path.of(natives, "libasan.so");
        assumeTrue(Files.exists(sanitizer), "there is no address sanitizer");
        String options = "exitcode=" + SANITIZERS_STATUS + ":detect_leaks=0" // a JVM frees little when it ends
                + ":handle_segv=0:handle_sigbus=0:handle_sigfpe=0:use_sigaltstack=0"; // the JVM handles these signals itself
        Map<String, String> environment = Map.of("LD_PRELOAD", sanitizer.toString(), "ASAN_OPTIONS", options,
                "UBSAN_OPTIONS", "print_stacktrace=1:exitcode=" + SANITIZERS_STATUS);
        run(List.of(NativeMethods.class.getName(), natives), environment, 1, Set.of(0));
        assertSuccessful(50, run(tests("sci", natives, "--select-class=jfs.conformance.StreamTest",
                "--select-class=jfs.conformance.ConcurrencyTest", "--select-class=jfs.conformance.CloseTest",
                "--select-class=jfs.conformance.EndingsTest"), environment, 10, Set.of(0, 1)));
    }
}
