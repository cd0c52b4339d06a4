package jfs.conformance.harness.faults;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import jfs.conformance.harness.Bytes;
import jfs.conformance.harness.EndKind;
import jfs.stat.Stats;
import jfs.testing.Background;

/**
 * One end of a conversation that reaches every step of a connection's life: connect, requests until both ends have
 * switched, pauses in which readers sleep, bulk both ways that spills and makes writers sleep, both ways at the same time,
 * the end of one stream, then of the other, close. Each direction's bytes follow from seed and position and are checked
 * when they come. Whatever happens, the conversation ends with {@link #hold}'s result.
 */
public final class Talk {

    private static final int REQUEST = 100;
    private static final int ROUNDS_MIN = 3;
    private static final int SLOW_ROUNDS = 5;
    private static final long PAUSE_MILLIS = 1;
    /**
     * How long to wait for a decision. A path that fails before the stream has switched to it is counted under no reason;
     * all bytes then go over TCP.
     */
    private static final long UNDECIDED_NANOS_MAX = TimeUnit.SECONDS.toNanos(3);
    /** More bytes than the path takes before its writer sleeps. */
    private static final int BULK = 4_600_000;
    private static final int BOTH_WAYS = 200_000;
    private static final int TAIL = 50_000;
    private static final int PIECE = 40_000;

    /** The streams' bytes repeat after this many. It is a prime, and no two buffers' sizes differ by it. */
    private static final int PERIOD = 1_000_003;
    private static final byte[] CONTENT = Bytes.of(1, 0, PERIOD);

    private static final byte LAST = 0;
    private static final byte MORE = 1;

    /** The phase of a conversation that has succeeded. */
    static final String WHOLE = "whole";

    private static volatile Talk current;

    /** The place in the content at which this conversation's streams begin. */
    private final int offset;
    private final boolean endsFirst;
    private final EndKind kind;
    private boolean client;
    private Socket socket;

    private volatile long sent;
    private long received;
    private String phase = "connect";
    private volatile String write = "none";
    private volatile String read = "none";
    private volatile String own = "none";

    /**
     * @param seed of the streams: the peer has the same
     * @param endsFirst whether this end ends its stream first, and goes on reading
     * @param kind what this end is
     */
    public Talk(long seed, boolean endsFirst, EndKind kind) {
        this.kind = kind;
        this.offset = Math.floorMod(seed, PERIOD);
        this.endsFirst = endsFirst;
    }

    /** How many bytes this process has written in its conversation, in writes that have returned. */
    static long sent() {
        Talk it = current;
        return it == null ? 0 : it.sent;
    }

    /**
     * @param listener the server's listener, of this kind; null at the client, which connects to address and port
     * @return an {@link Ending}'s text
     */
    public String hold(ServerSocket listener, String address, int port) throws Exception {
        current = this;
        client = listener == null;
        boolean whole = false;
        try {
            if (client) {
                socket = kind.open();
                socket.connect(new InetSocketAddress(address, port));
            } else {
                socket = listener.accept();
            }
            socket = kind.connected(socket);
            talk();
            phase = "close";
            socket.close();
            whole = true;
        } catch (IOException e) {
            if (read.equals("none")) {
                drain();
            }
        } catch (OutOfMemoryError e) {
            own = e.toString();
        } finally {
            close();
        }
        return (whole ? WHOLE : phase) + "; write=" + write + "; read=" + read + "; own=" + own + "; received="
                + received + "; sent=" + sent;
    }

