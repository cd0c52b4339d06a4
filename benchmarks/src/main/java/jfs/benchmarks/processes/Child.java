package jfs.benchmarks.processes;

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

/**
 * A child process. A thread reads its output as it comes. Every wait for it has a limit. A shutdown hook kills the child when this
 * JVM ends.
 */
public final class Child implements AutoCloseable {
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
    private final List<String> lines = new ArrayList<>(); // guarded by itself, as is 'ended'; notified at each line and at the end
    private boolean ended;

    private Child(String name, Process process, Consumer<String> onLine) {
        this.name = name;
        this.process = process;
        this.reader = new Thread(() -> read(onLine), "output of " + name);
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts a child. A thread of the child's own calls {@code onLine} for each line of its standard output or error. */
    public static Child start(String name, List<String> command, Consumer<String> onLine) throws ChildFailure {
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
            // destroyForcibly has closed the stream. This counts as the stream's end.
        } finally {
            synchronized (lines) {
                ended = true;
                lines.notifyAll();
            }
        }
    }

    /** Returns the first line in which the pattern is found. Lines that the child has already written count too. */
    public MatchResult awaitLine(Pattern pattern, Duration limit) throws ChildFailure, InterruptedException {
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

    /** The processor time that the child has used so far; NaN if the child has ended. */
    public double processorSeconds() {
        return process.info().totalCpuDuration().map(used -> used.toNanos() * 1e-9).orElse(Double.NaN);
    }

    /** Writes a line to the child's standard input. If the child has ended, the line is lost without an error. */
    void say(String line) {
        PrintStream input = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        input.println(line);
    }

    /** Closes the child's standard input. */
    public void hangUp() throws ChildFailure {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            throw failure("did not listen: " + e.getMessage());
        }
    }

    /** Waits for the child's end, which must come within the limit and with exit code 0. Returns all lines of its output. */
    public List<String> awaitSuccess(Duration limit) throws ChildFailure, InterruptedException {
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

    public List<String> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    public ChildFailure failure(String what) {
        return new ChildFailure(name + " " + what + tail());
    }

    /** The last lines of the child's output, as an appendix to an error's message. */
    public String tail() {
        List<String> all = lines();
        if (all.isEmpty()) {
            return "\n  (" + name + " printed nothing)";
        }
        List<String> last = all.subList(Math.max(0, all.size() - TAIL_LINES), all.size());
        return "\n  the end of the output of " + name + ":\n    " + String.join("\n    ", last);
    }

    /** Empty if the process has ended: another process may have its process id by now. */
    private static List<ProcessHandle> descendants(Process process) {
        return process.isAlive() ? process.descendants().toList() : List.of();
    }

    /** Kills the process and its descendants. The descendants of a build do most of its work. */
    private static void destroy(Process process) {
        List<ProcessHandle> descendants = descendants(process);
        process.destroyForcibly();
        descendants.forEach(ProcessHandle::destroyForcibly);
    }

    /** As {@link #close}, and waits for the end of the child and of its descendants. @param seconds the limit for each */
    public void end(long seconds) throws InterruptedException {
        List<ProcessHandle> all = new ArrayList<>(descendants(process));
        all.add(process.toHandle());
        close();
        for (ProcessHandle each : all) {
            try {
                each.onExit().get(seconds, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                // The process is left to the system.
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
