package jfs.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Whoever builds the committed sources in another folder gets the same files, byte for byte. */
class ReproducibleTest {

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @EnabledIfSystemProperty(named = "test.all", matches = "true",
            disabledReason = "only ./jfs test --all runs it, because it builds twice")
    void twoBuildsAreEqual() throws Exception {
        Process script = new ProcessBuilder(Published.property("samples.script"), "reproduce").redirectErrorStream(true).start();
        script.getOutputStream().close();
        String output = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, script.waitFor(), output);
        assertTrue(output.matches("(?s).*\\n[1-9]\\d+ files are equal\\n"), output);
    }
}
