package jfs.programs.harness;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A running program and all its output. The program ends with its standard input, and so also when this JVM ends. */
public final class Program implements AutoCloseable {

    /** The longest wait for anything. Passing tests never come near it. */
    public static final Duration LIMIT = Duration.ofSeconds(150);

    private static final String JFS = "jfs: ";

    private final String name;
    private final Process process;
    private final PrintStream in;
    private final List<String> out = new ArrayList<>(); // guarded by this, as err is
    private final List<String> err = new ArrayList<>();
    private final List<Thread> readers;

    /** How to start a Java program. */
    public static final class Start {
        private final How how;
        private final String main;
        private final String[] arguments;
        private final List<String> before = new ArrayList<>();
        private final List<String> options = new ArrayList<>(List.of("-Xmx256m", "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-Dfile.encoding=UTF-8"));
        private String classPath = System.getProperty("programs.classes");

        private Start(How how, String main, String... arguments) {
            this.how = how;
            this.main = main;
            this.arguments = arguments;
        }

        /** Adds an option of the JVM. */
        public Start with(String option) {
            options.add(option);
            return this;
        }

        /** Adds the libraries whose files' names start with one of these. */
        public Start using(String... libraries) {
            for (String path : System.getProperty("programs.libraries").split(File.pathSeparator)) {
                String file = Path.of(path).getFileName().toString();
                if (Arrays.stream(libraries).anyMatch(file::startsWith)) {
                    classPath += File.pathSeparator + path;
                }
            }
            return this;
        }

        /** Adds a jar. */
        public Start and(String jar) {
            classPath += File.pathSeparator + jar;
            return this;
        }

        /** Puts a command before that of the JVM. The command has to become the JVM: it must not fork. */
        public Start under(List<String> command) {
            before.addAll(command);
            return this;
        }

        public Program in(Path folder) throws IOException {
            List<String> command = new ArrayList<>(before);
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(options);
            command.addAll(how.command(classPath, main));
            command.addAll(List.of(arguments));
            return start(how + " " + main, folder, command);
        }
    }

    /** A program in Java. */
    public static Start java(How how, Class<?> main, String... arguments) {
        return java(how, main.getName(), arguments);
    }

    /** A Java program whose main class is in a {@linkplain Start#and jar} that these tests are not compiled against. */
    public static Start java(How how, String main, String... arguments) {
        return new Start(how, main, arguments);
    }

    /**
     * Starts any program. Its environment has no variable of Java or JFS, except that channels are off, and that JFS offers a fast path
     * after one turnaround.
     */
    public static Program start(String name, Path folder, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().keySet().removeIf(variable -> variable.equals("CLASSPATH") || variable.startsWith("JFS_")
                || variable.endsWith("JAVA_OPTIONS") || variable.equals("JAVA_TOOL_OPTIONS"));
        builder.environment().put("JFS_UPGRADE_AFTER", "1");
        builder.environment().put("JFS_NIO", "off"); // tests of channels set the property jfs.nio, which comes first
        return new Program(name, builder.start());
    }

    private Program(String name, Process process) {
        this.name = name + " (" + process.pid() + ")";
        this.process = process;
        in = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        readers = List.of(reader(process.getInputStream(), out), reader(process.getErrorStream(), err));
    }

    private Thread reader(InputStream from, List<String> to) {
        Thread thread = new Thread(() -> {
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    synchronized (this) {
                        to.add(line);
                        notifyAll();
                    }
                }
            } catch (IOException e) {
                synchronized (this) {
                    to.add(e.toString());
                }
            }
            synchronized (this) {
                notifyAll();
            }
        }, "output of " + name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Returns when the output makes the condition true. */
    public synchronized void await(String condition, Supplier<Boolean> holds) throws InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!holds.get()) {
            long left = deadline - System.nanoTime();
            if (left <= 0 || readers.stream().noneMatch(Thread::isAlive)) {
                throw new AssertionError((left <= 0 ? "never: " : "ended without: ") + condition + "\n" + this);
            }
            TimeUnit.NANOSECONDS.timedWait(this, Math.min(left, 100_000_000)); // a reader thread may end without a notification
        }
    }

    /** Waits for a line that starts with this word. Returns the rest of that line. */
    public String awaitWord(String word) throws InterruptedException {
        Predicate<String> starts = line -> line.startsWith(word + " ");
        await(word, () -> out.stream().anyMatch(starts));
        synchronized (this) {
            return out.stream().filter(starts).findFirst().get().substring(word.length() + 1);
        }
    }

    public void awaitLine(String line) throws InterruptedException {
        await(line, () -> out.contains(line));
    }

    public void awaitLineWith(String part) throws InterruptedException {
        await(part, () -> out.stream().anyMatch(line -> line.contains(part)));
    }

    /** Waits for a line of standard error that starts with these words. Returns the rest of that line. */
    public String awaitError(String words) throws InterruptedException {
        Predicate<String> starts = line -> line.startsWith(words + " ");
        await(words, () -> err.stream().anyMatch(starts));
        synchronized (this) {
            return err.stream().filter(starts).findFirst().get().substring(words.length() + 1);
        }
    }

    public long pid() {
        return process.pid();
    }

    /** The lines of JFS's log so far, without the prefix of each line. */
    public synchronized List<String> log() {
        return err.stream().filter(line -> line.startsWith(JFS)).map(line -> line.substring(JFS.length())).toList();
    }

    /** The program's own output, without the lines that differ from run to run. */
    public synchronized String transcript() {
        List<String> lines = new ArrayList<>(out);
        lines.removeIf(line -> line.startsWith("port ") || line.startsWith("address ") || line.startsWith("provider "));
        err.stream().filter(line -> !line.startsWith(JFS)).forEach(lines::add);
        return String.join("\n", lines);
    }

    /** Writes the line that the program waits for. */
    public void tell() {
        in.println();
    }

    /** Returns when the program has ended by itself. All its output is known then. */
    public Program awaitEnd() throws InterruptedException {
        if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("does not end: " + this);
        }
        for (Thread reader : readers) {
            reader.join(LIMIT.toMillis());
        }
        if (process.exitValue() != 0) {
            throw new AssertionError("exit code " + process.exitValue() + ": " + this);
        }
        return this;
    }

    /** Ends the program by closing its standard input. */
    public Program end() throws InterruptedException {
        in.close();
        return awaitEnd();
    }

    /** Stops the program by SIGSTOP. It can still be killed. */
    public void freeze() throws IOException, InterruptedException {
        int failed = new ProcessBuilder("kill", "-STOP", "" + process.pid()).inheritIO().start().waitFor();
        if (failed != 0) {
            throw new AssertionError("kill -STOP: " + failed);
        }
    }

    /** Kills the program by SIGKILL. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Closes the standard input and waits for the program to end. A program that does not end is killed. */
    @Override
    public void close() throws InterruptedException {
        in.close();
        if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            kill();
            throw new AssertionError("does not end with its input: " + this);
        }
    }

    @Override
    public synchronized String toString() {
        return name + "\n  " + String.join("\n  ", out) + "\n  -- stderr\n  " + String.join("\n  ", err);
    }
}
