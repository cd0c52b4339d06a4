package jfs.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import jfs.scilib.TurnsOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the tests of {@link RingOrder}, {@link PlaceOrder}, {@link BellOrder} and {@link TurnsOrder} with jcstress, a short while each.
 * With {@code ./jfs test --all} each test runs in every combination of interpreter and compilers, a third of a second in each, which takes
 * minutes. With {@code -Djcstress.mode=quick} (or default, tough, stress) jcstress chooses the times, which takes a quarter of an hour and
 * more.
 */
class RingOrderTest {

    private static final String MODE = System.getProperty("jcstress.mode");
    private static final boolean ALL = Boolean.getBoolean("test.all");

    @TempDir
    private Path folder;

    @Test
    @Timeout(value = 1, unit = TimeUnit.DAYS) // outputOf limits the time of the process
    void nobodySeesWhatIsForbidden() throws Exception {
        List<String> temporary = List.of("-Djava.io.tmpdir=" + folder, "-Djna.tmpdir=" + folder);
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
        command.addAll(temporary);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "org.openjdk.jcstress.Main",
                "-t", RingOrder.class.getName() + "|" + PlaceOrder.class.getName() + "|" + BellOrder.class.getName() + "|"
                        + TurnsOrder.class.getName(),
                "-r", "report", "-jvmArgsPrepend", String.join(" ", temporary),
                "-hs", "256", "-strideSize", "64", "-strideCount", "8"));
        if (MODE != null) {
            command.addAll(List.of("-m", MODE));
        } else if (ALL) {
            command.addAll(List.of("-m", "quick", "-iters", "3", "-time", "100"));
        } else {
            System.out.println("REDUCED: " + RingOrderTest.class.getName()
                    + ": one way to compile the code instead of every combination of interpreter and compilers");
            command.addAll(List.of("-m", "quick", "-f", "1", "-iters", "1", "-time", "100", "-sc", "false",
                    "-af", "NONE", "-jvmArgs", "-XX:+UseSerialGC"));
        }
        String said = outputOf(command, MODE == null && !ALL ? 5 : 24 * 60);
        assertTrue(said.contains(" 0 failed, 0 soft errs, 0 hard errs)"), said);
        if (said.contains("No scheduling is possible")) {
            System.out.println("TurnsOrder, which has three threads, takes three processors and did not run");
        }
        System.out.println(said.substring(said.lastIndexOf("(Results:")).lines().findFirst().orElseThrow());
    }

    private String outputOf(List<String> command, long minutes) throws Exception {
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true)
                .redirectOutput(output.toFile()).start();
        try {
            if (!process.waitFor(minutes, TimeUnit.MINUTES)) {
                throw new TimeoutException(textOf(output));
            }
            assertEquals(0, process.exitValue(), () -> textOf(output));
            return textOf(output);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static String textOf(Path output) {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
