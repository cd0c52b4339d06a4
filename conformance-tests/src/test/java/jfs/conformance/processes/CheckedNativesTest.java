package jfs.conformance.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import jfs.testing.CheckedJvm;
import jfs.testing.Jdks;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What sockets do with the native methods obeys JNI's rules, as far as {@code -Xcheck:jni} checks them, and touches only their
 * own memory.
 */
@Tag("processes")
class CheckedNativesTest {

    @TempDir
    private Path folder;

    /**
     * The results of the tests are asserted where they run at their usual speed. Here a test may fail (status 1), but the
     * JVM may not. The soak test's sockets belong to other processes, which don't check. One JDK is enough, because the
     * natives don't depend on it. The later one has virtual threads.
     */
    @ParameterizedTest
    @ValueSource(strings = {"sci", "nio_sci"})
    @EnabledIfSystemProperty(named = "test.all", matches = "true",
            disabledReason = "only ./jfs test --all runs it, because it takes minutes")
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void allTestsOfASubjectObeyJni(String subject) throws Exception {
        assumeTrue(Jdks.isNewest(), "its result does not depend on the JDK, so only the newest JDK runs it");
        List<String> lines = CheckedJvm.run(folder, tests(subject, System.getProperty("guarded.native.dir"),
                "--select-package=jfs.conformance", "--exclude-tag=processes", "--exclude-tag=soak"), Map.of(), 29, Set.of(0, 1));
        assertSuccessful(100, lines);
        assertEquals(List.of(), CheckedJvm.findings(lines));
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

    /** Runs the tests that move bytes and that end connections. */
    @Test
    @EnabledIfSystemProperty(named = "test.all", matches = "true",
            disabledReason = "only ./jfs test --all runs it, because it takes minutes")
    @Timeout(value = 12, unit = TimeUnit.MINUTES)
    void bytesAndEndingsUnderTheAddressSanitizer() throws Exception {
        assumeTrue(Jdks.isOldest(), "its result does not depend on the JDK, so only the oldest JDK runs it");
        String natives = System.getProperty("sanitized.native.dir");
        assertSuccessful(50, CheckedJvm.run(folder, tests("sci", natives,
                "--select-class=jfs.conformance.stream.StreamTest", "--select-class=jfs.conformance.blocking.ConcurrencyTest",
                "--select-class=jfs.conformance.endings.CloseTest", "--select-class=jfs.conformance.endings.LingerTest",
                "--select-class=jfs.conformance.endings.EndingsTest"), CheckedJvm.addressSanitizer(natives), 10, Set.of(0, 1)));
    }
}
