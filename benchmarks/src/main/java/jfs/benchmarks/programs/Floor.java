package jfs.benchmarks.programs;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import jfs.benchmarks.processes.Child;
import jfs.benchmarks.processes.ChildFailure;

/**
 * Runs the floor programs in C, which show what the machine can do without Java and without JFS, and the examples of the SISCI
 * library.
 */
public record Floor(Path folder) {
    public static final double SECONDS = 0.2; // for a measurement without turns; a program gives the median of several trials within it

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int MEDIAN = 1;
    private static final int LEAST = 2;
    private static final Pattern RESULT = Pattern.compile("^floor program=\\S+ bytes=\\d+ ns=(\\S+) least_ns=(\\S+)");
    private static final Pattern SET_UP =
            Pattern.compile("^floor program=sisci-setup bytes=\\d+ ns=(\\S+) connected_ns=(\\S+) by_hand_ns=(\\S+) ");
    private static final Pattern CROWD = Pattern.compile("^floor program=crowd pairs=\\d+ ns=(\\S+) processor_ns=(\\S+)$");
    private static final Pattern ONE_WAY = Pattern.compile("(\\S+) us one way");

    /**
     * Seconds to make and remove a segment and an interrupt in each direction: by SISCI, by hand over a connection that is made for
     * it, by hand over a connection that exists already.
     */
    public record SetUp(double sisci, double connected, double byHand) {}

    /** Bounces messages of 1 byte or more between two spinning processes over shared memory. @return seconds one way */
    public double sharedMemory(int bytes, double seconds) throws ChildFailure, InterruptedException {
        return median("shm-pingpong", bytes, seconds);
    }

    /** As {@link #sharedMemory}, by a program that sends each message in one piece and to the same place, as the SISCI example does. */
    public double wholeInSharedMemory(int bytes) throws ChildFailure, InterruptedException {
        return median("shm-whole", bytes, SECONDS);
    }

    /** As {@link #sharedMemory}, but the time of the best trial. */
    public double leastOfSharedMemory(int bytes, double seconds) throws ChildFailure, InterruptedException {
        return nanos(run("shm-pingpong", bytes, seconds, RESULT), LEAST);
    }

    /** As {@link #leastOfSharedMemory}, over two SCILib queues in C. */
    public double leastOfQueues(int bytes, double seconds) throws ChildFailure, InterruptedException {
        return nanos(run("scil-pingpong", bytes, seconds, RESULT), LEAST);
    }

    /** Seconds in which one core copies a warm buffer of that size. */
    public double copy(int bytes, double seconds) throws ChildFailure, InterruptedException {
        return median("copy", bytes, seconds);
    }

    /** As {@link #copy}, of 1,000 blocks with gaps of a block's length. @param bytes of all blocks, a multiple of 1,000 */
    public double gather(int bytes, double seconds) throws ChildFailure, InterruptedException {
        return median("gather", bytes, seconds);
    }

    /** Bounces messages of 1 byte or more over TCP between two processes that sleep while they wait. @return seconds one way */
    public double tcp(int bytes) throws ChildFailure, InterruptedException {
        return median("tcp-pingpong", bytes, SECONDS);
    }

    public SetUp setUp(int bytes) throws ChildFailure, InterruptedException {
        MatchResult result = run("sisci-setup", bytes, SECONDS, SET_UP);
        return new SetUp(nanos(result, 1), nanos(result, 2), nanos(result, 3));
    }

    /**
     * The result of pairs of threads in two processes.
     *
     * @param round seconds from the end of one round trip to the end of the next one, whichever pairs they belong to
     * @param processor seconds of processor time for a round trip
     */
    public record Crowd(double round, double processor) {}

    /** Lets all pairs bounce a message of 64 bytes. @param where makes the command to run out of a command */
    public Crowd crowd(int pairs, double seconds, UnaryOperator<List<String>> where) throws ChildFailure, InterruptedException {
        List<String> command = List.of(folder.resolve("crowd").toString(), "--pairs", Integer.toString(pairs),
                "--seconds", Double.toString(seconds));
        MatchResult result = run("crowd", where.apply(command), CROWD);
        return new Crowd(nanos(result, 1), nanos(result, 2));
    }

    /** As {@link #sharedMemory}, by SISCI calls. */
    public double sisciMemory(int bytes) throws ChildFailure, InterruptedException {
        return sisci("shmem_pingpong", "-size", Integer.toString(bytes));
    }

    /** From a trigger to the end of the other process's wait, in seconds. */
    public double sisciInterrupt() throws ChildFailure, InterruptedException {
        return sisci("interrupt_pingpong");
    }

    private double median(String program, int bytes, double seconds) throws ChildFailure, InterruptedException {
        return nanos(run(program, bytes, seconds, RESULT), MEDIAN);
    }

    private static double nanos(MatchResult result, int group) {
        return Double.parseDouble(result.group(group)) * 1e-9;
    }

    private MatchResult run(String program, int bytes, double seconds, Pattern result)
            throws ChildFailure, InterruptedException {
        String path = folder.resolve(program).toString();
        return run(program, List.of(path, "--bytes", Integer.toString(bytes), "--seconds", Double.toString(seconds)), result);
    }

    private static MatchResult run(String program, List<String> command, Pattern result) throws ChildFailure, InterruptedException {
        try (Child child = Child.start(program, command, line -> {})) {
            child.awaitSuccess(LIMIT);
            return child.awaitLine(result, Duration.ZERO);
        }
    }

    /** Runs an example in two processes. No other run uses the same ids at the same time. */
    private double sisci(String program, String... options) throws ChildFailure, InterruptedException {
        List<String> command = new ArrayList<>(List.of(folder.resolve(program).toString()));
        command.addAll(List.of("-id", Long.toString(0x10000 + 2 * ProcessHandle.current().pid())));
        command.addAll(List.of("-seconds", Double.toString(SECONDS)));
        command.addAll(List.of(options));
        List<String> server = new ArrayList<>(command);
        List<String> client = new ArrayList<>(command);
        server.add("-server");
        client.add("-client");
        try (Child serving = Child.start(program + " -server", server, line -> {});
                Child asking = Child.start(program + " -client", client, line -> {})) {
            asking.awaitSuccess(LIMIT);
            serving.awaitSuccess(LIMIT);
            return Double.parseDouble(asking.awaitLine(ONE_WAY, Duration.ZERO).group(1)) * 1e-6;
        }
    }
}
