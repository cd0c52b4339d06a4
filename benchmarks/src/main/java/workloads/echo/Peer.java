package workloads.echo;

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
import java.util.stream.Collectors;
import workloads.Footprint;
import workloads.Player;
import workloads.Program;

/**
 * Both ends of the program that is measured. It uses plain java.net.
 *
 * <p>On a connection the client first sends the length of a message, in four bytes. The server then answers every message with the
 * same bytes until the client closes the connection. Instead of a length the client may ask what the server's process has allocated,
 * or what that process holds. Results are lines {@code result KEY NANOSECONDS} on standard output.
 */
public final class Peer {
    /** Answered with a long: {@link Footprint#allocated}. */
    static final int TELL_ALLOCATED = -1;
    /** Answered with a text of KEY=VALUE: {@link Footprint#now}. */
    static final int TELL_FOOTPRINT = -2;

    private static final long PAUSE_NANOS = 1_000_000;

    private Peer() {}

    public static void main(String[] args) throws IOException {
        InetAddress address = InetAddress.getByName(args[1]);
        int port = Integer.parseInt(args[2]);
        if (args[0].equals("play")) { // Player reads what the parent writes to standard input
            play(address, port, Integer.parseInt(args[3]));
            return;
        }
        Program.endWithParent();
        switch (args[0]) {
            case "serve" -> serve(address, port);
            case "asleep" -> asleep(address, port, Integer.parseInt(args[3]));
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static void serve(InetAddress address, int port) throws IOException {
        try (ServerSocket server = new ServerSocket(port, 50, address)) {
            Program.ready(server.getLocalPort());
            while (true) {
                try (Socket socket = server.accept()) {
                    socket.setTcpNoDelay(true);
                    InputStream in = socket.getInputStream();
                    OutputStream out = socket.getOutputStream();
                    int length = new DataInputStream(in).readInt();
                    if (length < 0) {
                        tell(length, new DataOutputStream(out));
                        continue;
                    }
                    byte[] message = new byte[length];
                    while (receive(in, message)) {
                        out.write(message);
                    }
                }
            }
        }
    }

    private static void tell(int what, DataOutputStream out) throws IOException {
        if (what == TELL_ALLOCATED) {
            out.writeLong(Footprint.allocated());
        } else {
            out.writeUTF(Footprint.now().entrySet().stream().map(Object::toString).collect(Collectors.joining(" ")));
        }
    }

    /** Fills the message. Returns false at the end of the stream. */
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

    private static Socket connectTo(InetAddress address, int port) throws IOException {
        Socket socket = new Socket(address, port);
        socket.setTcpNoDelay(true);
        return socket;
    }

    private static Socket open(InetAddress address, int port, int bytes) throws IOException {
        Socket socket = connectTo(address, port);
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

    private static void play(InetAddress address, int port, int bytes) throws IOException {
        byte[] sent = new byte[bytes];
        new Random(bytes).nextBytes(sent);
        byte[] message = sent.clone();
        try (Socket socket = open(address, port, bytes)) {
            Player.play(new Player.Game() {
                @Override
                public void roundTrips(long times) throws IOException {
                    Peer.roundTrips(socket, message, times);
                }

                @Override
                public boolean intact() {
                    return Arrays.equals(sent, message);
                }
            });
        }
    }

    /** Sends a request of one byte every millisecond. By then the server, and any code that polls for it, has long gone to sleep. */
    private static void asleep(InetAddress address, int port, int requests) throws IOException {
        byte[] message = new byte[1];
        double[] nanos = new double[requests];
        try (Socket socket = open(address, port, 1)) {
            for (int i = -requests / 4; i < requests; i++) { // the first requests, with negative numbers, are the warm-up
                LockSupport.parkNanos(PAUSE_NANOS);
                long from = System.nanoTime();
                roundTrips(socket, message, 1);
                if (i >= 0) {
                    nanos[i] = System.nanoTime() - from;
                }
            }
        }
        Arrays.sort(nanos);
        Program.result("median", (nanos[(requests - 1) / 2] + nanos[requests / 2]) / 2);
        Program.result("p99", nanos[(int) (nanos.length * 0.99)]);
    }
}
