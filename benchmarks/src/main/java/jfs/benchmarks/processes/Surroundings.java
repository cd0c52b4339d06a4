package jfs.benchmarks.processes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Options of a command: which other programs want the processors during a measurement, and whether only one core may be used. */
public final class Surroundings {
    /** A program that computes as long as its parent lives. It checks this after each 100,000 steps, some tenths of a second. */
    private static final List<String> LOOP = List.of("sh", "-c",
            "while kill -0 $PPID 2> /dev/null; do i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done; done");
    private static final String ALLOWED = "Cpus_allowed_list:";

    @Option(
            names = "--busy", paramLabel = "N", defaultValue = "0",
            description = "Other programs that compute all the time (default: ${DEFAULT-VALUE}).")
    private int busy;

    @Option(names = "--one-core", description = "All programs run on the same core.")
    private boolean oneCore;

    /** The other programs; they run until this is closed. */
    public static final class Loops implements AutoCloseable {
        private final List<Child> children = new ArrayList<>();

        @Override
        public void close() {
            children.forEach(Child::close);
        }
    }

    /** Starts the other programs. */
    public Loops begin() throws ChildFailure {
        Loops loops = new Loops();
        try {
            for (int i = 0; i < busy; i++) {
                loops.children.add(Child.start("a busy loop", confine(LOOP), line -> {}));
            }
            return loops;
        } catch (ChildFailure e) {
            loops.close();
            throw e;
        }
    }

    /** Makes a command line that runs on the first core only, if {@code --one-core} is given. */
    public List<String> confine(List<String> command) {
        if (!oneCore) {
            return command;
        }
        List<String> confined = new ArrayList<>(List.of("taskset", "-c", firstCore()));
        confined.addAll(command);
        return confined;
    }

    /** The first core that this process may use, as proc_pid_status(5) tells. */
    private static String firstCore() {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith(ALLOWED))
                    .map(line -> line.substring(ALLOWED.length()).strip().split("[,-]")[0])
                    .findFirst().orElse("0");
        } catch (IOException e) {
            return "0";
        }
    }

    /** Whether no other program wants the processors, and all processors may be used. */
    public boolean isQuiet() {
        return busy == 0 && !oneCore;
    }

    /** The goal: JFS's rate relative to the JDK's, at least. @param alone whether only one connection talks */
    public double leastGain(boolean alone) {
        if (busy == 0) {
            return oneCore ? 2.5 : 1;
        }
        return alone ? 2 : busy == 1 ? 1.5 : 1;
    }
}
