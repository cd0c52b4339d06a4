package jfs.conformance.hostile;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import jfs.nativelib.Posix;
import jfs.nativelib.Sisci;
import jfs.testing.Await;

/**
 * One end of a connection whose other end is a victim's JFS socket. The connection is a plain channel. Beside it this class
 * writes and reads the rendezvous' messages and the shared memory itself, as {@code negotiation.handshake.Message} and
 * {@code InboxLayout} draw them.
 */
final class HostilePeer implements AutoCloseable {

    static final int WINDOW = 16 << 10;
    static final int OVERFLOW = 64 << 10;
    private static final int PAGE = 4096;
    private static final int TUPLE = 48;

    // Offsets in one inbox, as in InboxLayout.
    static final int SWITCHED = 128;
    static final int ENDED = 136;
    static final int OVERFLOW_TAIL = 256;
    static final int OVERFLOW_END = 264;
    static final int RECEIVER = 384;
    static final int HEAD = 512;
    static final int OVERFLOW_HEAD = 520;
    static final int READER_ASLEEP = 640;
    static final int WRITER_ASLEEP = 644;
    static final int RING = PAGE;

    // Values in messages.
    private static final byte VERSION = 3;
    static final int FLAGS = 6;
    static final int JOINED = 0;
    static final int NOT_MINE = 1;
    static final int DECLINED = 2;
    static final int STALE_OFFER = 3;
    static final int HUNG_UP = -1;

    final Socket victim;
    final SocketChannel tcp;
    /** The whole segment; null until attached. */
    ByteBuffer memory;
    /** Bytes of one inbox. */
    int inbox;
    private final boolean connecting;
    private long segment;
    private long map;
    private long interrupt;
    private int interruptNumber;
    private long victimsInterrupt;
    private int segmentId;

    private HostilePeer(Socket victim, SocketChannel tcp, boolean connecting) {
        this.victim = victim;
        this.tcp = tcp;
        this.connecting = connecting;
    }

    /** The offset of the inbox that the victim reads and this peer writes. */
    int victimsInbox() {
        return connecting ? 0 : inbox;
    }

    static String name(int port) {
        return "jfs/1/00000000000000000000ffff7f000001:" + port + "#0";
    }

    // Methods for a victim that listens.

    /** Makes a connection that the victim has accepted. There is no offer yet. */
    static HostilePeer to(ServerSocket victims) throws IOException {
        SocketChannel tcp = SocketChannel.open(victims.getLocalSocketAddress());
        HostilePeer it = new HostilePeer(victims.accept(), tcp, true);
        converse(tcp, it.victim);
        return it;
    }

    /** A question and an answer. After these a connecting victim's next request leads to an offer. */
    static void converse(SocketChannel plain, Socket jfs) throws IOException {
        plain.write(ByteBuffer.allocate(1));
        jfs.getInputStream().read();
        jfs.getOutputStream().write(0);
        plain.read(ByteBuffer.allocate(1));
    }

    /** A peer without a connection, for a process that claims another process's connection. */
    static HostilePeer withoutConnection(boolean connecting) {
        return new HostilePeer(null, null, connecting);
    }

    /** Makes a segment and an interrupt of this peer's, for an offer. */
    void makeSegment(long nonce) {
        inbox = PAGE + WINDOW + OVERFLOW;
        long[] out = new long[3];
        int error;
        do {
            segmentId = ThreadLocalRandom.current().nextInt() & 0x0fffffff;
            error = Sisci.createSegment(segmentId, 2L * inbox, 0, out);
        } while (error == Sisci.SEGMENTID_USED);
        check(error);
        segment = out[0];
        memory = Sisci.mapLocal(segment, 2L * inbox, out);
        map = out[0];
        memory.order(ByteOrder.nativeOrder());
        for (int at = 0; at <= inbox; at += inbox) {
            memory.putInt(at + 8, VERSION).putInt(at + 12, WINDOW).putInt(at + 16, OVERFLOW).putLong(at + 24, nonce)
                    .putLong(at, 0x4a4653696e626f78L);
        }
        makeInterrupt();
        check(Sisci.setAvailable(segment));
    }

    long segment() {
        return segment;
    }

    private void makeInterrupt() {
        long[] out = new long[3];
        check(Sisci.createInterrupt(-1, out));
        interrupt = out[0];
        interruptNumber = (int) out[1];
    }

