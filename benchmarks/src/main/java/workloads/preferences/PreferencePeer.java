package workloads.preferences;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import workloads.Player;
import workloads.Program;

/**
 * Both ends: {@code serve ADDRESS PORT STATED} and {@code play ADDRESS PORT STATED WORK,WORK...}. Both state the same preferences. The
 * client has a connection for each {@link Work}.
 *
 * <p>On a connection the client first sends the length of its messages, in four bytes, and the server the number of its process, in
 * eight. The first byte of a message tells what becomes of it ({@link Work.Kind}). Bytes 1 to 8 of an answer are a number of the server's:
 * the nanoseconds that it has computed, or the messages that it has taken.
 */
public final class PreferencePeer {
    static final int NUMBER_AT = 1;

    private static final long SERVICE_LEAST = TimeUnit.MICROSECONDS.toNanos(150);
    private static final long SERVICE_MOST = TimeUnit.MICROSECONDS.toNanos(250);
    private static final int SEED = 20_261_127;

    private PreferencePeer() {}

    public static void main(String[] args) throws IOException {
        InetAddress address = InetAddress.getByName(args[1]);
        int port = Integer.parseInt(args[2]);
        Stated stated = Stated.valueOf(args[3]);
        if (args[0].equals("play")) {
            List<Work> all = Stream.of(args[4].split(",")).map(Work::valueOf).toList();
            try (WorkingClient client = new WorkingClient(address, port, stated, all)) {
                Player.play(client);
            }
            return;
        }
        Program.endWithParent();
        try (ServerSocket server = new ServerSocket(port, Work.values().length, address)) {
            Program.ready(server.getLocalPort());
            for (;;) {
                Socket socket = server.accept();
                new Thread(() -> serve(socket, stated), "server of " + socket.getPort()).start();
            }
        }
    }

    private static void serve(Socket accepted, Stated stated) {
        try (Socket socket = accepted) {
            socket.setTcpNoDelay(true);
            stated.of(socket);
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            byte[] message = new byte[new DataInputStream(in).readInt()];
            new DataOutputStream(out).writeLong(ProcessHandle.current().pid());
            SplittableRandom random = new SplittableRandom(SEED);
            long taken = 0;
            while (in.readNBytes(message, 0, message.length) == message.length) {
                taken++;
                if (message[0] == Work.Kind.SENT.code()) {
                    continue;
                }
                long number = message[0] == Work.Kind.SERVED.code()
                        ? Clock.compute(System.nanoTime(), random.nextLong(SERVICE_LEAST, SERVICE_MOST)) : taken;
                ByteBuffer.wrap(message).putLong(NUMBER_AT, number);
                out.write(message);
            }
        } catch (IOException e) {
            System.err.println("server: " + e);
        }
    }
}
