package jfs.launcher.selftest;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import jfs.stat.Reason;
import jfs.stat.Stats;

/**
 * The program of both JVMs of a {@link Conversation}: {@code server KIND} or {@code client KIND PORT}, where KIND is {@code socket} or
 * {@code channel}. The client asks until both directions have left TCP, or will not leave it. Then each end sends a stream. Each end checks
 * every byte. It ends when its standard input ends, so that no process outlives the selftest.
 */
public final class Talk {

    /** What each end prints at the end, before its numbers. */
    static final String DONE = "done";
    static final String PORT = "port ";

    private static final int STREAM = 4 << 20;
    private static final int PIECE = 64 << 10;
    private static final int QUESTION_MAX = 3_000;
    /** The longest time until both directions have left TCP. */
    private static final long WHOLE_NANOS = TimeUnit.SECONDS.toNanos(20);
    /** How long a reason that can pass is given to pass. */
    private static final long PASSING_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final DataInputStream in;
    private final DataOutputStream out;
    private long checked;

    private Talk(InputStream in, OutputStream out) {
        this.in = new DataInputStream(in);
        this.out = new DataOutputStream(out);
    }

    /** Runs one end. The exit code is 0 if all bytes were right. */
    public static void main(String[] args) throws IOException {
        Thread watch = new Thread(Talk::endWithInput, "end of input");
        watch.setDaemon(true);
        watch.start();
        boolean channels = args[1].equals("channel");
        InetAddress host = InetAddress.getLoopbackAddress();
        if (args[0].equals("client")) {
            InetSocketAddress to = new InetSocketAddress(host, Integer.parseInt(args[2]));
            if (channels) {
                try (SocketChannel channel = SocketChannel.open(to)) {
                    of(channel).ask();
                }
            } else {
                try (Socket socket = new Socket(host, to.getPort())) {
                    of(socket).ask();
                }
            }
        } else if (channels) {
            try (ServerSocketChannel listener = ServerSocketChannel.open().bind(new InetSocketAddress(host, 0))) {
                System.out.println(PORT + ((InetSocketAddress) listener.getLocalAddress()).getPort());
                try (SocketChannel channel = listener.accept()) {
                    of(channel).answer();
                }
            }
        } else {
            try (ServerSocket listener = new ServerSocket(0, 1, host)) {
                System.out.println(PORT + listener.getLocalPort());
                try (Socket socket = listener.accept()) {
                    of(socket).answer();
                }
            }
        }
    }

    private static void endWithInput() {
        try {
            while (System.in.read() >= 0) {
                continue;
            }
        } catch (IOException e) {
            // The parent process has gone.
        }
        Runtime.getRuntime().halt(4);
    }

    private static Talk of(Socket socket) throws IOException {
        return new Talk(socket.getInputStream(), socket.getOutputStream());
    }

    private static Talk of(SocketChannel channel) {
        return new Talk(new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] to, int offset, int length) throws IOException {
                return channel.read(ByteBuffer.wrap(to, offset, length));
            }
        }, new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                write(new byte[] {(byte) value}, 0, 1);
            }

            @Override
            public void write(byte[] from, int offset, int length) throws IOException {
                ByteBuffer bytes = ByteBuffer.wrap(from, offset, length);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            }
        });
    }

    private void ask() throws IOException {
        long begin = System.nanoTime();
        long refused = 0;
        for (int round = 1; !isFast() && System.nanoTime() - begin < WHOLE_NANOS; round++) {
            question(1 + round * 37 % QUESTION_MAX, round);
            boolean forGood = Stats.fallbacks().keySet().stream().anyMatch(it -> !it.canPass());
            if (forGood || refused != 0 && System.nanoTime() - refused > PASSING_NANOS) {
                break;
            }
            refused = refused == 0 && !Stats.fallbacks().isEmpty() ? System.nanoTime() : refused;
        }
        question(QUESTION_MAX, 0); // the server has switched too when it has read this
        out.writeInt(0);
        stream(true);
        stream(false);
        if (in.read() >= 0) {
            throw new IOException("a byte came after the last one");
        }
        done();
    }

    private void question(int length, int seed) throws IOException {
        out.writeInt(length);
        out.write(bytes(length, seed));
        out.writeInt(seed);
        check(length, seed + 1);
    }

    private void answer() throws IOException {
        for (int length = in.readInt(); length != 0; length = in.readInt()) {
            byte[] question = new byte[length];
            in.readFully(question);
            int seed = in.readInt();
            compare(bytes(length, seed), question);
            out.write(bytes(length, seed + 1));
        }
        stream(false);
        stream(true);
        done();
    }

    private void stream(boolean send) throws IOException {
        for (int at = 0; at < STREAM; at += PIECE) {
            if (send) {
                out.write(bytes(PIECE, at));
            } else {
                check(PIECE, at);
            }
        }
    }

    private void check(int length, int seed) throws IOException {
        byte[] came = new byte[length];
        in.readFully(came);
        compare(bytes(length, seed), came);
    }

    private void compare(byte[] expected, byte[] came) throws IOException {
        for (int i = 0; i < expected.length; i++) {
            if (expected[i] != came[i]) {
                throw new IOException("byte " + (checked + i) + " of the stream is wrong");
            }
        }
        checked += expected.length;
    }

    private static byte[] bytes(int length, int seed) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 31 + seed * 17 + (i >> 8));
        }
        return bytes;
    }

    private static boolean isFast() {
        return Stats.SWITCHED_OUT.sum() > 0 && Stats.SWITCHED_IN.sum() > 0;
    }

    private void done() {
        StringBuilder reasons = new StringBuilder();
        for (Reason reason : Stats.fallbacks().keySet()) {
            reasons.append(' ').append(reason);
        }
        System.out.println(DONE + ' ' + isFast() + ' ' + checked + reasons);
    }
}
