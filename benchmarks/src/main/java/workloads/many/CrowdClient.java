package workloads.many;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import workloads.Player;

/**
 * Opens connections. Some of them talk, all at once. Each of these has a thread, which sends a request, waits for the answer and
 * begins again. The other connections are silent. Figures of a turn: {@code rounds} is the number of requests of all threads together,
 * {@code nanos} the time of the turn; {@code p50}, {@code p99} and {@code p999} are the latency of a request. A thread has no
 * timetable, so no request is late before it is sent, and no request is left out of the latencies.
 *
 * <p>Arguments: address, port, connections, how many of these talk, bytes of a request, one of {@link Threads}. The last one tells
 * whether the talkers' threads are virtual or platform threads.
 */
public final class CrowdClient implements Player.Measured {
    /** The requests of a talking connection before the first turn. A connection that is offered at all is fast by then. */
    private static final int OPENING_REQUESTS = 1_000;
    private static final int DIGITS = 3;

    /** A connection that talks, and its thread. */
    private final class Talker implements Runnable {
        private final Socket socket;
        private final byte[] request;
        private final byte[] answer;
        private final Histogram latencies = new Histogram(DIGITS);

        Talker(Socket socket, int bytes) {
            this.socket = socket;
            request = new byte[bytes];
            new Random(socket.getLocalPort()).nextBytes(request);
            answer = request.clone();
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < OPENING_REQUESTS; i++) {
                    exchange();
                }
                for (;;) {
                    turn.await();
                    talk();
                    turn.await();
                }
            } catch (Throwable e) {
                e.printStackTrace();
                Runtime.getRuntime().halt(1); // the others would wait for this talker
            }
        }

        private void exchange() throws IOException {
            request[0]++;
            socket.getOutputStream().write(request);
            if (socket.getInputStream().readNBytes(answer, 0, answer.length) < answer.length) {
                throw new IOException("the server has closed the connection");
            }
            if (answer[0] != request[0]) {
                throw new IOException("an answer to another request");
            }
        }

        private void talk() throws IOException {
            for (long from = System.nanoTime(), now; from < end; from = now) {
                exchange();
                now = System.nanoTime();
                latencies.recordValue(now - from);
            }
            if (!Arrays.equals(request, answer)) {
                throw new IOException("the payload did not arrive intact");
            }
        }
    }

    private final List<Socket> silent = new ArrayList<>();
    private final List<Talker> talkers = new ArrayList<>();
    /** Where all talkers and the main thread meet before each turn and after it. */
    private final CyclicBarrier turn;
    private volatile long end;

    private CrowdClient(int talking) {
        turn = new CyclicBarrier(talking + 1);
    }

    public static void main(String[] args) throws IOException {
        int connections = Integer.parseInt(args[2]);
        int talking = Integer.parseInt(args[3]);
        CrowdClient client = new CrowdClient(talking);
        for (int i = 0; i < connections; i++) {
            // Talking connections are spread over all connections, so that they are not just the first or the last ones that are made.
            boolean talks = (long) (i + 1) * talking / connections > (long) i * talking / connections;
            client.connect(InetAddress.getByName(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[4]), talks);
        }
        Threads threads = Threads.valueOf(args[5].toUpperCase(Locale.ROOT));
        for (Talker talker : client.talkers) {
            threads.start("talker at " + talker.socket.getLocalPort(), talker);
        }
        Player.play(client);
    }

    private void connect(InetAddress address, int port, int bytes, boolean talks) throws IOException {
        Socket socket = new Socket(address, port);
        socket.setTcpNoDelay(true);
        new DataOutputStream(socket.getOutputStream()).writeInt(bytes);
        new DataInputStream(socket.getInputStream()).readLong(); // the server has accepted the connection and serves it now
        if (talks) {
            talkers.add(new Talker(socket, bytes));
        } else {
            silent.add(socket);
        }
    }

    @Override
    public void warm(double nanos) throws IOException {
        talk(nanos);
    }

    @Override
    public Map<String, Double> turn(double seconds, int trials) throws IOException {
        talkers.forEach(talker -> talker.latencies.reset());
        long from = System.nanoTime();
        talk(TimeUnit.SECONDS.toNanos(1) * seconds);
        double nanos = System.nanoTime() - from;
        Histogram all = new Histogram(DIGITS);
        talkers.forEach(talker -> all.add(talker.latencies));
        return Map.of("rounds", (double) all.getTotalCount(), "nanos", nanos, "p50", (double) all.getValueAtPercentile(50),
                "p99", (double) all.getValueAtPercentile(99), "p999", (double) all.getValueAtPercentile(99.9));
    }

    /** Lets all talkers talk for {@code nanos} nanoseconds. */
    private void talk(double nanos) throws IOException {
        end = System.nanoTime() + (long) nanos;
        try {
            turn.await();
            turn.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IOException(e);
        }
    }
}
