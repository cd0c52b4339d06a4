package jfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs tests for jcstress in a process of their own, a short while each. With {@code ./jfs test --all} each test runs in every
 * combination of interpreter and compilers, a third of a second in each, which takes minutes. With {@code -Djcstress.mode=quick}
 * (or default, tough, stress) jcstress chooses the times, which takes a quarter of an hour and more.
 */
public final class Jcstress {

    private static final String MODE = System.getProperty("jcstress.mode");
    private static final boolean ALL = Boolean.getBoolean("test.all");

    private Jcstress() {
    }

    /**
     * Fails if a test sees an outcome that it forbids, or if the process takes too long. Skips the calling test if jcstress has no
     * processor for each thread, since it does not run its tests then.
     *
     * @param folder  an empty folder
     * @param threads the largest number of threads that a test has
     * @param types   the classes with the tests
     */
    public static void run(Path folder, int threads, Class<?>... types) throws Exception {
        String reason = "a test with " + threads + " threads needs as many processors, and there are "
                + Runtime.getRuntime().availableProcessors();
        assumeTrue(Runtime.getRuntime().availableProcessors() >= threads, reason);
        List<String> temporary = List.of("-Djava.io.tmpdir=" + folder, "-Djna.tmpdir=" + folder);
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
        command.addAll(temporary);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "org.openjdk.jcstress.Main",
                "-t", Stream.of(types).map(Class::getName).collect(Collectors.joining("|")),
                "-r", "report", "-jvmArgsPrepend", String.join(" ", temporary),
                "-hs", "256", "-strideSize", "64", "-strideCount", "8"));
        if (MODE != null) {
            command.addAll(List.of("-m", MODE));
        } else if (ALL) {
            command.addAll(List.of("-m", "quick", "-iters", "3", "-time", "100"));
        } else {
            System.out.println("REDUCED: " + types[0].getName() + " and those with it"
                    + ": one way to compile the code instead of every combination of interpreter and compilers");
            command.addAll(List.of("-m", "quick", "-f", "1", "-iters", "1", "-time", "100", "-sc", "false",
                    "-af", "NONE", "-jvmArgs", "-XX:+UseSerialGC"));
        }
        String said = outputOf(folder, command, MODE == null && !ALL ? 5 : 24 * 60);
        assumeFalse(said.contains("No scheduling is possible"), reason + ", which jcstress can't use");
        assertTrue(said.contains(" 0 failed, 0 soft errs, 0 hard errs)"), said);
        System.out.println(said.substring(said.lastIndexOf("(Results:")).lines().findFirst().orElseThrow());
    }

    private static String outputOf(Path folder, List<String> command, long minutes) throws Exception {
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
