package workloads.echo;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import workloads.Footprint;
import workloads.Player;

/**
 * The client that is measured. Again and again it connects to {@link Peer}, which serves, makes a number of calls of one byte, and
 * closes. Figures of a turn: {@code rounds} is the number of connections, {@code nanos} the time of the turn, {@code client} and
 * {@code server} are the bytes that each end's process has allocated in that time. In a turn of 0 seconds the client makes no such
 * connections. Its figures then are what both processes hold ({@link Footprint#now}), the server's with the prefix {@code server-}.
 *
 * <p>Arguments: address, port, calls, and the most connections a second; 0: no limit.
 */
public final class ConnectClient implements Player.Measured {
    private static final byte[] FIRST_REQUEST = {0, 0, 0, 1, 42}; // the length and a message in one segment

    private final InetAddress address;
    private final int port;
    private final int calls;
    private final double rate;
    private final byte[] message = new byte[1];

    private ConnectClient(InetAddress address, int port, int calls, double rate) {
        this.address = address;
        this.port = port;
        this.calls = calls;
        this.rate = rate;
    }

    public static void main(String[] args) throws IOException {
        Player.play(new ConnectClient(InetAddress.getByName(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]),
                Double.parseDouble(args[3])));
    }

    @Override
    public void warm(double nanos) throws IOException {
        connections(nanos, 0);
    }

    @Override
    public Map<String, Double> turn(double seconds, int trials) throws IOException {
        if (seconds == 0) {
            return held();
        }
        double server = serversAllocated();
        double client = Footprint.allocated();
        long from = System.nanoTime();
        double rounds = connections(seconds * TimeUnit.SECONDS.toNanos(1), rate);
        double nanos = System.nanoTime() - from;
        client = Footprint.allocated() - client;
        return Map.of("rounds", rounds, "nanos", nanos, "client", client, "server", serversAllocated() - server);
    }

    /** @return the number of connections */
    private long connections(double nanos, double rate) throws IOException {
        double pause = rate == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) / rate;
        long from = System.nanoTime();
        long done = 0;
        for (double now = 0; now < nanos; now = System.nanoTime() - from) {
            if (now < done * pause) {
                LockSupport.parkNanos((long) (done * pause - now));
                continue;
            }
            connection();
            done++;
        }
        return done;
    }

    private void connection() throws IOException {
        try (Socket socket = new Socket(address, port)) {
            socket.setTcpNoDelay(true);
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            out.write(FIRST_REQUEST);
            receive(in);
            for (int i = 1; i < calls; i++) {
                out.write(message);
                receive(in);
            }
        }
    }

    private void receive(InputStream in) throws IOException {
        if (in.read(message, 0, 1) < 0) {
            throw new IOException("the server has closed the connection");
        }
        if (message[0] != FIRST_REQUEST[FIRST_REQUEST.length - 1]) {
            throw new IOException("the payload did not arrive intact");
        }
    }

    private double serversAllocated() throws IOException {
        return ask(Peer.TELL_ALLOCATED, DataInputStream::readLong);
    }

    private Map<String, Double> held() throws IOException {
        Map<String, Double> all = new LinkedHashMap<>(Footprint.now());
        for (String figure : ask(Peer.TELL_FOOTPRINT, in -> in.readUTF()).split(" ")) {
            String[] keyAndValue = figure.split("=");
            all.put("server-" + keyAndValue[0], Double.parseDouble(keyAndValue[1]));
        }
        return all;
    }

    private interface Answer<T> {
        T read(DataInputStream in) throws IOException;
    }

    private <T> T ask(int what, Answer<T> answer) throws IOException {
        try (Socket socket = new Socket(address, port)) {
            new DataOutputStream(socket.getOutputStream()).writeInt(what);
            return answer.read(new DataInputStream(socket.getInputStream()));
        }
    }
}
