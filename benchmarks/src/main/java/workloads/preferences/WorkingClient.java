package workloads.preferences;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import workloads.Player;

/**
 * The client that is measured. A turn has an equal time for each work. Figures of a turn, each followed by the name of the work:
 *
 * <ul>
 * <li>{@code whole}: nanoseconds of a message in the program's view, from one message to the next one, or of a request and its answer;
 * <li>{@code call}: nanoseconds of the call that writes a message, if messages go one way; the median of the nanoseconds by which an
 * answer takes longer than the server has computed, if it computes;
 * <li>{@code client} and {@code server}: nanoseconds of processor time of each process for a message.
 * </ul>
 */
final class WorkingClient implements Player.Measured, AutoCloseable {
    /** Beyond 400 requests and answers, after which JFS offers a connection a fast path. */
    private static final int FIRST_REQUESTS = 1_000;
    /** Beyond the 12 MB after which it offers a stream one. */
    private static final int FIRST_BYTES = 16 << 20;
    /** The first part of a work's time wakes both ends up. */
    private static final double WAKING_SHARE = 0.2;
    private static final byte MARK = 42;

    private final long pid = ProcessHandle.current().pid();
    private final List<Connection> connections = new ArrayList<>();

    WorkingClient(InetAddress address, int port, Stated stated, List<Work> all) throws IOException {
        for (Work work : all) {
            connections.add(new Connection(work, new Socket(address, port), stated));
        }
    }

    @Override
    public void warm(double nanos) throws IOException {
        for (Connection connection : connections) {
            connection.during(nanos / connections.size());
        }
    }

    @Override
    public Map<String, Double> turn(double seconds, int trials) throws IOException {
        Map<String, Double> figures = new LinkedHashMap<>();
        double nanos = seconds * 1e9 / connections.size();
        for (Connection connection : connections) {
            connection.during(WAKING_SHARE * nanos);
            connection.measure((1 - WAKING_SHARE) * nanos, figures);
        }
        return figures;
    }

    @Override
    public void close() throws IOException {
        for (Connection connection : connections) {
            connection.socket.close();
        }
    }

    /** The connection of one work. */
    private final class Connection {
        private final Work work;
        private final Socket socket;
        private final InputStream in;
        private final OutputStream out;
        private final byte[] message;
        private final long server;
        /** How many messages the connection has sent since it began. */
        private long sent;
        /** Nanoseconds of the calls that have written the messages of a turn. */
        private long writing;
        /** By how many nanoseconds the answers of a turn took longer than the server has computed. */
        private double[] waits = new double[1024];
        private int waited;

        Connection(Work work, Socket socket, Stated stated) throws IOException {
            this.work = work;
            this.socket = socket;
            socket.setTcpNoDelay(true);
            stated.of(socket);
            in = socket.getInputStream();
            out = socket.getOutputStream();
            message = new byte[work.bytes()];
            message[message.length - 1] = MARK;
            new DataOutputStream(out).writeInt(message.length);
            server = new DataInputStream(in).readLong();
            for (int i = 0; i < Math.min(FIRST_REQUESTS, FIRST_BYTES / message.length); i++) {
                request(Work.Kind.ANSWERED);
            }
        }

        void measure(double nanos, Map<String, Double> figures) throws IOException {
            writing = 0;
            waited = 0;
            long before = sent;
            double client = Clock.processorNanos(pid);
            double served = Clock.processorNanos(server);
            long start = System.nanoTime();
            during(nanos);
            double took = System.nanoTime() - start;
            client = Clock.processorNanos(pid) - client;
            served = Clock.processorNanos(server) - served;
            double messages = sent - before;
            figures.put("whole" + work, took / messages);
            figures.put("client" + work, client / messages);
            figures.put("server" + work, served / messages);
            if (work.kind() == Work.Kind.SERVED) {
                Arrays.sort(waits, 0, waited);
                figures.put("call" + work, waits[waited / 2]);
            } else {
                figures.put("call" + work, writing / messages);
            }
        }

        void during(double nanos) throws IOException {
            long start = System.nanoTime();
            do {
                switch (work.kind()) {
                    case SENT -> send();
                    case ANSWERED -> request(Work.Kind.ANSWERED);
                    case SERVED -> requestService();
                    default -> throw new IllegalStateException(work.toString());
                }
            } while (System.nanoTime() - start < nanos);
            if (work.kind() == Work.Kind.SENT && request(Work.Kind.ANSWERED) != sent) { // the server answers when it has taken all messages
                throw new IOException("the server has not taken all messages of " + work);
            }
        }

        private void send() throws IOException {
            long start = System.nanoTime();
            write(Work.Kind.SENT);
            long end = System.nanoTime();
            writing += end - start;
            Clock.compute(end, work.gapNanos());
        }

        private void requestService() throws IOException {
            long start = System.nanoTime();
            long computed = request(Work.Kind.SERVED);
            if (waited == waits.length) {
                waits = Arrays.copyOf(waits, 2 * waited);
            }
            waits[waited++] = System.nanoTime() - start - computed;
        }

        private void write(Work.Kind kind) throws IOException {
            message[0] = kind.code();
            out.write(message);
            sent++;
        }

        /** @return the server's number */
        private long request(Work.Kind kind) throws IOException {
            write(kind);
            message[message.length - 1] = 0;
            if (in.readNBytes(message, 0, message.length) < message.length || message[message.length - 1] != MARK) {
                throw new IOException("the message did not come back intact");
            }
            return ByteBuffer.wrap(message).getLong(PreferencePeer.NUMBER_AT);
        }
    }
}
