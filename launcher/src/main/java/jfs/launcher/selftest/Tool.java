package jfs.launcher.selftest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** A small program of the system that is asked for one line. */
final class Tool {

    private static final int SECONDS = 5;

    private Tool() {
    }

    /** @return its first line of output; empty if it is not there, fails, prints nothing or takes longer than 5 seconds */
    static String firstLine(String... command) {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        } catch (IOException e) {
            return "";
        }
        try {
            boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
            String out = ended ? new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8) : "";
            return out.lines().findFirst().orElse("").strip();
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        } finally {
            process.destroyForcibly();
        }
    }
}
