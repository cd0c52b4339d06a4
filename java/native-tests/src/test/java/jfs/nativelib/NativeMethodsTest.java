package jfs.nativelib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import jfs.testing.CheckedJvm;
import jfs.testing.Jdks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each native method, with arguments that it accepts and with arguments that it must refuse ({@link NativeMethods}). It obeys
 * JNI's rules, as far as {@code -Xcheck:jni} checks them, and touches only its own memory.
 */
class NativeMethodsTest {

    @TempDir
    private Path folder;

    @Test
    void eachMethodObeysJni() throws Exception {
        List<String> lines = CheckedJvm.run(folder, methodsOf(System.getProperty("jfs.native.dir")), Map.of(), 1, Set.of(0));
        assertEquals("done", lines.get(lines.size() - 1));
        assertEquals(List.of(), CheckedJvm.findings(lines));
    }

    @Test
    @EnabledIfSystemProperty(named = "test.all", matches = "true",
            disabledReason = "only ./jfs test --all runs it, as all tests under the sanitizer")
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void eachMethodUnderTheAddressSanitizer() throws Exception {
        assumeTrue(Jdks.isOldest(), "its result does not depend on the JDK, so only the oldest JDK runs it");
        String natives = System.getProperty("sanitized.native.dir");
        CheckedJvm.run(folder, methodsOf(natives), CheckedJvm.addressSanitizer(natives), 1, Set.of(0));
    }

    private static List<String> methodsOf(String natives) {
        return List.of(NativeMethods.class.getName(), natives);
    }
}
