package jfs.benchmarks;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import workloads.Program;

/**
 * The program that is measured: both ends of it, plain java.net.
 *
 * <p>On a connection the client first says how long a message is, in four bytes; the server then answers every message with the
 * same bytes until the client closes. Results are lines {@code result KEY NANOSECONDS} on standard output.
 */
public final class Peer {
    private static final int TRIALS = 7;
    private static final long PAUSE_NANOS = 1_000_000;

    private Peer() {}

    public static void main(String[] args) throws IOException {
        Program.endWithParent();
        switch (args[0]) {
            case "serve" -> serve(Integer.parseInt(args[1]));
            case "pingpong" -> {
                for (int i = 3; i < args.length; i++) {
                    pingPong(Integer.parseInt(args[1]), Double.parseDouble(args[2]), Integer.parseInt(args[i]));
                }
            }
            case "asleep" -> asleep(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
            case "connect" -> connect(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static void serve(int port) throws IOException {
        try (ServerSocket server = new ServerSocket(port, 50, InetAddress.getLoopbackAddress())) {
            Program.ready(server.getLocalPort());
            while (true) {
                try (Socket socket = server.accept()) {
                    socket.setTcpNoDelay(true);
                    InputStream in = socket.getInputStream();
                    OutputStream out = socket.getOutputStream();
                    byte[] message = new byte[new DataInputStream(in).readInt()];
                    while (receive(in, message)) {
                        out.write(message);
                    }
                }
            }
        }
    }

    /** Fills the message; false at the end of the stream. */
    private static boolean receive(InputStream in, byte[] message) throws IOException {
        for (int done = 0; done < message.length; ) {
            int n = in.read(message, done, message.length - done);
            if (n < 0) {
                return false;
            }
            done += n;
        }
        return true;
    }

    private static Socket connectTo(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        return socket;
    }

    private static Socket open(int port, int bytes) throws IOException {
        Socket socket = connectTo(port);
        new DataOutputStream(socket.getOutputStream()).writeInt(bytes);
        return socket;
    }

    private static void roundTrips(Socket socket, byte[] message, long rounds) throws IOException {
        InputStream in = socket.getInputStream();
        OutputStream out = socket.getOutputStream();
        for (long i = 0; i < rounds; i++) {
            out.write(message);
            if (!receive(in, message)) {
                throw new IOException("the server has closed the connection");
            }
        }
    }

    /** One way: half a round trip, the median of several trials after half as much time of warming up. */
    private static void pingPong(int port, double seconds, int bytes) throws IOException {
        byte[] sent = new byte[bytes];
        new Random(bytes).nextBytes(sent);
        byte[] message = sent.clone();
        try (Socket socket = open(port, bytes)) {
            long warm = (long) (seconds / 2 * 1e9);
            long rounds = 0;
            long start = System.nanoTime();
            for (long batch = 1; System.nanoTime() - start < warm; batch = Math.min(2 * batch, 1024)) {
                roundTrips(socket, message, batch);
                rounds += batch;
            }
            double perRound = (double) (System.nanoTime() - start) / rounds;
            long each = Math.max(1, (long) (seconds * 1e9 / TRIALS / perRound));

            double[] trials = new double[TRIALS];
            for (int i = 0; i < TRIALS; i++) {
                long from = System.nanoTime();
                roundTrips(socket, message, each);
                trials[i] = (double) (System.nanoTime() - from) / each / 2;
            }
            if (!Arrays.equals(sent, message)) {
                throw new IOException("the payload did not arrive intact");
            }
            Program.result(Integer.toString(bytes), Statistics.median(trials));
        }
    }

    /** A request of one byte every millisecond: the server, and whatever polls on its behalf, has long gone to sleep. */
    private static void asleep(int port, int requests) throws IOException {
        byte[] message = new byte[1];
        double[] nanos = new double[requests];
        try (Socket socket = open(port, 1)) {
            for (int i = -requests / 4; i < requests; i++) { // the first, negative ones warm up
                LockSupport.parkNanos(PAUSE_NANOS);
                long from = System.nanoTime();
                roundTrips(socket, message, 1);
                if (i >= 0) {
                    nanos[i] = System.nanoTime() - from;
                }
            }
        }
        Arrays.sort(nanos);
        Program.result("median", Statistics.median(nanos));
        Program.result("p99", nanos[(int) (nanos.length * 0.99)]);
    }

    /** Connects, sends one request, reads the answer, closes; again and again, for as many connections. */
    private static void connect(int port, int connections) throws IOException {
        long from = 0;
        for (int i = -connections / 2; i < connections; i++) { // the first, negative ones warm up
            if (i == 0) {
                from = System.nanoTime();
            }
            try (Socket socket = connectTo(port)) {
                socket.getOutputStream().write(new byte[] {0, 0, 0, 1, 42}); // the length and a message in one segment
                if (socket.getInputStream().read() != 42) {
                    throw new IOException("a wrong answer");
                }
            }
        }
        Program.result("connection", (double) (System.nanoTime() - from) / connections);
    }
}
