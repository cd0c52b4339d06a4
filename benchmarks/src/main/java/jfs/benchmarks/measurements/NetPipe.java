package jfs.benchmarks.measurements;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jfs.benchmarks.processes.Child;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.programs.SwitchLog;

/** Runs NetPIPE between two JVMs. */
public final class NetPipe {
    private static final String MAIN = "netpipe.NetPipe";
    private static final Duration START_LIMIT = Duration.ofSeconds(20);
    private static final Duration SWEEP_LIMIT = Duration.ofSeconds(60);
    private static final Duration END_LIMIT = Duration.ofSeconds(10);

    private static final int FIRST_REPEATS = 40_000;

    private static final Pattern LISTENING = Pattern.compile("Listening on port (\\d+)");
    private static final Pattern SIZE_DONE = Pattern.compile("(\\d+) bytes\\s+\\d+ times -->.*?([\\d.]+) Mbps in\\s+([\\d.]+) usec");

    private final Installation installation;
    private final Path jar;
    private final Path folder;
    private final List<String> options;

    /**
     * What NetPIPE is asked to do.
     *
     * @param upper the largest message, in bytes
     * @param warmup seconds of warm-up
     * @param trialSeconds seconds of a trial
     */
    public record Settings(int upper, double warmup, double trialSeconds) {}

    /** @param folder where np-JDK.out and np-JFS.out of the last sweep of each side are left */
    public NetPipe(Installation installation, Path jar, Path folder, Settings settings) {
        this.installation = installation;
        this.jar = jar;
        this.folder = folder;
        // Without perturbation (-p 0) there are two sizes for each power of two: enough for a curve, and few enough to repeat the sweep.
        this.options = List.of(
                "-p", "0", "-u", Integer.toString(settings.upper),
                "--warmup", Double.toString(settings.warmup), "--trial-seconds", Double.toString(settings.trialSeconds),
                // The first size is measured right after the connection was made, while code is still being compiled.
                "--first-repeats", Integer.toString(FIRST_REPEATS));
    }

    /** One sweep: seconds one way for each size, and what each of the two JVMs has logged about the switch. */
    public record Sweep(SortedMap<Integer, Double> seconds, SwitchLog transmitter, SwitchLog receiver) {
        public boolean switched() {
            return transmitter.switched() && receiver.switched();
        }
    }

    /** Runs a sweep. {@code onSize} is called with each size when it is done, and its microseconds one way. */
    public Sweep sweep(Side side, BiConsumer<Integer, Double> onSize) throws ChildFailure, InterruptedException, IOException {
        Path result = folder.resolve("np-" + side + ".out");
        Files.deleteIfExists(result); // the file of an earlier sweep must not pass for the file of this one
        try (Child receiver = Child.start("the NetPIPE receiver over " + side, command(side, "-P", "0"), line -> {})) {
            int port = Integer.parseInt(receiver.awaitLine(LISTENING, START_LIMIT).group(1));
            List<String> command = command(side, "-h", "127.0.0.1", "-P", Integer.toString(port), "-o", result.toString());
            try (Child transmitter = Child.start("the NetPIPE transmitter over " + side, command, line -> report(line, onSize))) {
                List<String> transmitterOutput;
                try {
                    transmitterOutput = transmitter.awaitSuccess(SWEEP_LIMIT);
                } catch (ChildFailure failure) {
                    throw new ChildFailure(failure.getMessage() + receiver.tail());
                }
                List<String> receiverOutput = receiver.awaitSuccess(END_LIMIT);
                SortedMap<Integer, Double> seconds;
                try {
                    seconds = parse(Files.readAllLines(result));
                } catch (IOException | IllegalArgumentException e) {
                    throw transmitter.failure("left no usable np.out: " + e.getMessage());
                }
                return new Sweep(seconds, SwitchLog.of(transmitterOutput, port), SwitchLog.of(receiverOutput, port));
            }
        }
    }

    private List<String> command(Side side, String... more) {
        List<String> program = new ArrayList<>(List.of(MAIN));
        program.addAll(List.of(more));
        program.addAll(options);
        return installation.java(side.client(), jar.toString(), program, "all");
    }

    private static void report(String line, BiConsumer<Integer, Double> onSize) {
        Matcher done = SIZE_DONE.matcher(line);
        if (done.find()) {
            onSize.accept(Integer.parseInt(done.group(1)), Double.parseDouble(done.group(3)));
        }
    }

    /**
     * Reads the lines of an np.out: bytes, megabits (2^20 bits) a second, seconds one way. The time has only eight digits after the
     * point, so its unit is ten nanoseconds. That is too coarse for a message that takes fifty nanoseconds. So the time is computed
     * from the bandwidth.
     */
    public static SortedMap<Integer, Double> parse(List<String> lines) {
        SortedMap<Integer, Double> seconds = new TreeMap<>();
        for (String line : lines) {
            String[] columns = line.trim().split("\\s+");
            if (columns.length != 3) {
                throw new IllegalArgumentException("not three columns: '" + line + "'");
            }
            int bytes = Integer.parseInt(columns[0]);
            double megabits = Double.parseDouble(columns[1]);
            double oneWay = bytes * 8.0 / (megabits * (1 << 20));
            double printed = Double.parseDouble(columns[2]);
            if (!(megabits > 0) || Math.abs(oneWay - printed) > 1e-8 + 0.01 * printed) {
                throw new IllegalArgumentException(
                        String.format(Locale.ROOT, "bandwidth and time contradict each other: '%s'", line));
            }
            seconds.put(bytes, oneWay);
        }
        if (seconds.isEmpty()) {
            throw new IllegalArgumentException("no lines");
        }
        return seconds;
    }
}
