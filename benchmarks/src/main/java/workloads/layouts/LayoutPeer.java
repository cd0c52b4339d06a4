package workloads.layouts;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import jfs.JFS;
import workloads.Player;
import workloads.Program;
import workloads.RoundTrips;

/**
 * Both ends: {@code serve ADDRESS PORT MANNER LENGTH,LENGTH...} and {@code play ADDRESS PORT MANNER LENGTH,LENGTH...}, with the lengths
 * of the blocks. Vectors go there and back. Before some vectors of one length the client announces them, by two numbers that go through
 * the socket's own streams: no stream has read them ahead, because until then nothing is under way.
 */
public final class LayoutPeer {
    /** The number of blocks of each vector; that of the floor program {@code gather} too. */
    public static final int BLOCKS = Vector.BLOCKS;

    /** Of a message, beside its elements: the prefix and the header of a section. */
    private static final int MESSAGE = 64;

    private final Socket socket;
    private final Transfer transfer;
    private final Map<Integer, Vector> vectors = new LinkedHashMap<>();

    private LayoutPeer(Socket socket, Manner manner, List<Integer> lengths) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        int longest = lengths.stream().max(Integer::compare).orElseThrow();
        this.transfer = manner.over(JFS.streams(socket), MESSAGE + Double.BYTES * BLOCKS * longest);
        lengths.forEach(length -> vectors.put(length, new Vector(length)));
    }

    public static void main(String[] args) throws IOException {
        InetAddress address = InetAddress.getByName(args[1]);
        int port = Integer.parseInt(args[2]);
        Manner manner = Manner.valueOf(args[3]);
        List<Integer> lengths = Stream.of(args[4].split(",")).map(Integer::valueOf).toList();
        if (args[0].equals("serve")) {
            Program.endWithParent();
            try (ServerSocket server = new ServerSocket(port, 1, address)) {
                Program.ready(server.getLocalPort());
                try (Socket socket = server.accept()) {
                    new LayoutPeer(socket, manner, lengths).echo();
                }
            }
            return;
        }
        try (Socket socket = new Socket(address, port)) {
            Player.play(new LayoutPeer(socket, manner, lengths).new Sweep());
        }
    }

    /** Sends each vector back, until the client closes the connection. */
    private void echo() throws IOException {
        DataInputStream announced = new DataInputStream(socket.getInputStream());
        for (int longest = announced.read(); longest >= 0; longest = announced.read()) {
            int length = longest << 16 | announced.readUnsignedShort();
            Vector vector = vectors.get(length);
            for (long left = announced.readLong(); left > 0; left--) {
                transfer.receive(vector);
                transfer.send(vector);
            }
        }
        for (Vector vector : vectors.values()) { // not between the batches, which are measured
            if (!vector.isSameAs(new Vector(vector.length()))) {
                throw new IOException("the payload did not arrive intact");
            }
        }
    }

    /** A turn has all lengths. Figures have the length in their names: {@code median16} is the time one way. */
    private final class Sweep implements Player.Measured {
        private final Map<Integer, RoundTrips> all = new LinkedHashMap<>();

        Sweep() {
            vectors.forEach((length, vector) -> all.put(length, new RoundTrips(new Player.Game() {
                @Override
                public void roundTrips(long times) throws IOException {
                    DataOutputStream announcement = new DataOutputStream(socket.getOutputStream());
                    announcement.write(length >> 16);
                    announcement.writeShort(length);
                    announcement.writeLong(times);
                    for (long i = 0; i < times; i++) {
                        transfer.send(vector);
                        transfer.receive(vector);
                    }
                }

                @Override
                public boolean intact() {
                    return vector.isSameAs(new Vector(length));
                }
            })));
        }

        @Override
        public void warm(double nanos) throws IOException {
            for (RoundTrips each : all.values()) {
                each.warm(nanos / all.size());
            }
        }

        @Override
        public Map<String, Double> turn(double seconds, int trials) throws IOException {
            Map<String, Double> figures = new HashMap<>();
            for (Map.Entry<Integer, RoundTrips> each : all.entrySet()) {
                figures.put("median" + each.getKey(), each.getValue().turn(seconds / all.size(), trials).get("median"));
            }
            return figures;
        }
    }
}
