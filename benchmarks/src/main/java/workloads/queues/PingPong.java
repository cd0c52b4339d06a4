package workloads.queues;

import java.io.IOException;
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
import workloads.Player;
import workloads.Program;

/**
 * Bounces messages over two queues: the floor program scil-pingpong in Java. The server prints the first queue's number in place
 * of a port. Each side's thread has a core of its own, as the processes of scil-pingpong have. Between turns both sides sleep.
 */
public final class PingPong implements Player.Game {
    private static final int COUNT = 16;
    private static final int SMALLEST = 4096;
    private static final int START_MILLIS = 20_000;
    private static final int FOR_EVER = -1;

    private final QueueReceiver in;
    private final QueueSender out;
    private final byte[] sent;
    private final byte[] message;

    private PingPong(QueueReceiver in, QueueSender out, int bytes) {
        this.in = in;
        this.out = out;
        this.sent = new byte[bytes];
        new Random(bytes).nextBytes(sent);
        this.message = sent.clone();
    }

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
            bind(serves ? 1 : 0); // not before: the code that polls must first have seen how many cores there are
            PingPong game = new PingPong(in, out, bytes);
            if (serves) {
                game.echo();
            } else {
                Player.play(game);
            }
        }
    }

    /** Binds this thread to the index-th (from 0) of the cores that it may use. With fewer cores the thread keeps all of them. */
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

    private void echo() throws IOException {
        while (in.receive(message, 0, message.length, FOR_EVER) == message.length) {
            out.send(message, 0, message.length, FOR_EVER);
        }
    }

    @Override
    public void roundTrips(long times) throws IOException {
        for (long i = 0; i < times; i++) {
            out.send(message, 0, message.length, FOR_EVER);
            if (in.receive(message, 0, message.length, FOR_EVER) != message.length) {
                throw new IOException("the server has closed the queue");
            }
        }
    }

    @Override
    public boolean intact() {
        return Arrays.equals(sent, message);
    }
}
