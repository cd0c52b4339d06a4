package jfs.benchmarks.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** What Linux and git tell of the machine and the build; "unknown" for what they don't tell. */
final class Machine {
    private static final String UNKNOWN = "unknown";
    private static final int GIT_SECONDS = 10;

    private Machine() {}

    static String processor() {
        return field("/proc/cpuinfo", "model name") + ", " + Runtime.getRuntime().availableProcessors() + " cores for this process";
    }

    static String memory() {
        return field("/proc/meminfo", "MemTotal");
    }

    static String kernel() {
        return System.getProperty("os.name") + " " + System.getProperty("os.version") + ", " + System.getProperty("os.arch");
    }

    /** The version of the Java in that folder, by its file {@code release}. */
    static String java(Path home) {
        return firstLine(home.resolve("release"), "JAVA_VERSION=").replace("\"", "") + " (" + home + ")";
    }

    /** The programs that want a processor: the means of the last 1, 5 and 15 minutes. */
    static String load() {
        try {
            String[] numbers = Files.readString(Path.of("/proc/loadavg")).split(" ");
            return String.join(", ", Arrays.asList(numbers).subList(0, 3));
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    /**
     * A line about other programs that have used the processors when the measurement began.
     *
     * @param load as {@link #load} has told it
     * @return empty if the mean of the last minute is no more than the cores, or unknown
     */
    static Optional<String> busy(String load, int cores) {
        String lastMinute = load.split(",")[0];
        if (lastMinute.equals(UNKNOWN) || Double.parseDouble(lastMinute) <= cores) {
            return Optional.empty();
        }
        return Optional.of("Note: other programs used the processors when this began (load " + lastMinute + " on " + cores
                + (cores == 1 ? " core" : " cores") + "), so the figures are not those of a quiet machine.");
    }

    /** The commit of the working folder; "+" if files differ from it. */
    static String commit() {
        try {
            Process git = new ProcessBuilder("git", "describe", "--always", "--abbrev=9", "--exclude=*", "--dirty=+")
                    .redirectError(ProcessBuilder.Redirect.DISCARD).start();
            if (!git.waitFor(GIT_SECONDS, TimeUnit.SECONDS)) {
                git.destroyForcibly();
                return UNKNOWN;
            }
            String says = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.exitValue() == 0 ? says : UNKNOWN;
        } catch (IOException e) {
            return UNKNOWN;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return UNKNOWN;
        }
    }

    private static String field(String file, String name) {
        return firstLine(Path.of(file), name).replaceFirst("^\\s*:\\s*", "");
    }

    /** What follows that beginning in the first line that has it. */
    private static String firstLine(Path file, String beginning) {
        try {
            return Files.readAllLines(file).stream().filter(line -> line.startsWith(beginning)).findFirst()
                    .map(line -> line.substring(beginning.length())).orElse(UNKNOWN);
        } catch (IOException e) {
            return UNKNOWN;
        }
    }
}