    /** Node, segment, interrupt, window, overflow. */
    byte[] description() {
        long[] node = new long[1];
        check(Sisci.localNode(node));
        return ByteBuffer.allocate(20).putInt((int) node[0]).putInt(segmentId).putInt(interruptNumber).putInt(WINDOW)
                .putInt(OVERFLOW).array();
    }

    /** The offer for this peer's connection. */
    byte[] offer(long nonce, byte[] description) throws IOException {
        return offer(nonce, false, (InetSocketAddress) tcp.getLocalAddress(), (InetSocketAddress) tcp.getRemoteAddress(),
                description);
    }

    static byte[] offer(long nonce, boolean early, InetSocketAddress near, InetSocketAddress far, byte[] description) {
        byte[] transport = "sci".getBytes(StandardCharsets.US_ASCII);
        ByteBuffer out = ByteBuffer.allocate(15 + TUPLE + 1 + transport.length + description.length);
        out.putInt(0x4a465331).put(VERSION).put((byte) 1).put((byte) (early ? 1 : 0)).putLong(nonce);
        put(out, near);
        put(out, far);
        return out.put((byte) transport.length).put(transport).put(description).array();
    }

    private static void put(ByteBuffer out, InetSocketAddress end) {
        out.put(new byte[10]).putShort((short) -1).put(end.getAddress().getAddress()).putInt(0).putInt(end.getPort());
    }

    /** Sends a message to a name. Returns the status of the answer, or HUNG_UP. */
    static int say(String name, byte[] message) {
        return status(ask(name, message));
    }

    /** The same without a message. */
    static int hear(String name) {
        return status(ask(name, null));
    }

    private static int status(byte[] answer) {
        return answer.length == 0 ? HUNG_UP : answer[6];
    }

    /** The name of the reason in the answer that this visit gets; empty if it is none. Closes the visit. */
    static String reason(int visit) {
        byte[] answer = new byte[256];
        int n = receive(visit, answer);
        Posix.close(visit);
        return n <= 7 || answer[6] != DECLINED ? "" : new String(answer, 7, n - 7, StandardCharsets.US_ASCII);
    }

    /** @param message null for none */
    private static byte[] ask(String name, byte[] message) {
        int fd = connect(name);
        try {
            if (message != null) {
                Posix.send(fd, message, message.length);
            }
            byte[] answer = new byte[256];
            return Arrays.copyOf(answer, Math.max(0, receive(fd, answer)));
        } finally {
            Posix.close(fd);
        }
    }

    static int connect(String name) {
        for (long start = System.nanoTime(); System.nanoTime() - start < Await.LIMIT.toNanos();) {
            int fd = Posix.unixConnect(null, name);
            if (fd != -Posix.EAGAIN) {
                return check(fd);
            }
            Thread.onSpinWait(); // the backlog is full
        }
        throw new AssertionError("nobody accepts at " + name);
    }

    private static int receive(int fd, byte[] into) {
        if (Posix.poll(fd, Posix.POLLIN, -1, 0, (int) Await.LIMIT.toMillis()) == 0) {
            throw new AssertionError("no answer");
        }
        return Posix.receive(fd, into);
    }

    /** Makes a peer whose victim has attached its connection to this peer's memory. */
    static HostilePeer attachedTo(ServerSocket victims) throws IOException {
        HostilePeer it = to(victims);
        it.makeSegment(42);
        byte[] answer = ask(name(victims.getLocalPort()), it.offer(42, it.description()));
        if (answer.length < 19 || answer[6] != JOINED) {
            throw new AssertionError("answered " + Arrays.toString(answer));
        }
        ByteBuffer bell = ByteBuffer.wrap(answer, 7, 8);
        it.findBell(bell.getInt(), bell.getInt());
        return it;
    }

    // Methods for a victim that connects.

    /** The answer to a victim's offer. */
    interface Answer {
        /** The method may connect to the segment again. */
        byte[] to(HostilePeer peer, byte[] description) throws IOException;
    }

    static byte[] joined(HostilePeer peer) {
        long[] node = new long[1];
        check(Sisci.localNode(node));
        return ByteBuffer.allocate(15).putInt(0x4a465331).put(VERSION).put((byte) 2).put((byte) JOINED)
                .putInt((int) node[0]).putInt(peer.interruptNumber).array();
    }

