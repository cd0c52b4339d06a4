package jfs.benchmarks.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ChildTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private static Child shell(String script) throws ChildFailure {
        return Child.start("the child", List.of("sh", "-c", script), line -> {});
    }

    @Test
    void givesLinesAndSuccess() throws Exception {
        try (Child child = shell("echo port 17; echo done >&2")) {
            assertEquals("17", child.awaitLine(Pattern.compile("^port (\\d+)"), LONG).group(1));
            assertEquals(List.of("port 17", "done"), child.awaitSuccess(LONG));
        }
    }

    @Test
    void aFailureTellsTheExitCodeAndTheEndOfTheOutput() throws Exception {
        try (Child child = shell("seq 100; echo 'what went wrong' >&2; exit 3")) {
            String message = assertThrows(ChildFailure.class, () -> child.awaitSuccess(LONG)).getMessage();
            assertTrue(message.startsWith("the child ended with exit code 3"), message);
            assertTrue(message.endsWith("100\n    what went wrong"), message);
        }
    }

    @Test
    void aHangIsCutShort() throws Exception {
        try (Child child = shell("echo started; exec sleep 60")) {
            String message = assertThrows(ChildFailure.class, () -> child.awaitSuccess(Duration.ofMillis(300))).getMessage();
            assertTrue(message.contains("did not end within") && message.contains("started"), message);
        }
    }

    @Test
    void aLineThatNeverComesIsNotAwaitedPastTheEnd() throws Exception {
        try (Child child = shell("echo other")) {
            String message = assertThrows(ChildFailure.class, () -> child.awaitLine(Pattern.compile("port"), LONG)).getMessage();
            assertTrue(message.contains("ended without the line 'port'"), message);
        }
    }

    @Test
    void aMissingProgramIsNamed() {
        assertThrows(ChildFailure.class, () -> Child.start("the child", List.of("/does/not/exist"), line -> {}));
    }
}
