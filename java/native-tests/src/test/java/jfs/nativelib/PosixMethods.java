package jfs.nativelib;

import static jfs.nativelib.NativeCalls.EINVAL;
import static jfs.nativelib.NativeCalls.PAGE;
import static jfs.nativelib.NativeCalls.SIZE;
import static jfs.nativelib.NativeCalls.WHILE;
import static jfs.nativelib.NativeCalls.is;
import static jfs.nativelib.NativeCalls.segmentId;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Stream;
import jfs.nativelib.NativeCalls.Call;

/** Calls of each native method of {@link Posix}. */
final class PosixMethods {

    private static final int EBADF = 9;
    private static final int EMSGSIZE = 90;
    private static final int ENAMETOOLONG = 36;
    private static final int ECONNREFUSED = 111;
    private static final int ENOTCONN = 107;
    private static final int EBADMSG = 74;
    private static final int NOBODYS = 1 << 20;

    private PosixMethods() {
    }

    /** The calls, by the name of the method that each of them is about. */
    static Map<String, Call> calls() {
        Map<String, Call> calls = new HashMap<>();
        calls.put("Posix.errorText", () -> {
            is("Bad file descriptor", Posix.errorText(EBADF));
            is(true, Posix.errorText(-1).contains("-1"));
        });
        calls.put("Posix.close", () -> is(-EBADF, Posix.close(-1)));
        calls.put("Posix.poll", () -> {
            int event = Posix.eventCreate();
            is(0, Posix.poll(event, Posix.POLLIN, -1, 0, 0));
            Posix.eventSignal(event);
            is(Posix.POLLIN << 16, Posix.poll(-1, 0, event, Posix.POLLIN, WHILE));
            is(0x20, Posix.poll(NOBODYS, Posix.POLLIN, -1, 0, -1)); // POLLNVAL
            Posix.close(event);
        });
        calls.put("Posix.eventCreate", () -> is(0, Posix.close(Posix.eventCreate())));
        calls.put("Posix.eventSignal", () -> is(-EBADF, Posix.eventSignal(-1)));
        calls.put("Posix.eventClear", () -> {
            int event = Posix.eventCreate();
            is(0, Posix.eventClear(event));
            is(-EBADF, Posix.eventClear(-1));
            Posix.close(event);
        });
        calls.put("Posix.epollCreate", () -> is(0, Posix.close(Posix.epollCreate())));
        calls.put("Posix.epollAdd", () -> is(-EBADF, Posix.epollAdd(-1, -1, 0, 0)));
        calls.put("Posix.epollRemove", () -> is(-EBADF, Posix.epollRemove(-1, -1)));
        calls.put("Posix.epollWait", PosixMethods::epoll);
        calls.put("Posix.unixListen", () -> {
            is(-ENAMETOOLONG, Posix.unixListen("n".repeat(107), 1));
            is(0, Posix.close(Posix.unixListen(name("n".repeat(106)), 1)));
        });
        calls.put("Posix.unixConnect", () -> {
            is(-ENAMETOOLONG, Posix.unixConnect(null, "\u00e4".repeat(60)));
            is(-ECONNREFUSED, Posix.unixConnect(null, name("nobody \ud83d\ude00 \0")));
            is(-ENAMETOOLONG, Posix.unixConnect("n".repeat(107), name("nobody")));
        });
        calls.put("Posix.unixPeerName", PosixMethods::peerNames);
        calls.put("Posix.setMaxPacingRate", () -> is(-EBADF, Posix.setMaxPacingRate(-1, 1)));
        calls.put("Posix.tcpOwner", PosixMethods::owner);
        calls.put("Posix.tcpListen", PosixMethods::tcpListen);
        calls.put("Posix.tcpConnect", PosixMethods::tcpConnect);
        calls.put("Posix.accept", () -> is(-EBADF, Posix.accept(-1)));
        calls.put("Posix.send", PosixMethods::messages);
        calls.put("Posix.receive", () -> is(-EBADF, Posix.receive(-1, new byte[0])));
        calls.put("Posix.peerCredentials", () -> is((long) -EBADF, Posix.peerCredentials(-1)));
        calls.put("Posix.effectiveUser", () -> is(Posix.effectiveUser(), Posix.effectiveUser()));
        calls.put("Posix.tcpTuple", PosixMethods::tuple);
        calls.put("Posix.tcpEnd", PosixMethods::tcpEnd);
        calls.put("Posix.descriptorLimit", () -> is(true, Posix.descriptorLimit() > 0));
        calls.put("Posix.releasePages", PosixMethods::pages);
        calls.put("Posix.epollModify", () -> is(-EBADF, Posix.epollModify(-1, -1, 0, 0)));
        calls.put("Posix.futexWait", PosixMethods::futex);
        calls.put("Posix.futexWaitMany", PosixMethods::futexes);
        calls.put("Posix.futexWake", () -> { }); // called by futex()
        calls.put("Posix.populatePages", () -> { }); // called by pages()
        calls.put("Posix.copyMapped", PosixMethods::copyMapped);
        calls.put("Posix.random", PosixMethods::random);
        calls.put("Posix.publishedMemory", PosixMethods::publishedMemory);
        return calls;
    }

