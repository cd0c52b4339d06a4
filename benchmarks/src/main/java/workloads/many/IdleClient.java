package workloads.many;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashMap;
import java.util.Map;
import workloads.Player;

/**
 * Connections in one selector, to {@link SelectorServer}. Each has a short conversation and is idle from then on. Only the last one goes
 * on: it sends a message and waits for the answer, again and again. There are these turns:
 *
 * <ul>
 *   <li>As long as connections are missing, a turn connects some more. Figure: {@code connected}, how many there are.
 *   <li>A turn of no seconds tells what the two JVMs hold, by the names of {@link SelectorServer#HELD}, with {@code server-} before the
 *       server's figures.
 *   <li>In a turn of no trials the thread waits in its selector, and all connections are idle. Figure: {@code nanos}.
 *   <li>Any other turn is a conversation of the one connection, with the figures {@code rounds} and {@code nanos}.
 * </ul>
 *
 * <p>Arguments: address, port, number of idle connections.
 */
public final class IdleClient implements Player.Measured {
    /** The conversation of each connection: more than it takes to have a fast path if the first requests offer it (jfs.upgrade.after). */
    private static final int EXCHANGES = 20;

    private final InetSocketAddress server;
    private final int idle;
    private final Selector selector = Selector.open();
    private final ByteBuffer message = ByteBuffer.allocateDirect(SelectorServer.BYTES);
    private int connected;
    /** The last connection. */
    private SelectionKey talking;
    private long count;

    private IdleClient(InetSocketAddress server, int idle) throws IOException {
        this.server = server;
        this.idle = idle;
    }

    public static void main(String[] args) throws IOException {
        InetSocketAddress server = new InetSocketAddress(args[0], Integer.parseInt(args[1]));
        Player.playFromCold(new IdleClient(server, Integer.parseInt(args[2])));
    }

    @Override
    public void warm(double nanos) throws IOException {
        talk(nanos);
    }

    @Override
    public Map<String, Double> turn(double seconds, int trials) throws IOException {
        if (connected <= idle) {
            return connect(seconds * 1e9);
        }
        if (seconds == 0) {
            return held();
        }
        return trials == 0 ? waitIdle(seconds * 1e9) : talk(seconds * 1e9);
    }

    private Map<String, Double> connect(double nanos) throws IOException {
        for (long from = System.nanoTime(); connected <= idle && System.nanoTime() - from < nanos; connected++) {
            SocketChannel channel = SocketChannel.open(server);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            talking = channel.register(selector, SelectionKey.OP_READ);
            for (int i = 0; i < EXCHANGES; i++) {
                exchange(++count);
            }
        }
        return Map.of("connected", (double) connected);
    }

    private Map<String, Double> talk(double nanos) throws IOException {
        long from = System.nanoTime();
        long rounds = 0;
        do {
            exchange(++count);
            rounds++;
        } while (System.nanoTime() - from < nanos);
        return Map.of("rounds", (double) rounds, "nanos", (double) (System.nanoTime() - from));
    }

    private Map<String, Double> waitIdle(double nanos) throws IOException {
        long from = System.nanoTime();
        for (double left = nanos; left > 0; left = nanos - (System.nanoTime() - from)) {
            if (selector.select(1 + (long) (left * 1e-6)) > 0) {
                throw new IOException("a connection is ready although nothing was sent");
            }
        }
        return Map.of("nanos", (double) (System.nanoTime() - from));
    }

    private Map<String, Double> held() throws IOException {
        Map<String, Double> all = new LinkedHashMap<>();
        receive(SelectorServer.TELL);
        for (String figure : SelectorServer.HELD) {
            all.put("server-" + figure, message.getDouble());
        }
        double[] own = SelectorServer.held();
        for (int i = 0; i < own.length; i++) {
            all.put(SelectorServer.HELD.get(i), own[i]);
        }
        return all;
    }

    private void exchange(long number) throws IOException {
        receive(number);
        if (message.getLong() != number) {
            throw new IOException("a wrong answer");
        }
    }

    /** Sends a message that begins with that number, and receives the answer into {@link #message}. */
    private void receive(long number) throws IOException {
        SocketChannel channel = (SocketChannel) talking.channel();
        SelectorServer.send(channel, message.clear().putLong(0, number));
        message.clear();
        while (message.hasRemaining()) {
            selector.select();
            if (!selector.selectedKeys().remove(talking) || !selector.selectedKeys().isEmpty()) {
                throw new IOException("an idle connection is ready, or none is");
            }
            if (channel.read(message) < 0) {
                throw new EOFException("the server has closed the connection");
            }
        }
        message.flip();
    }
}
