package workloads.many;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import workloads.Program;

/**
 * Opens connections and keeps each of them busy for a while. Then it sends one request after the other, on each connection in turn, at
 * a steady pace. It reports what the connections cost both processes in this second part, see {@link Usage}. Then it reports what the
 * connections cost while they are not used.
 *
 * <p>Arguments: address, port, connections, bytes of a request, milliseconds between two requests of a connection, seconds,
 * seconds of the idle part.
 */
public final class LightClient {
    /**
     * The limits of the busy part on each connection: bytes and requests. 1,000 requests are more than it takes until a connection is
     * offered. 12 MB, with large requests, are also more than the connection's buffers take.
     */
    private static final int BUSY_BYTES = 12 << 20;
    private static final int BUSY_REQUESTS = 1_000;
    /** The time from the last request to the idle part. By then JFS has noticed the idle connections and has given memory back. */
    private static final long SETTLING_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final byte[] request;
    private final List<Socket> sockets = new ArrayList<>();
    private long server;

    private LightClient(int bytes) {
        request = new byte[bytes];
    }

    public static void main(String[] args) throws IOException {
        Program.endWithParent();
        InetAddress address = InetAddress.getByName(args[0]);
        int connections = Integer.parseInt(args[2]);
        LightClient client = new LightClient(Integer.parseInt(args[3]));
        for (int i = 0; i < connections; i++) {
            client.connect(address, Integer.parseInt(args[1]));
        }
        client.busy();
        client.paced(TimeUnit.MILLISECONDS.toNanos(Long.parseLong(args[4])) / connections, Integer.parseInt(args[5]));
        client.idle(Integer.parseInt(args[6]));
    }

    private void connect(InetAddress address, int port) throws IOException {
        Socket socket = new Socket(address, port);
        sockets.add(socket);
        socket.setTcpNoDelay(true);
        new DataOutputStream(socket.getOutputStream()).writeInt(request.length);
        server = new DataInputStream(socket.getInputStream()).readLong();
    }

    private void exchange(Socket socket) throws IOException {
        socket.getOutputStream().write(request);
        if (socket.getInputStream().readNBytes(request, 0, request.length) < request.length) {
            throw new IOException("the server has closed the connection");
        }
    }

    private void busy() throws IOException {
        for (Socket socket : sockets) {
            for (int i = Math.min(BUSY_REQUESTS, BUSY_BYTES / request.length); i > 0; i--) {
                exchange(socket);
            }
        }
    }

    private void paced(long gapNanos, int seconds) throws IOException {
        double[] latencies = new double[(int) (TimeUnit.SECONDS.toNanos(seconds) / gapNanos)];
        Usage.Cpu before = Usage.cpu(server);
        long start = System.nanoTime();
        for (int i = 0; i < latencies.length; i++) {
            long due = start + i * gapNanos;
            sleepUntil(due);
            exchange(sockets.get(i % sockets.size()));
            latencies[i] = System.nanoTime() - due; // from when it was due: a request that the one before has delayed has waited too
        }
        Program.result("cpu", Usage.cpu(server).since(before) / latencies.length);
        Arrays.sort(latencies);
        Program.result("median", latencies[latencies.length / 2]);
        Program.result("p99", latencies[(int) (latencies.length * 0.99)]);
        Program.result("shared", (double) Usage.sharedBytes(server) / sockets.size());
        Program.result("resident", (double) Usage.residentBytes(server) / sockets.size());
        Program.result("kernel", (double) Usage.kernelBytes() / sockets.size());
    }

    private void idle(int seconds) throws IOException {
        long from = System.nanoTime() + SETTLING_NANOS;
        sleepUntil(from);
        Usage.Cpu before = Usage.cpu(server);
        sleepUntil(from + TimeUnit.SECONDS.toNanos(seconds));
        Program.result("idle", (double) Usage.cpu(server).since(before) / seconds);
        Program.result("idleshared", (double) Usage.sharedBytes(server) / sockets.size());
    }

    private static void sleepUntil(long due) {
        for (long now = System.nanoTime(); now < due; now = System.nanoTime()) {
            LockSupport.parkNanos(due - now);
        }
    }
}
