package jfs.nativelib;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Calls each native method of JFS, with arguments that it accepts and with arguments that it must refuse, and writes
 * "done". It runs in a JVM that checks its native methods. Its one argument is the folder of the natives.
 */
final class NativeMethods {

    private static final int EINVAL = 22;
    private static final int EBADF = 9;
    private static final int EMSGSIZE = 90;
    private static final int ENAMETOOLONG = 36;
    private static final int ECONNREFUSED = 111;
    private static final int ENOTCONN = 107;
    private static final int EBADMSG = 74;
    private static final int NOBODYS = 1 << 20;
    private static final int PAGE = 4096;
    private static final int SIZE = 16 * PAGE;
    private static final int WHILE = 10_000;

    private interface Call {
        void make() throws Exception;
    }

    private final Map<String, Call> calls = new TreeMap<>();

    private NativeMethods(Path natives) {
        calls.put("Jvm.trustedLookup", () -> is(true, Jvm.trustedLookup() instanceof MethodHandles.Lookup));
        calls.put("Mx.load", () -> {
            is(true, load(Mx.class, natives.resolve("n".repeat(2_000)), false).startsWith("dlopen: "));
            String missing = load(Mx.class, natives.resolve("libjfs_jni.so"), false); // the message names the file and the missing symbol
            is(true, missing.startsWith("dlsym: ") && missing.contains("libjfs_jni.so") && missing.contains("mx__init_api"));
            Path shim = natives.resolve("libmyriexpress.so");
            is(shim + " is a shim, not a vendor's", load(Mx.class, shim, true));
            is(NativeLibrary.mxUnavailable() == null, load(Mx.class, shim, false) == null);
        });
        calls.put("Sisci.load", () -> {
            is(true, load(Sisci.class, natives.resolve("n".repeat(2_000)), false).startsWith("dlopen: "));
            String missing = load(Sisci.class, natives.resolve("libjfs_jni.so"), false); // in which file, and what
            is(true, missing.startsWith("dlsym: ") && missing.contains("libjfs_jni.so")
                    && missing.contains("SCIInitialize"));
            Path shim = natives.resolve("libsisci.so");
            is(shim + " is a library for one host, not for a card", load(Sisci.class, shim, true));
            is(true, Sisci.sharesMemory()); // the library from before is still in use
            is(null, load(Sisci.class, shim, false));
        });
        mx();
        posix();
        sisci();
    }

    private static String load(Class<?> calls, Path library, boolean vendors) throws Exception {
        Method load = calls.getDeclaredMethod("load", String.class, boolean.class);
        load.setAccessible(true);
        return (String) load.invoke(null, library.toString(), vendors);
    }

    /** Without UCX there is no library to call. With UCX {@link #talkToOurselves} makes all the calls. */
    private void mx() {
        for (String name : new String[] {"transports", "errorText", "statusText", "address", "closeEndpoint", "connect",
            "disconnect", "send", "receive", "completions", "arm", "sleep", "await", "wakeUp"}) {
            calls.put("Mx." + name, () -> { });
        }
        calls.put("Mx.openEndpoint", () -> {
            if (NativeLibrary.mxUnavailable() == null) {
                talkToOurselves();
            }
        });
    }

