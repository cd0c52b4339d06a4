package jfs.testing;

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

/** Runs JVMs with {@code -Xcheck:jni}, which checks how native methods use JNI. Their class path is that of this process. */
public final class CheckedJvm {

    /** What the JVM prints about a violation, or before it ends because of one. */
    private static final String FINDINGS = "(WARNING|FATAL ERROR) in native method|WARNING: JNI ";
    /** An exit status that neither a JVM nor the tests use. */
    private static final int SANITIZERS_STATUS = 99;

    private CheckedJvm() {
    }

    /**
     * Waits for the end of a JVM with these options. Fails if it does not end in time, or with another status.
     *
     * @param folder an empty folder
     * @return the lines that it printed
     */
    public static List<String> run(Path folder, List<String> options, Map<String, String> environment, int minutes, Set<Integer> statuses)
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

    /**
     * Of these lines the findings about JFS's methods. The JDK's own methods have findings too. Each finding is followed by its
     * stack.
     */
    public static List<String> findings(List<String> lines) {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String next = i + 1 < lines.size() ? lines.get(i + 1).strip() : "";
            if (lines.get(i).matches(".*(" + FINDINGS + ").*") && !next.matches("at (java|jdk|sun)\\..*")) {
                found.add(lines.get(i) + " " + next);
            }
        }
        return found;
    }

    /**
     * The environment of a JVM whose natives are built for the address sanitizer. A finding ends that JVM, with a status that no
     * test expects. Skips the test if the compiler that built the natives has no address sanitizer.
     *
     * @param natives the folder of the natives
     */
    public static Map<String, String> addressSanitizer(String natives) {
        Path sanitizer = Path.of(natives, "libasan.so");
        assumeTrue(Files.exists(sanitizer), "the compiler that built the natives has no address sanitizer");
        String options = "exitcode=" + SANITIZERS_STATUS + ":detect_leaks=0" // a JVM frees little when it ends
                + ":handle_segv=0:handle_sigbus=0:handle_sigfpe=0:use_sigaltstack=0"; // the JVM handles these signals itself
        return Map.of("LD_PRELOAD", sanitizer.toString(), "ASAN_OPTIONS", options,
                "UBSAN_OPTIONS", "print_stacktrace=1:exitcode=" + SANITIZERS_STATUS);
    }
}
