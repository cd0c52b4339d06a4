package workloads.queues;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import jfs.scilib.MessageQueues;
import jfs.scilib.QueueReceiver;
import jfs.scilib.QueueSender;
import workloads.Program;

/**
 * Bounces messages over two queues: the floor program scil-pingpong in Java. The server tells the first queue's number in place
 * of a port. Each side's thread has a core of its own, as that program's processes have. The client says {@code warm} once the
 * compiler has hardly anything left to do, and then answers each line, a number of seconds, by that time's best trial:
 * {@code result TURN NANOSECONDS}, one way. Between turns both sleep.
 */
public final class PingPong {
    private static final int COUNT = 16;
    private static final int SMALLEST = 4096;
    private static final int TRIALS = 25; // short enough that some of them are left alone by whatever else runs here
    private static final double WARMING_NANOS = 250e6;
    private static final int WARMING_TURNS = 20;
    private static final double COMPILED_SHARE = 0.02;
    private static final int START_MILLIS = 20_000;
    private static final int FOR_EVER = -1;

    private PingPong() {}

    public static void main(String[] args) throws IOException {
        int bytes = Integer.parseInt(args[0]);
        boolean serves = args[1].equals("serve");
        int first = serves ? ThreadLocalRandom.current().nextInt(MessageQueues.ID_MAX / 2) : Integer.parseInt(args[2]);
        if (serves) {
            Program.endWithParent();
            Program.ready(first);
        }
        int size = Math.max(SMALLEST, bytes);
        int node = MessageQueues.localNode();
        try (QueueReceiver in = MessageQueues.create(node, serves ? first : first + 1, COUNT, size);
                QueueSender out = MessageQueues.connect(node, serves ? first + 1 : first, COUNT, size, START_MILLIS)) {
            bind(serves ? 1 : 0); // not before: who polls must have seen how many cores there are
            if (serves) {
                echo(in, out, new byte[bytes]);
            } else {
                measure(in, out, bytes);
            }
        }
    }

    /** Leaves this thread one core of those it has: that one from below, or all if they are fewer. */
    private static void bind(int index) throws IOException {
        String status = Files.readString(Path.of("/proc/self/status"));
        String allowed = status.lines().filter(l -> l.startsWith("Cpus_allowed_list:")).findFirst().orElseThrow();
        int[] cores = Arrays.stream(allowed.substring(allowed.indexOf(':') + 1).strip().split(","))
                .map(range -> range.split("-"))
                .flatMapToInt(ends -> IntStream.rangeClosed(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1])))
                .toArray();
        if (index >= cores.length) {
            return;
        }
        String thread = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName().toString();
        List<String> command = List.of("taskset", "--cpu-list", "--pid", Integer.toString(cores[index]), thread);
        Process taskset = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(taskset.getInputStream().readAllBytes());
        if (taskset.onExit().join().exitValue() != 0) {
            throw new IOException(String.join(" ", command) + ": " + said.strip());
        }
    }

    private static void echo(QueueReceiver in, QueueSender out, byte[] message) throws IOException {
        while (in.receive(message, 0, message.length, FOR_EVER) == message.length) {
            out.send(message, 0, message.length, FOR_EVER);
        }
    }

    private static void roundTrips(QueueReceiver in, QueueSender out, byte[] message, long rounds) throws IOException {
        for (long i = 0; i < rounds; i++) {
            out.send(message, 0, message.length, FOR_EVER);
            if (in.receive(message, 0, message.length, FOR_EVER) != message.length) {
                throw new IOException("the server has closed the queue");
            }
        }
    }

    /** A round trip in nanoseconds, over so long. */
    private static double averageOver(double nanos, QueueReceiver in, QueueSender out, byte[] message) throws IOException {
        long start = System.nanoTime();
        long rounds = 0;
        for (long batch = 1; System.nanoTime() - start < nanos; batch = Math.min(2 * batch, 1024)) {
            roundTrips(in, out, message, batch);
            rounds += batch;
        }
        return (double) (System.nanoTime() - start) / rounds;
    }

    /**
     * Goes on until the compiler has hardly anything left to do: as long as it works it wants the cores that the two ends poll
     * on, so what is measured then is a machine on which others work. The server does the same things and is as far.
     */
    private static void warmUp(QueueReceiver in, QueueSender out, byte[] message) throws IOException {
        CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
        double share = 1;
        for (int turn = 0; turn < WARMING_TURNS && share > COMPILED_SHARE; turn++) {
            long compiled = compiler.getTotalCompilationTime();
            averageOver(WARMING_NANOS, in, out, message);
            share = (compiler.getTotalCompilationTime() - compiled) * 1e6 / WARMING_NANOS;
        }
    }

    private static void measure(QueueReceiver in, QueueSender out, int bytes) throws IOException {
        byte[] sent = new byte[bytes];
        new Random(bytes).nextBytes(sent);
        byte[] message = sent.clone();
        warmUp(in, out, message);
        System.out.println("warm");
        BufferedReader turns = new BufferedReader(new InputStreamReader(System.in));
        int number = 0;
        for (String seconds = turns.readLine(); seconds != null; seconds = turns.readLine()) {
            Program.result(Integer.toString(number++), turn(Double.parseDouble(seconds) * 1e9, in, out, message));
            if (!Arrays.equals(sent, message)) {
                throw new IOException("the payload did not arrive intact");
            }
        }
    }

    /** Half a round trip, the least of several trials: what it takes undisturbed. A fifth of the time wakes both ends up. */
    private static double turn(double nanos, QueueReceiver in, QueueSender out, byte[] message) throws IOException {
        long each = Math.max(1, (long) (0.8 * nanos / TRIALS / averageOver(0.2 * nanos, in, out, message)));
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < TRIALS; i++) {
            long from = System.nanoTime();
            roundTrips(in, out, message, each);
            least = Math.min(least, (double) (System.nanoTime() - from) / each / 2);
        }
        return least;
    }
}