    /** Accepts a victim's connection, takes its offer, attaches to its memory, and answers. */
    static HostilePeer acceptedFrom(Answer answer) throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
            InetSocketAddress address = (InetSocketAddress) listener.getLocalAddress();
            int names = Posix.unixListen(name(address.getPort()), 8);
            if (names == -Posix.EADDRINUSE) { // another process's name, which may outlive its listener
                return acceptedFrom(answer);
            }
            check(names);
            try {
                Socket victim = new Socket(address.getAddress(), address.getPort());
                HostilePeer it = new HostilePeer(victim, listener.accept(), false);
                victim.getOutputStream().write(0);
                it.tcp.read(ByteBuffer.allocate(1));
                converse(it.tcp, victim); // after this the victim's next request leads to an offer
                it.answerOffer(names, answer);
                return it;
            } finally {
                Posix.close(names);
            }
        }
    }

    private static int visitor(int names) {
        Posix.poll(names, Posix.POLLIN, -1, 0, (int) Await.LIMIT.toMillis());
        return check(Posix.accept(names));
    }

    /**
     * Passes the offer of the next visitor on to the process that has the given name, and the answer back.
     *
     * @param own makes the name of the socket that passes the offer on from the name of the visitor's socket; null for no
     *     name
     */
    static void relay(int names, String name, UnaryOperator<String> own) {
        int visitor = visitor(names);
        try {
            byte[] offer = new byte[256];
            int length = receive(visitor, offer);
            int onwards = check(Posix.unixConnect(own == null ? null : own.apply(Posix.unixPeerName(visitor)), name));
            Posix.send(onwards, offer, length);
            byte[] answer = new byte[256];
            Posix.send(visitor, answer, receive(onwards, answer));
            Posix.close(onwards);
        } finally {
            Posix.close(visitor);
        }
    }

    /** Takes the next visitor's offer, attaches to its memory, and answers. */
    void answerOffer(int names, Answer answer) throws IOException {
        int visitor = visitor(names);
        try {
            byte[] offer = new byte[256];
            int n = receive(visitor, offer);
            byte[] description = new byte[20];
            int name = 15 + TUPLE; // the transport's name, with its length before it
            ByteBuffer.wrap(offer).position(name + 1 + offer[name]).get(description);
            joinSegment(description);
            byte[] said = answer.to(this, description);
            Posix.send(visitor, said, said.length);
        } finally {
            Posix.close(visitor);
        }
    }

    private void joinSegment(byte[] description) {
        ByteBuffer in = ByteBuffer.wrap(description);
        int node = in.getInt();
        int id = in.getInt();
        int number = in.getInt();
        long[] out = new long[3];
        check(Sisci.connectSegment(node, id, 5_000, 0, out));
        segment = out[0];
        inbox = (int) (out[1] / 2);
        memory = Sisci.mapRemote(segment, out[1], out).order(ByteOrder.nativeOrder());
        map = out[0];
        makeInterrupt();
        findBell(node, number);
    }

    private void findBell(int node, int number) {
        long[] out = new long[1];
        check(Sisci.connectInterrupt(node, number, 0, out));
        victimsInterrupt = out[0];
    }

    /** Connects to the segment, as another process that has seen its name might do. @return whether it has got the memory */
    static boolean connectsToo(byte[] description) {
        ByteBuffer in = ByteBuffer.wrap(description);
        long[] out = new long[3];
        int error = Sisci.connectSegment(in.getInt(), in.getInt(), 5_000, 0, out);
        if (error == Sisci.OK) {
            Sisci.disconnectSegment(out[0]);
        }
        return error == Sisci.OK;
    }

    /** Rings the victim's bell. The victim has not asked for that. */
    void ring() {
        Sisci.trigger(victimsInterrupt);
    }

    /** Wakes the victim's threads, however they sleep, as an honest peer does. */
    void wake() {
        for (int asleep : new int[] {READER_ASLEEP, WRITER_ASLEEP}) {
            int word = inbox - victimsInbox() + asleep;
            memory.putInt(word, 0);
            Posix.futexWake(memory, word, false);
        }
        ring();
    }

    private static int check(int status) {
        if (status < 0 || status >= 0x40000000) {
            throw new AssertionError("status " + status);
        }
        return status;
    }

    /** The memory is unmapped here, so no thread may write to it any more. */
    @Override
    public void close() throws IOException {
        victim.close();
        tcp.close();
        memory = null;
        if (map != 0) {
            Sisci.unmap(map);
        }
        if (segment != 0 && connecting) {
            Sisci.removeSegment(segment);
        } else if (segment != 0) {
            Sisci.disconnectSegment(segment);
        }
        if (victimsInterrupt != 0) {
            Sisci.disconnectInterrupt(victimsInterrupt);
        }
        if (interrupt != 0) {
            Sisci.removeInterrupt(interrupt);
        }
    }
}