    /** Sends a message from an endpoint to itself, by all the calls that this takes. */
    private static void talkToOurselves() {
        is(true, (Mx.transports() & (Mx.RDMA | Mx.TCP)) != 0);
        is(true, Mx.errorText(Mx.NO_RESOURCES).length() > 0 && Mx.statusText(Mx.STATUS_SUCCESS).length() > 0);
        int key = 4711;
        long[] opened = new long[4];
        is(Mx.OK, Mx.openEndpoint(key, opened));
        long endpoint = opened[0];
        long[] peer = new long[5];
        is(false, Mx.connect(endpoint, opened[1], (int) opened[2], key + 1, WHILE, peer) == Mx.OK);
        is(Mx.OK, Mx.connect(endpoint, opened[1], (int) opened[2], key, WHILE, peer));
        is(opened[1], peer[2]);
        is(opened[2], peer[3]);
        ByteBuffer memory = ByteBuffer.allocateDirect(3 * Mx.COMPLETION_BYTES).order(ByteOrder.nativeOrder());
        long address = Mx.address(memory);
        memory.put(0, (byte) 42);
        is(Mx.OK, Mx.receive(endpoint, address + 1, 1, 5));
        is(Mx.OK, Mx.send(endpoint, peer[0], peer[1], address, 1, 6, 7));
        ByteBuffer out = memory.slice(Mx.COMPLETION_BYTES, 2 * Mx.COMPLETION_BYTES).order(ByteOrder.nativeOrder());
        int sum = 0;
        for (int found = 0; found < 2;) {
            int n = Mx.completions(endpoint, address + Mx.COMPLETION_BYTES, 2);
            for (int i = 0; i < n; i++) {
                is(Mx.STATUS_SUCCESS, out.getInt(i * Mx.COMPLETION_BYTES + Mx.STATUS));
                is(6L, out.getLong(i * Mx.COMPLETION_BYTES + Mx.MATCH));
                sum += (int) out.getLong(i * Mx.COMPLETION_BYTES + Mx.CONTEXT);
            }
            found += n;
        }
        is(12, sum);
        is((byte) 42, memory.get(1));
        is(0, Mx.completions(endpoint, address, 1));
        is(Mx.OK, Mx.await(endpoint, 1));
        while (!Mx.arm(endpoint)) {
            is(0, Mx.completions(endpoint, address, 1));
        }
        is(0, Posix.poll((int) opened[3], Posix.POLLIN, -1, 0, 0));
        is(Mx.OK, Mx.wakeUp(endpoint));
        is(Posix.POLLIN, Posix.poll((int) opened[3], Posix.POLLIN, -1, 0, WHILE));
        sleepAtEndpoint(endpoint, address);
        is(Mx.OK, Mx.disconnect(endpoint, peer[0], peer[1]));
        is(Mx.OK, Mx.closeEndpoint(endpoint));
    }

    private static void sleepAtEndpoint(long endpoint, long address) {
        int event = Posix.eventCreate();
        while (Mx.sleep(endpoint, -1, 0, -1, 0, 0) == Mx.LOOK_FIRST) {
            is(0, Mx.completions(endpoint, address, 1));
        }
        is(0, Mx.sleep(endpoint, event, Posix.POLLIN, -1, 0, 0));
        Posix.eventSignal(event);
        is(Posix.POLLIN, Mx.sleep(endpoint, event, Posix.POLLIN, -1, 0, WHILE));
        is(Posix.POLLIN << 16, Mx.sleep(endpoint, -1, 0, event, Posix.POLLIN, WHILE));
        Posix.close(event);
        is(Mx.OK, Mx.wakeUp(endpoint));
        is(Mx.LOOK_FIRST, Mx.sleep(endpoint, -1, 0, -1, 0, WHILE));
    }

