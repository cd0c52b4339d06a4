package jfs.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A child process: its output is read as it comes, every wait has a limit, and it never outlives this JVM. */
final class Child implements AutoCloseable {
    private static final int TAIL_LINES = 15;

    private static final Set<Process> LIVE = new HashSet<>();
    private static boolean ending;

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            synchronized (LIVE) {
                ending = true;
                LIVE.forEach(Child::destroy);
            }
        }, "children-killer"));
    }

    private final String name;
    private final Process process;
    private final Thread reader;
    private final List<String> lines = new ArrayList<>(); // its own lock; notified of each line and of the end
    private boolean ended;

    private Child(String name, Process process, Consumer<String> onLine) {
        this.name = name;
        this.process = process;
        this.reader = new Thread(() -> read(onLine), "output of " + name);
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts it; {@code onLine} is called, by a thread of its own, for each line of standard output or error. */
    static Child start(String name, List<String> command, Consumer<String> onLine) throws ChildFailure {
        // One stream for both, so that the lines stay in the order in which they were written.
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        Process process;
        synchronized (LIVE) {
            if (ending) {
                throw new ChildFailure("interrupted");
            }
            try {
                process = builder.start();
            } catch (IOException e) {
                throw new ChildFailure(name + " can't be started: " + e.getMessage());
            }
            LIVE.add(process);
        }
        return new Child(name, process, onLine);
    }

    private void read(Consumer<String> onLine) {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line; (line = output.readLine()) != null; ) {
                synchronized (lines) {
                    lines.add(line);
                    lines.notifyAll();
                }
                onLine.accept(line);
            }
        } catch (IOException e) {
            // The stream is closed by our own destroyForcibly: as good as its end.
        } finally {
            synchronized (lines) {
                ended = true;
                lines.notifyAll();
            }
        }
    }

    /** The first line in which the pattern is found, those already written included. */
    MatchResult awaitLine(Pattern pattern, Duration limit) throws ChildFailure, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        synchronized (lines) {
            for (int next = 0; ; ) {
                for (; next < lines.size(); next++) {
                    Matcher matcher = pattern.matcher(lines.get(next));
                    if (matcher.find()) {
                        return matcher.toMatchResult();
                    }
                }
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (ended || left <= 0) {
                    break;
                }
                lines.wait(left);
            }
        }
        String what = ended ? "ended without" : "did not in " + limit.toSeconds() + " s print";
        throw failure(what + " the line '" + pattern + "'");
    }

    /** The processor time that it has used so far; NaN if it has ended. */
    double processorSeconds() {
        return process.info().totalCpuDuration().map(used -> used.toNanos() * 1e-9).orElse(Double.NaN);
    }

    /** Writes a line to its standard input, to which one that has ended no longer listens. */
    void say(String line) {
        PrintStream input = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        input.println(line);
    }

    /** Its standard input ends. */
    void hangUp() throws ChildFailure {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            throw failure("did not listen: " + e.getMessage());
        }
    }

    /** Waits for its end, which must come within the limit and with exit code 0, and gives all its lines. */
    List<String> awaitSuccess(Duration limit) throws ChildFailure, InterruptedException {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            close();
            throw failure("did not end within " + limit.toSeconds() + " s");
        }
        // A grandchild may hold the output open for longer than the child lives.
        reader.join(1000);
        if (process.exitValue() != 0) {
            throw failure("ended with exit code " + process.exitValue());
        }
        return lines();
    }

    List<String> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    ChildFailure failure(String what) {
        return new ChildFailure(name + " " + what + tail());
    }

    /** The end of its output, as an appendix to an error's message. */
    String tail() {
        List<String> all = lines();
        if (all.isEmpty()) {
            return "\n  (" + name + " printed nothing)";
        }
        List<String> last = all.subList(Math.max(0, all.size() - TAIL_LINES), all.size());
        return "\n  the end of the output of " + name + ":\n    " + String.join("\n    ", last);
    }

    /** None of one that has ended: another process may have its number by now. */
    private static List<ProcessHandle> descendants(Process process) {
        return process.isAlive() ? process.descendants().toList() : List.of();
    }

    /** With what it has started: of a build that is most of it. */
    private static void destroy(Process process) {
        List<ProcessHandle> descendants = descendants(process);
        process.destroyForcibly();
        descendants.forEach(ProcessHandle::destroyForcibly);
    }

    /** As {@link #close}, and waits for the end of all that it has started. */
    void end(long seconds) throws InterruptedException {
        List<ProcessHandle> all = new ArrayList<>(descendants(process));
        all.add(process.toHandle());
        close();
        for (ProcessHandle each : all) {
            try {
                each.onExit().get(seconds, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                // It is left to the system.
            }
        }
    }

    @Override
    public void close() {
        destroy(process);
        synchronized (LIVE) {
            LIVE.remove(process);
        }
    }
}