    private void close() {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException | OutOfMemoryError e) {
            own = e.toString();
        }
    }

    private void talk() throws Exception {
        phase = "requests";
        if (client) {
            ask();
        } else {
            answer();
        }
        phase = "bulk";
        if (client) {
            write(BULK);
            awaitBlockedPeer();
            read(BULK);
        } else {
            awaitBlockedPeer();
            read(BULK);
            write(BULK);
        }
        phase = "both ways";
        Background<Void> writer = Background.run(this::writeBothWays);
        try {
            read(BOTH_WAYS);
        } catch (OutOfMemoryError e) {
            own = e.toString(); // the other thread's outcome would hide it
            close(); // so that the program's other thread does not write forever
            throw e;
        } finally {
            writer.result();
        }
        phase = "half-close";
        if (endsFirst) {
            socket.shutdownOutput();
            read(TAIL);
            readEnd();
        } else {
            readEnd();
            write(TAIL);
        }
    }

    private void ask() throws Exception {
        long before = Stats.SWITCHED_IN.sum() + Stats.SWITCHED_OUT.sum();
        int fallbacks = Stats.fallbacks().values().stream().mapToInt(Long::intValue).sum();
        long start = System.nanoTime();
        int slow = 0;
        for (int round = 0; slow < SLOW_ROUNDS; round++) {
            boolean decided = Stats.SWITCHED_IN.sum() + Stats.SWITCHED_OUT.sum() == before + 2
                    || Stats.fallbacks().values().stream().mapToInt(Long::intValue).sum() > fallbacks;
            decided |= System.nanoTime() - start > UNDECIDED_NANOS_MAX;
            if (decided && round >= ROUNDS_MIN) {
                slow++;
                Thread.sleep(PAUSE_MILLIS); // the server's reader falls asleep
            }
            write(new byte[] {slow == SLOW_ROUNDS ? LAST : MORE}, 0, 1);
            write(REQUEST);
            read(REQUEST);
        }
    }

    private void answer() throws Exception {
        byte[] flag = new byte[1];
        do {
            readFully(flag, 1);
            read(REQUEST);
            Thread.sleep(PAUSE_MILLIS); // the client's reader falls asleep
            write(REQUEST);
        } while (flag[0] == MORE);
    }

    /** Waits until the peer has written all that it can before this end reads. */
    private void awaitBlockedPeer() throws Exception {
        int before = -1;
        for (int looks = 0, same = 0; same < (before > 0 ? 20 : 100) && looks < 1_000; looks++) {
            int now = socket.getInputStream().available();
            same = now == before ? same + 1 : 0;
            before = now;
            Thread.sleep(1);
        }
    }

    private void writeBothWays() throws IOException {
        try {
            write(BOTH_WAYS);
        } catch (OutOfMemoryError e) {
            own = e.toString();
            close(); // so that the program's other thread does not read forever
        }
    }

    private void write(int bytes) throws IOException {
        for (int left = bytes; left > 0;) {
            int at = inContent(client, sent);
            int n = Math.min(Math.min(left, PIECE), PERIOD - at);
            write(CONTENT, at, n);
            sent += n;
            left -= n;
        }
    }

    private void write(byte[] from, int offset, int length) throws IOException {
        try {
            socket.getOutputStream().write(from, offset, length);
        } catch (IOException e) {
            write = e.toString();
            throw e;
        }
    }

    private void read(int bytes) throws IOException {
        byte[] buffer = new byte[PIECE];
        for (int left = bytes; left > 0;) {
            int n = readSome(buffer, Math.min(left, buffer.length));
            check(buffer, n);
            left -= n;
        }
    }

    private void check(byte[] bytes, int length) {
        for (int at = 0; at < length;) {
            int from = inContent(!client, received);
            int n = Math.min(length - at, PERIOD - from);
            int wrong = Arrays.mismatch(bytes, at, at + n, CONTENT, from, from + n);
            if (wrong >= 0) {
                throw new AssertionError("wrong byte at " + (received + wrong) + " in " + phase);
            }
            received += n;
            at += n;
        }
    }

    private void readFully(byte[] into, int length) throws IOException {
        for (int at = 0; at < length;) {
            at += readSome(into, length - at);
        }
    }

    private int readSome(byte[] into, int length) throws IOException {
        int n;
        try {
            n = socket.getInputStream().read(into, 0, length);
        } catch (IOException e) {
            read = e.toString();
            throw e;
        }
        if (n < 0) {
            read = "end";
            throw new EOFException();
        }
        return n;
    }

    private void readEnd() throws IOException {
        int n;
        try {
            n = socket.getInputStream().read();
        } catch (IOException e) {
            read = e.toString();
            throw e;
        }
        if (n >= 0) {
            throw new AssertionError("more than the stream");
        }
    }

    /** Called after a write has failed. It reads what the peer had sent before. */
    private void drain() {
        byte[] buffer = new byte[PIECE];
        byte[] flag = new byte[1];
        try {
            for (;;) {
                if (!client && phase.equals("requests") && received % REQUEST == 0) {
                    readSome(flag, 1);
                }
                check(buffer, readSome(buffer, !client && phase.equals("requests")
                        ? (int) (REQUEST - received % REQUEST) : buffer.length));
            }
        } catch (IOException e) {
            // readSome has recorded it.
        }
    }

    /** The place in the content of the byte at this position of a stream. */
    private int inContent(boolean clients, long position) {
        return (int) ((offset + position + (clients ? 0 : PERIOD / 2)) % PERIOD);
    }
}