    private void posix() {
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
        calls.put("Posix.epollWait", NativeMethods::epoll);
        calls.put("Posix.unixListen", () -> {
            is(-ENAMETOOLONG, Posix.unixListen("n".repeat(107), 1));
            is(0, Posix.close(Posix.unixListen(name("n".repeat(106)), 1)));
        });
        calls.put("Posix.unixConnect", () -> {
            is(-ENAMETOOLONG, Posix.unixConnect(null, "\u00e4".repeat(60)));
            is(-ECONNREFUSED, Posix.unixConnect(null, name("nobody \ud83d\ude00 \0")));
            is(-ENAMETOOLONG, Posix.unixConnect("n".repeat(107), name("nobody")));
        });
        calls.put("Posix.unixPeerName", NativeMethods::peerNames);
        calls.put("Posix.setMaxPacingRate", () -> is(-EBADF, Posix.setMaxPacingRate(-1, 1)));
        calls.put("Posix.tcpOwner", NativeMethods::owner);
        calls.put("Posix.tcpListen", NativeMethods::tcpListen);
        calls.put("Posix.tcpConnect", NativeMethods::tcpConnect);
        calls.put("Posix.accept", () -> is(-EBADF, Posix.accept(-1)));
        calls.put("Posix.send", NativeMethods::messages);
        calls.put("Posix.receive", () -> is(-EBADF, Posix.receive(-1, new byte[0])));
        calls.put("Posix.peerCredentials", () -> is((long) -EBADF, Posix.peerCredentials(-1)));
        calls.put("Posix.effectiveUser", () -> is(Posix.effectiveUser(), Posix.effectiveUser()));
        calls.put("Posix.tcpTuple", NativeMethods::tuple);
        calls.put("Posix.tcpOwner", () -> { }); // called by tuple()
        calls.put("Posix.descriptorLimit", () -> is(true, Posix.descriptorLimit() > 0));
        calls.put("Posix.releasePages", NativeMethods::pages);
        calls.put("Posix.epollModify", () -> is(-EBADF, Posix.epollModify(-1, -1, 0, 0)));
        calls.put("Posix.futexWait", NativeMethods::futex);
        calls.put("Posix.futexWake", () -> { }); // called by futex()
        calls.put("Posix.populatePages", () -> { }); // called by pages()
        calls.put("Posix.random", NativeMethods::random);
        calls.put("Words.awaitChange", NativeMethods::words);
        calls.put("Words.yieldCore", Words::yieldCore);
        calls.put("Words.othersNanos", () -> is(true, Words.othersNanos() > 0));
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
                is(0, Posix.tcpOwner(tuple, out));
                is(rate, out[2]);
            }
            is(-Posix.EINVAL, Posix.tcpOwner(tuple, new long[2]));
            is(-Posix.EINVAL, Posix.tcpOwner(new byte[Posix.TUPLE_BYTES - 1], new long[3]));
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
            long[] owner = new long[2];
            if (Posix.tcpOwner(out, owner) == 0) { // not every kernel can tell the owner
                is((long) Posix.effectiveUser(), owner[0]);
            }
            is(-EINVAL, Posix.tcpOwner(new byte[Posix.TUPLE_BYTES - 1], owner));
            is(-EINVAL, Posix.tcpOwner(out, new long[1]));
        }
        int event = Posix.eventCreate();
        is(-88, Posix.tcpTuple(event, new byte[Posix.TUPLE_BYTES])); // ENOTSOCK
        Posix.close(event);
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

    private static void random() {
        for (int length : new int[] {0, 1, 8, 256}) {
            is(length, Posix.random(new byte[length]));
        }
        byte[] most = new byte[256];
        Posix.random(most);
        is(false, Arrays.equals(most, new byte[256]));
        is(-EINVAL, Posix.random(new byte[257]));
    }

    private static void words() {
        ByteBuffer memory = ByteBuffer.allocateDirect(32).order(ByteOrder.nativeOrder()).putLong(8, -5).putInt(28, 7);
        is((long) Words.CHANGED, Words.awaitChange(memory, 8, 5, 28, 7, 0, 0, Long.MAX_VALUE));
        is((long) Words.CHANGED, Words.awaitChange(memory, 8, -5, 28, 8, Long.MAX_VALUE, 0, Long.MAX_VALUE));
        is(0L, Words.awaitChange(memory, 8, -5, 28, 7, 100_000, Long.MAX_VALUE, Long.MAX_VALUE)); // does not yield the core
        is(0L, Words.awaitChange(memory, 8, -5, 28, 7, -1, Long.MAX_VALUE, Long.MAX_VALUE));
        long often = Words.awaitChange(memory, 8, -5, 28, 7, 100_000_000, 0, Long.MAX_VALUE);
        is(true, often >> Words.AWAY_SHIFT > 0 && (often & Words.CHANGED) == 0);
        long lost = Words.awaitChange(memory, 8, -5, 28, 7, Long.MAX_VALUE, 0, 1); // ends, since every offer takes longer
        is(true, lost >> Words.AWAY_SHIFT > 1 && (lost & Words.CHANGED) == 0);
        long taken = Words.awaitChange(memory, 8, 5, 28, 7, Long.MAX_VALUE, Long.MAX_VALUE, 0); // time passes between two looks
        is(true, taken >> Words.AWAY_SHIFT > 0 && (taken & Words.CHANGED) != 0);
        for (int offset : new int[] {-8, 4, 9, 25, 32, Integer.MAX_VALUE}) { // outside, or not aligned
            is((long) -EINVAL, Words.awaitChange(memory, offset, 0, 28, 0, 0, 0, 0));
        }
        for (int offset : new int[] {-4, 1, 30, 32, Integer.MAX_VALUE}) {
            is((long) -EINVAL, Words.awaitChange(memory, 8, 0, offset, 0, 0, 0, 0));
        }
        is((long) -EINVAL, Words.awaitChange(ByteBuffer.allocate(32), 8, 0, 28, 0, 0, 0, 0));
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

    private static int segmentId() {
        return (int) ProcessHandle.current().pid();
    }

    private void sisci() {
        // segments() and interrupts() call most of these methods.
        for (String method : "createSegment addWaker admitOne setAvailable setUnavailable mapLocal unmap removeSegment connectSegment goneWord mapRemote "
                .concat("disconnectSegment createInterrupt connectSelf signal acknowledge removeInterrupt connectInterrupt trigger sharesMemory ")
                .concat("createSequence storesArrive removeSequence ")
                .concat("disconnectInterrupt localNode errorText allowUsers connections").split(" ")) {
            calls.put("Sisci." + method, () -> { });
        }
        calls.put("Sisci.allowUsers", () -> {
            Sisci.allowUsers(new int[] {1, 2, -1});
            Sisci.allowUsers(new int[0]);
        });
        calls.put("Sisci.errorText", () -> is(true, Sisci.errorText(Sisci.SEGMENTID_USED).length() > 0
                && Sisci.errorText(-1).length() > 0));
        calls.put("Sisci.createSegment", NativeMethods::segments);
        calls.put("Sisci.createInterrupt", NativeMethods::interrupts);
    }

    private static void segments() throws Exception {
        long[] out = new long[3];
        is(Sisci.OK, Sisci.localNode(out));
        int node = (int) out[0];
        int id = segmentId();
        is(Sisci.OK, Sisci.createInterrupt(-1, out));
        long waker = out[0];
        int descriptor = (int) out[2];
        is(Sisci.OK, Sisci.connectSelf(waker, node));
        is(true, Sisci.createSegment(id, 0, waker, out) != Sisci.OK);
        is(true, Sisci.createSegment(id, Long.MAX_VALUE, waker, out) != Sisci.OK);
        is(true, Sisci.connectSegment(node, id, 0, waker, out) != Sisci.OK);
        is(Sisci.OK, Sisci.createSegment(id, SIZE, waker, out));
        long local = out[0];
        ByteBuffer gone = Sisci.goneWord(local).order(ByteOrder.nativeOrder());
        is(Integer.BYTES, gone.capacity());
        is(Sisci.OK, Sisci.createInterrupt(-1, out));
        long another = out[0];
        is(Sisci.OK, Sisci.addWaker(local, another));
        is(Sisci.OK, Sisci.removeInterrupt(another));
        is(Sisci.OK, Sisci.addWaker(local, waker)); // for the second time
        is(Sisci.SEGMENTID_USED, Sisci.createSegment(id, SIZE, waker, out));
        is(null, Sisci.mapLocal(local, SIZE + 1, out));
        is(true, out[0] != Sisci.OK);
        ByteBuffer here = Sisci.mapLocal(local, SIZE, out);
        long localMap = out[0];
        is(SIZE, here.capacity());
        is(Sisci.OK, Sisci.setAvailable(local));
        is(0, Sisci.connections(local));
        is(Sisci.OK, Sisci.connectSegment(node, id, WHILE, 0, out));
        long remote = out[0];
        is((long) SIZE, out[1]);
        is(1, Sisci.connections(local));
        Sisci.admitOne(local);
        is(true, Sisci.connectSegment(node, id, WHILE, 0, new long[3]) != Sisci.OK);
        is(-1, Sisci.connections(remote));
        is(Sisci.OK, Sisci.setUnavailable(local));
        is(true, Sisci.setUnavailable(local) != Sisci.OK);
        ByteBuffer there = Sisci.mapRemote(remote, SIZE, out);
        long remoteMap = out[0];
        here.put(SIZE - 1, (byte) 7);
        is(7, (int) there.get(SIZE - 1));
        sequences(remoteMap);
        is(true, Sisci.disconnectSegment(remote) != Sisci.OK); // it is still mapped
        is(Sisci.OK, Sisci.unmap(remoteMap));
        is(true, Sisci.unmap(remoteMap) != Sisci.OK);
        is(true, Sisci.unmap(0) != Sisci.OK);
        is(0, Posix.poll(descriptor, Posix.POLLIN, -1, 0, 0));
        is(0, gone.getInt(0));
        is(Sisci.OK, Sisci.disconnectSegment(remote));
        is(Posix.POLLIN, Posix.poll(descriptor, Posix.POLLIN, -1, 0, WHILE)); // its exporter is told of the disconnect
        is(1, gone.getInt(0));
        is(Sisci.OK, Sisci.unmap(localMap));
        is(Sisci.OK, Sisci.removeSegment(local));
        is(Sisci.OK, Sisci.removeInterrupt(waker));
    }

    /** A library for one host need not have these calls. */
    private static void sequences(long remoteMap) {
        long[] out = new long[1];
        is(Sisci.OK, Sisci.createSequence(remoteMap, out));
        if (out[0] != 0) {
            is(true, Sisci.storesArrive(out[0]));
            is(Sisci.OK, Sisci.removeSequence(out[0]));
        }
    }

    private static void interrupts() {
        long[] out = new long[3];
        is(Sisci.OK, Sisci.localNode(out));
        int node = (int) out[0];
        is(Sisci.OK, Sisci.createInterrupt(-1, out));
        long interrupt = out[0];
        int number = (int) out[1];
        int descriptor = (int) out[2];
        is(true, Sisci.connectInterrupt(node, 0, 0, out) != Sisci.OK);
        is(true, Sisci.connectInterrupt(-1, number, 0, out) != Sisci.OK);
        is(Sisci.OK, Sisci.connectInterrupt(node, number, WHILE, out));
        long remote = out[0];
        is(0, Posix.poll(descriptor, Posix.POLLIN, -1, 0, 0));
        is(Sisci.OK, Sisci.trigger(remote));
        is(Posix.POLLIN, Posix.poll(descriptor, Posix.POLLIN, -1, 0, WHILE));
        Sisci.acknowledge(interrupt);
        is(0, Posix.poll(descriptor, Posix.POLLIN, -1, 0, 0));
        Sisci.signal(interrupt); // no effect, because it is not connected to itself yet
        is(0, Posix.poll(descriptor, Posix.POLLIN, -1, 0, 0));
        is(true, Sisci.connectSelf(interrupt, -1) != Sisci.OK);
        is(Sisci.OK, Sisci.connectSelf(interrupt, node));
        Sisci.signal(interrupt);
        is(Posix.POLLIN, Posix.poll(descriptor, Posix.POLLIN, -1, 0, WHILE));
        is(Sisci.OK, Sisci.removeInterrupt(interrupt));
        is(true, Sisci.trigger(remote) != Sisci.OK);
        is(Sisci.OK, Sisci.disconnectInterrupt(remote));
        // Calls for an end that is gone must fail: the library looks a handle up and does not follow it.
        is(true, Sisci.trigger(remote) != Sisci.OK);
        is(true, Sisci.disconnectInterrupt(remote) != Sisci.OK);
    }

    private static void is(Object expected, Object found) {
        if (expected == null ? found != null : !expected.equals(found)) {
            throw new AssertionError("expected " + expected + ", got " + found);
        }
    }

    /** All native methods. The JVM would not check a method that is not called here. */
    private static Set<String> declared() throws ClassNotFoundException {
        Set<String> all = new TreeSet<>();
        for (String type : new String[] {"Jvm", "Mx", "Posix", "Sisci", "Words"}) {
            Stream.of(Class.forName("jfs.nativelib." + type).getDeclaredMethods())
                    .filter(method -> Modifier.isNative(method.getModifiers()))
                    .forEach(method -> all.add(type + "." + method.getName()));
        }
        return all;
    }

    /** Another class loader already has the natives from this file. JFS must report that, and nothing else may happen. */
    private static void twoClassLoaders(Path natives) throws Exception {
        URL classes = NativeLibrary.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader other = new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader())) {
            Class<?> library = other.loadClass(NativeLibrary.class.getName());
            library.getMethod("lookIn", Path.class, String.class, String.class).invoke(null, natives, "shim", "shim");
            String reason = (String) library.getMethod("unavailable").invoke(null);
            is(true, reason.contains("already loaded in another classloader"));
            try {
                other.loadClass(Posix.class.getName()).getMethod("effectiveUser").invoke(null);
                throw new AssertionError("another class loader's natives were called");
            } catch (InvocationTargetException e) {
                is(UnsatisfiedLinkError.class, e.getCause().getClass());
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Path natives = Path.of(arguments[0]);
        NativeLibrary.lookIn(natives, "shim", "shim");
        is(null, NativeLibrary.unavailable());
        NativeMethods methods = new NativeMethods(natives);
        is(declared(), methods.calls.keySet());
        for (Map.Entry<String, Call> call : methods.calls.entrySet()) {
            try {
                call.getValue().make();
            } catch (Exception | AssertionError e) {
                throw new AssertionError(call.getKey(), e);
            }
        }
        twoClassLoaders(natives);
        System.out.println("done");
    }
}