    private static void publishedMemory() throws Exception {
        ByteBuffer memory = Posix.publishedMemory("published", 3 * PAGE);
        is(3 * PAGE, memory.capacity());
        is(0, (int) memory.get(2 * PAGE));
        memory.put(2 * PAGE, (byte) 7);
        Path file = descriptorOf("/memfd:published (deleted)");
        try (FileChannel other = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            is(7, (int) other.map(FileChannel.MapMode.READ_ONLY, 0, 3 * PAGE).get(2 * PAGE));
            try {
                other.truncate(PAGE);
                throw new AssertionError("cut off");
            } catch (IOException e) { // sealed
                is(3 * PAGE, (int) other.size());
            }
        }
    }

    private static Path descriptorOf(String target) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.filter(file -> {
                try {
                    return Files.readSymbolicLink(file).toString().equals(target);
                } catch (IOException e) { // the descriptor of this list
                    return false;
                }
            }).findFirst().orElseThrow();
        }
    }

    private static void copyMapped() throws Exception {
        Path file = Files.createTempFile("mapped", "");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            byte[] written = new byte[3 * PAGE];
            for (int i = 0; i < written.length; i++) {
                written[i] = (byte) (i * 31);
            }
            channel.write(ByteBuffer.wrap(written));
            ByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, written.length);
            byte[] copy = new byte[3 * PAGE];
            is(2 * PAGE, Posix.copyMapped(mapped, 1, copy, 2 * PAGE));
            is(true, Arrays.equals(written, 1, 1 + 2 * PAGE, copy, 0, 2 * PAGE));
            is(10, Posix.copyMapped(mapped.slice(PAGE, 10), 0, copy, 10));
            is(true, Arrays.equals(written, PAGE, PAGE + 10, copy, 0, 10));
            is(-EINVAL, Posix.copyMapped(mapped, 1, copy, 3 * PAGE));
            is(-EINVAL, Posix.copyMapped(mapped, 0, new byte[1], 2));
            is(-EINVAL, Posix.copyMapped(ByteBuffer.allocate(1), 0, copy, 1));
            channel.truncate(PAGE);
            is(PAGE - 5, Posix.copyMapped(mapped, 5, copy, 2 * PAGE));
            is(-Posix.EFAULT, Posix.copyMapped(mapped, PAGE, copy, PAGE));
        } finally {
            Files.delete(file);
        }
    }

    /** A name that contains this process's number, so that two processes can run this program at the same time. */
    private static String name(String like) {
        String name = ProcessHandle.current().pid() + like;
        return name.substring(0, Math.min(name.length(), 106));
    }

    private static void epoll() {
        int epoll = Posix.epollCreate();
        int[] events = new int[100];
        for (int i = 0; i < events.length; i++) {
            events[i] = Posix.eventCreate();
            Posix.eventSignal(events[i]);
            is(0, Posix.epollAdd(epoll, events[i], Posix.POLLIN, Long.MIN_VALUE + i));
        }
        is(0, Posix.epollModify(epoll, events[0], 0, -1));
        is(0, Posix.epollRemove(epoll, events[1]));
        for (int room : new int[] {2, 3, 127, 128, 1_000}) { // in longs; never more than 64 pairs are given
            long[] ready = new long[room];
            is(Math.min(64, room / 2), Posix.epollWait(epoll, ready, -1));
            is(true, ready[0] < 0 && ready[1] == Posix.POLLIN);
        }
        is(-EINVAL, Posix.epollWait(epoll, new long[1], 0));
        is(-EBADF, Posix.epollWait(-1, new long[2], 0));
        Arrays.stream(events).forEach(Posix::close);
        is(0, Posix.epollWait(epoll, new long[2], 0));
        Posix.close(epoll);
    }

    private static void messages() {
        int listener = Posix.unixListen(name("messages"), 1);
        int client = Posix.unixConnect(null, name("messages"));
        int server = Posix.accept(listener);
        is(-Posix.EAGAIN, Posix.accept(listener));
        is(-Posix.EADDRINUSE, Posix.unixListen(name("messages"), 1));
        is(ProcessHandle.current().pid(), Posix.peerCredentials(server) & 0xffffffffL);
        byte[] most = new byte[1024];
        for (int length : new int[] {1, 255, 1024}) {
            is(length, Posix.send(client, most, length));
            is(length, Posix.receive(server, new byte[2_000]));
        }
        is(-EMSGSIZE, Posix.send(client, most, -1));
        is(-EMSGSIZE, Posix.send(client, most, 1025));
        is(-EMSGSIZE, Posix.send(client, new byte[2_000], 1025));
        is(-EMSGSIZE, Posix.send(client, new byte[1], 2));
        is(100, Posix.send(client, most, 100));
        is(-EBADMSG, Posix.receive(server, new byte[99])); // longer than the buffer
        is(-Posix.EAGAIN, Posix.receive(server, most));
        Posix.close(server);
        is(0, Posix.receive(client, most));
        Posix.close(client);
        Posix.close(listener);
    }

    private static void peerNames() {
        int listener = Posix.unixListen(name("named"), 5);
        for (String own : new String[] {null, name("n".repeat(106)), name("own \0"), name("own \u00e4")}) {
            int client = Posix.unixConnect(own, name("named"));
            int server = Posix.accept(listener);
            is(own == null || own.contains("own") ? null : own, Posix.unixPeerName(server));
            is(name("named"), Posix.unixPeerName(client));
            if (own != null) {
                is(-Posix.EADDRINUSE, Posix.unixConnect(own, name("named")));
            }
            is(0, Posix.close(client));
            is(0, Posix.close(server));
        }
        is(null, Posix.unixPeerName(listener));
        is(null, Posix.unixPeerName(-1));
        is(0, Posix.close(listener));
    }

    private static void owner() throws Exception {
        try (ServerSocketChannel listener = ServerSocketChannel.open()
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SocketChannel client = SocketChannel.open(listener.getLocalAddress())) {
            byte[] tuple = new byte[Posix.TUPLE_BYTES];
            is(Posix.TCP_ESTABLISHED, Posix.tcpTuple(descriptor(client), tuple));
            for (long rate : new long[] {1L << 62, Long.MAX_VALUE, -1}) {
                is(0, Posix.setMaxPacingRate(descriptor(client), rate));
                long[] out = new long[3];
                if (Posix.tcpOwner(tuple, out) == 0) { // not every kernel can tell the owner
                    is((long) Posix.effectiveUser(), out[0]);
                    is(rate, out[2]);
                }
            }
            is(-EINVAL, Posix.tcpOwner(tuple, new long[2]));
            is(-EINVAL, Posix.tcpOwner(new byte[Posix.TUPLE_BYTES - 1], new long[3]));
        }
    }

    private static void tcpListen() throws Exception {
        byte[] loopback = HexFormat.of().parseHex("00000000000000000000ffff7f000001");
        is(-Posix.EINVAL, Posix.tcpListen(new byte[15], 0, 1));
        is(-99, Posix.tcpListen(HexFormat.of().parseHex("00000000000000000000ffffc0000201"), 0, 1)); // EADDRNOTAVAIL
        is(0, Posix.close(Posix.tcpListen(loopback, 0, 1)));
        try (ServerSocketChannel listener = ServerSocketChannel.open()
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
            is(-Posix.EADDRINUSE, Posix.tcpListen(loopback, port, 1));
            is(-Posix.EADDRINUSE, Posix.tcpListen(new byte[16], port, 1)); // the wildcard of both families, or there is no IPv6
        }
    }

    private static void tcpConnect() throws Exception {
        is(-Posix.EINVAL, Posix.tcpConnect(new byte[Posix.TUPLE_BYTES - 1], 1));
        try (ServerSocketChannel listener = ServerSocketChannel.open()
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SocketChannel other = SocketChannel.open(listener.getLocalAddress())) {
            byte[] tuple = new byte[Posix.TUPLE_BYTES];
            is(Posix.TCP_ESTABLISHED, Posix.tcpTuple(descriptor(other), tuple));
            int port = ByteBuffer.wrap(tuple).getInt(44);
            int fd = Posix.tcpConnect(tuple, port);
            is(Posix.POLLOUT, Posix.poll(fd, Posix.POLLOUT, -1, 0, WHILE));
            byte[] made = new byte[Posix.TUPLE_BYTES];
            is(Posix.TCP_ESTABLISHED, Posix.tcpTuple(fd, made));
            is(true, Arrays.equals(made, 24, 48, tuple, 24, 48));
            is(true, ByteBuffer.wrap(made).getInt(20) != ByteBuffer.wrap(tuple).getInt(20));
            is(0, Posix.close(fd));
        }
    }

    private static void tuple() throws Exception {
        try (ServerSocketChannel listener = ServerSocketChannel.open()
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SocketChannel client = SocketChannel.open(listener.getLocalAddress())) {
            byte[] out = new byte[Posix.TUPLE_BYTES];
            is(Posix.TCP_ESTABLISHED, Posix.tcpTuple(descriptor(client), out));
            is(((InetSocketAddress) listener.getLocalAddress()).getPort(), ByteBuffer.wrap(out).getInt(44));
            is(-ENOTCONN, Posix.tcpTuple(descriptor(listener), out));
            throwsIndexOutOfBounds(() -> Posix.tcpTuple(descriptor(client), new byte[Posix.TUPLE_BYTES - 1]));
            is(Posix.TCP_ESTABLISHED, Posix.tcpTuple(descriptor(client), out));
        }
        int event = Posix.eventCreate();
        is(-88, Posix.tcpTuple(event, new byte[Posix.TUPLE_BYTES])); // ENOTSOCK
        Posix.close(event);
    }

    private static void tcpEnd() throws Exception {
        is(-EBADF, Posix.tcpEnd(-1, true));
        for (boolean endFirst : new boolean[] {true, false}) {
            try (ServerSocketChannel listener = ServerSocketChannel.open()
                    .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                    SocketChannel client = SocketChannel.open(listener.getLocalAddress());
                    SocketChannel server = listener.accept()) {
                is(0, Posix.tcpEnd(descriptor(client), endFirst));
                is(-1, server.read(ByteBuffer.allocate(1)));
                is(-1, client.read(ByteBuffer.allocate(1)));
            }
        }
    }

    private static int descriptor(Object channel) throws Exception {
        Method value = channel.getClass().getDeclaredMethod("getFDVal");
        value.setAccessible(true);
        return (int) value.invoke(channel);
    }

    private static void throwsIndexOutOfBounds(Call call) throws Exception {
        try {
            call.make();
        } catch (ArrayIndexOutOfBoundsException e) {
            return;
        }
        throw new AssertionError("no exception");
    }

    private static void futex() {
        ByteBuffer memory = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder()).putInt(8, -5);
        ByteBuffer own = ByteBuffer.allocateDirect(4).order(ByteOrder.nativeOrder()).putInt(0, 7);
        is(-Posix.EAGAIN, Posix.futexWait(memory, 8, 5, own, 7, -1));
        is(-Posix.EAGAIN, Posix.futexWait(memory, 8, -5, own, 6, -1));
        is(-Posix.ETIMEDOUT, Posix.futexWait(memory, 8, -5, own, 7, 0));
        is(-Posix.ETIMEDOUT, Posix.futexWait(memory, 8, -5, own, 7, 1_000_001));
        is(0, Posix.futexWake(memory, 8, false));
        is(0, Posix.futexWake(own, 0, true));
        is(-Posix.EAGAIN, Posix.futexWait(memory.slice(8, 4), 0, 5, own, 7, Long.MAX_VALUE));
        for (int offset : new int[] {-4, 1, 13, 16, Integer.MAX_VALUE}) { // outside, or not aligned
            is(-EINVAL, Posix.futexWait(memory, offset, 0, own, 7, 0));
            is(-EINVAL, Posix.futexWake(memory, offset, false));
        }
        ByteBuffer heap = ByteBuffer.allocate(16);
        is(-EINVAL, Posix.futexWait(heap, 8, 0, own, 7, 0));
        is(-EINVAL, Posix.futexWait(memory, 8, -5, heap, 0, 0));
        is(-EINVAL, Posix.futexWait(memory, 8, -5, own.slice(0, 0), 0, 0));
        is(-EINVAL, Posix.futexWake(heap, 8, false));
    }

    private static void futexes() {
        ByteBuffer memory = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder()).putInt(4, 3).putInt(8, -5);
        ByteBuffer own = ByteBuffer.allocateDirect(4).order(ByteOrder.nativeOrder()).putInt(0, 7);
        ByteBuffer[] two = {memory, memory};
        int[] at = {4, 8};
        int[] values = {3, -5};
        is(-Posix.ETIMEDOUT, Posix.futexWaitMany(two, at, values, 2, own, 7, 0));
        is(-Posix.ETIMEDOUT, Posix.futexWaitMany(two, at, values, 0, own, 7, 1_000_001));
        is(-Posix.EAGAIN, Posix.futexWaitMany(two, at, values, 2, own, 6, -1));
        is(-Posix.EAGAIN, Posix.futexWaitMany(two, at, new int[] {3, 5}, 2, own, 7, -1));
        is(-Posix.EAGAIN, Posix.futexWaitMany(two, at, new int[] {4, -5}, 1, own, 7, -1));
        for (int count : new int[] {-1, 3, Posix.FUTEX_WORDS_MAX, Posix.FUTEX_WORDS_MAX + 1, Integer.MAX_VALUE}) {
            is(-EINVAL, Posix.futexWaitMany(two, at, values, count, own, 7, 0));
        }
        ByteBuffer[] many = new ByteBuffer[Posix.FUTEX_WORDS_MAX];
        Arrays.fill(many, memory);
        is(-Posix.ETIMEDOUT, Posix.futexWaitMany(many, new int[many.length], new int[many.length], many.length, own, 7, 0));
        for (int offset : new int[] {-4, 1, 13, 16, Integer.MAX_VALUE}) { // outside, or not aligned
            is(-EINVAL, Posix.futexWaitMany(two, new int[] {4, offset}, new int[] {3, 0}, 2, own, 7, 0));
        }
        is(-EINVAL, Posix.futexWaitMany(new ByteBuffer[] {memory, null}, at, values, 2, own, 7, 0));
        is(-EINVAL, Posix.futexWaitMany(new ByteBuffer[] {memory, ByteBuffer.allocate(16)}, at, values, 2, own, 7, 0));
        is(-EINVAL, Posix.futexWaitMany(two, at, values, 2, ByteBuffer.allocate(4), 7, 0));
    }

    private static void random() {
        for (int length : new int[] {0, 1, 8, 256}) {
            is(length, Posix.random(new byte[length]));
        }
        byte[] most = new byte[256];
        Posix.random(most);
        is(false, Arrays.equals(most, new byte[256]));
        is(-EINVAL, Posix.random(new byte[257]));
    }

    private static void pages() {
        long[] out = new long[3];
        is(Sisci.OK, Sisci.createSegment(segmentId(), SIZE, 0, out));
        long segment = out[0];
        ByteBuffer memory = Sisci.mapLocal(segment, SIZE, out);
        long map = out[0];
        for (int[] piece : new int[][] {{0, 0}, {0, 1}, {0, PAGE}, {1, PAGE}, {PAGE - 1, PAGE + 2}, {5, SIZE - 10}}) {
            byte[] ones = new byte[SIZE];
            Arrays.fill(ones, (byte) 1);
            memory.put(0, ones);
            is(0, Posix.releasePages(memory, piece[0], piece[1]));
            int first = (piece[0] + PAGE - 1) / PAGE * PAGE;
            int end = (piece[0] + piece[1]) / PAGE * PAGE;
            for (int i = 0; i < SIZE; i++) {
                is(first <= i && i < end ? 0 : 1, (int) memory.get(i));
            }
        }
        is(0, Posix.populatePages(memory, 0, SIZE));
        is(-EINVAL, Posix.populatePages(memory, -PAGE, PAGE));
        is(-EINVAL, Posix.populatePages(memory, PAGE, SIZE));
        is(-EINVAL, Posix.populatePages(ByteBuffer.allocate(SIZE), 0, PAGE));
        is(-EINVAL, Posix.releasePages(memory, -1, PAGE));
        is(-EINVAL, Posix.releasePages(memory, 0, -1));
        is(-EINVAL, Posix.releasePages(memory, 1, SIZE));
        is(-EINVAL, Posix.releasePages(memory, Integer.MAX_VALUE, Integer.MAX_VALUE));
        is(-EINVAL, Posix.releasePages(ByteBuffer.allocate(SIZE), 0, PAGE)); // not direct
        is(Sisci.OK, Sisci.unmap(map));
        is(Sisci.OK, Sisci.removeSegment(segment));
    }
}
