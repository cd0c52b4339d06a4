package jfs.conformance.harness.processes;

import java.io.Closeable;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import jdk.net.ExtendedSocketOptions;
import jfs.conformance.harness.Bytes;
import jfs.conformance.harness.faults.Hook;
import jfs.conformance.harness.faults.Talk;
import jfs.nativelib.Posix;
import jfs.stat.Stats;
import jfs.testing.Await;
import jfs.testing.Background;
import jfs.testing.VirtualThreads;

/** A child process with one listener and one connection. It obeys {@link Orders}. */
public final class Peer {

    private final Orders orders = new Orders();
    private final List<Object> kept = new ArrayList<>();
    private final List<Closeable> opened = new ArrayList<>();
    private final VirtualThreadPeer virtual = new VirtualThreadPeer();
    private ServerSocket listener;
    private Socket socket;

    /** Arguments: whether to install JFS. */
    public static void main(String[] args) throws IOException {
        if (Boolean.parseBoolean(args[0])) {
            Jfs.install();
        }
        Peer peer = new Peer();
        peer.orders.run(peer::obey);
    }

    /**
     * Begins the JVM's shutdown, which never ends because a hook of the program's runs forever. Returns when JFS has ended
     * what it ends then.
     */
    private static void shutDown() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            begun.countDown();
            LockSupport.park();
        }));
        Thread exit = new Thread(() -> System.exit(0));
        exit.setDaemon(true);
        exit.start();
        begun.await();
        Await.until("nobody watches descriptors", () -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("jfs-poller")));
    }

    private Object obey(String order, String[] words) throws Exception {
        switch (order) {
            case "listen" -> { // address, port
                listener = new ServerSocket();
                listener.setOption(StandardSocketOptions.SO_REUSEPORT, true);
                listener.bind(new InetSocketAddress(words[2], Integer.parseInt(words[3])));
                return listener.getLocalPort();
            }
            case "connect" -> // address, port
                socket = new Socket(InetAddress.getByName(words[2]), Integer.parseInt(words[3]));
            case "connectWithin" -> { // address, port, milliseconds
                socket = new Socket();
                socket.connect(new InetSocketAddress(words[2], Integer.parseInt(words[3])), Integer.parseInt(words[4]));
            }
            case "connectReusable" -> { // address, port; from a port that another socket may be bound to
                socket = reusable(0);
                socket.connect(new InetSocketAddress(words[2], Integer.parseInt(words[3])));
            }
            case "connectAgain" -> { // address, port; from the same port, which no other process can take meanwhile
                Socket next = reusable(socket.getLocalPort());
                socket.setSoLinger(true, 0);
                socket.close();
                socket = next;
                socket.connect(new InetSocketAddress(words[2], Integer.parseInt(words[3])));
            }
            case "look" -> { // how sockets behave with this JVM's options, in one line
                return Addresses.look().replace("\n", "; ");
            }
            case "keep" -> kept.add(socket); // it stays open
            case "readKept" -> {
                return ((Socket) kept.get(0)).getInputStream().read();
            }
            case "accept" -> socket = listener.accept();
            case "acceptWithin" -> { // milliseconds
                listener.setSoTimeout(Integer.parseInt(words[2]));
                socket = listener.accept();
            }
            case "lead" -> { // rounds
                return lead(Integer.parseInt(words[2]));
            }
            case "ask" -> { // rounds; the peer goes on following
                for (int i = 0; i < Integer.parseInt(words[2]); i++) {
                    ask(1);
                }
            }
            case "follow" -> follow();
            case "exchange" -> { // seed out, seed in, bytes
                int bytes = Integer.parseInt(words[4]);
                Background<Void> writer = Background.run(() -> write(Long.parseLong(words[2]), bytes));
                Bytes.expect(socket.getInputStream(), Long.parseLong(words[3]), 0, bytes);
                writer.result();
            }
            case "exchangeSizes" -> { // seed out, seed in
                Background<Void> writer = Background.run(() -> writeSizes(Long.parseLong(words[2])));
                Bytes.expect(socket.getInputStream(), Long.parseLong(words[3]), 0, IntStream.of(sizes()).sum());
                writer.result();
            }
            case "write" -> write(Long.parseLong(words[2]), Integer.parseInt(words[3])); // seed, bytes
            case "writeUntilItFails" -> {
                for (;;) {
                    socket.getOutputStream().write(1);
                }
            }
            case "read" -> // seed, bytes
                Bytes.expect(socket.getInputStream(), Long.parseLong(words[2]), 0, Integer.parseInt(words[3]));
            case "readToEnd" -> { // seed
                return Bytes.expectToEnd(socket.getInputStream(), Long.parseLong(words[2]));
            }
            case "shutdownInput" -> socket.shutdownInput();
            case "shutdownOutput" -> socket.shutdownOutput();
            case "close" -> socket.close();
            case "timeout" -> socket.setSoTimeout(Integer.parseInt(words[2])); // milliseconds
            case "keepAlive" -> { // all values of it that a program can read
                return socket.getKeepAlive() + " " + socket.getOption(StandardSocketOptions.SO_KEEPALIVE) + " "
                        + socket.getOption(ExtendedSocketOptions.TCP_KEEPIDLE) + " "
                        + socket.getOption(ExtendedSocketOptions.TCP_KEEPINTERVAL) + " "
                        + socket.getOption(ExtendedSocketOptions.TCP_KEEPCOUNT);
            }
            case "setKeepAlive" -> { // on, seconds
                socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, Integer.parseInt(words[3]));
                socket.setKeepAlive(Boolean.parseBoolean(words[2]));
            }
            case "linger" -> socket.setSoLinger(true, Integer.parseInt(words[2])); // seconds
            case "reset" -> {
                socket.setSoLinger(true, 0);
                socket.close();
            }
            case "sendBuffer" -> socket.setSendBufferSize(Integer.parseInt(words[2])); // bytes
            case "closeListener" -> listener.close();
            case "squat" -> // name, answer to each visitor
                kept.add(Background.run(new Squatter(words[2], words[3])::run));
            case "occupy" -> occupy(words[2]); // name
            case "breakErr" -> System.setErr(new PrintStream(OutputStream.nullOutputStream()) {
                @Override
                public void println(String line) {
                    throw new IllegalStateException("the program's own");
                }
            });
            case "say" -> { // name, message in hex; the answer in hex, "-" for none
                return say(words[2], HexFormat.of().parseHex(words[3]));
            }
            case "causeOf" -> { // order, arguments; the exception and its cause
                try {
                    return obey(words[2], Arrays.copyOfRange(words, 1, words.length));
                } catch (IOException e) {
                    return e + ", from " + e.getCause();
                }
            }
            case "port" -> {
                return socket.getLocalPort();
            }
            case "negotiates" -> {
                return Jfs.negotiation();
            }
            case "negotiated" -> Jfs.awaitNegotiation();
            case "blocked" -> orders.get(words[2]).blocked(); // number of an earlier order
            case "in" -> { // number of an earlier order; the method in which its thread is
                return orders.get(words[2]).thread().getStackTrace()[0].getMethodName();
            }
            case "stack" -> { // number of an earlier order
                return Stream.of(orders.get(words[2]).thread().getStackTrace()).map(StackTraceElement::getClassName)
                        .distinct().collect(Collectors.joining(" "));
            }
            case "shutDown" -> shutDown();
            case "descriptors" -> {
                return new File("/proc/self/fd").list().length;
            }
            case "mappings" -> {
                return mappings();
            }
            case "map" -> { // how often; maps the same page again, which makes a new mapping each time
                try (FileChannel file = FileChannel.open(Path.of("/proc/self/exe"))) {
                    for (int i = 0; i < Integer.parseInt(words[2]); i++) {
                        kept.add(file.map(FileChannel.MapMode.READ_ONLY, 0, 4096));
                    }
                }
            }
            case "openAllBut" -> { // how many descriptors are left
                useUpAllBut(Integer.parseInt(words[2]));
            }
            case "open" -> { // how many
                for (int i = 0; i < Integer.parseInt(words[2]); i++) {
                    opened.add(new FileInputStream("/dev/null"));
                }
            }
            case "closeOpened" -> close(opened);
            case "withoutThreads" -> { // order, arguments
                return withoutThreads(Arrays.copyOfRange(words, 1, words.length));
            }
            case "attached" -> {
                return Jfs.attached();
            }
            case "sleeps" -> {
                return Jfs.sleeps();
            }
            case "takeKept" -> socket = (Socket) kept.remove(0);
            case "askKept" -> { // rounds
                for (Object each : kept) {
                    socket = (Socket) each;
                    lead(Integer.parseInt(words[2]));
                }
            }
            case "questionKept" -> { // writes the last question to each, and waits for no answer
                for (Object each : kept) {
                    ((Socket) each).getOutputStream().write(0);
                }
            }
            case "hearKept" -> { // reads the answers
                for (Object each : kept) {
                    socket = (Socket) each;
                    hearAnswer();
                }
            }
            case "answerKept" -> {
                for (Object each : kept) {
                    socket = (Socket) each;
                    follow();
                }
            }
            case "closeKept" -> {
                for (Object each : kept) {
                    ((Socket) each).close();
                }
                kept.clear();
            }
            case "timeouts" -> { // readers at the same time, more than anything is kept for
                return timeouts(Integer.parseInt(words[2]));
            }
            case "virtual" -> { // order, arguments
                return virtual.obey(words[2], words);
            }
            case "talk" -> { // whether as the client, address, port, seed, whether it ends its stream first
                return new Talk(Long.parseLong(words[5]), Boolean.parseBoolean(words[6]))
                        .hold(Boolean.parseBoolean(words[2]) ? null : listener, words[3], Integer.parseInt(words[4]));
            }
            case "virtually" -> { // order, arguments
                return VirtualThreads.call(() -> obey(words[2], Arrays.copyOfRange(words, 1, words.length))).result();
            }
            case "arm" -> { // step, which time, fault, nanoseconds; the answer comes when the step is reached
                Hook.arm(words[0], words[2], Integer.parseInt(words[3]), words[4], Long.parseLong(words[5]));
                return null;
            }
            case "armed" -> Hook.awaitArmed(words[2]); // number of that order
            case "disarm" -> {
                return Hook.disarm();
            }
            case "release" -> Hook.release();
            case "steps" -> {
                return Hook.counts();
            }
            case "step" -> { // name
                return Hook.count(words[2]);
            }
            case "held" -> { // whether the process has an MX endpoint
                return held(Boolean.parseBoolean(words[2]));
            }
            case "progress" -> Jfs.progress(); // of a process that has an MX endpoint
            case "unavailable" -> {
                return String.valueOf(Jfs.unavailable());
            }
            case "fallbacks" -> {
                return Stats.fallbacks();
            }
            case "switched" -> {
                return Jfs.switched();
            }
            case "offers" -> {
                return Stats.OFFERS.sum();
            }
            case "retries" -> {
                return Stats.RETRIES.sum();
            }
            default -> throw new IllegalArgumentException(order);
        }
        return "done";
    }

    /** Carries an order out while the system gives this process no thread. */
    private Object withoutThreads(String[] order) throws Exception {
        List<Thread> threads = new ArrayList<>();
        CountDownLatch over = new CountDownLatch(1);
        try {
            while (threads.size() < 10_000) {
                Thread thread = new Thread(() -> {
                    try {
                        over.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
                thread.start();
                threads.add(thread);
            }
            return "there are always more threads";
        } catch (OutOfMemoryError e) { // no more threads
            return obey(order[1], order);
        } finally {
            over.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    private static void close(List<Closeable> some) throws IOException {
        for (Closeable each : some) {
            each.close();
        }
        some.clear();
    }

    /**
     * Asks and waits for the answer, for so many rounds. With rounds 0 it goes on until this end sends and receives on the
     * fast path.
     */
    private int lead(int rounds) throws IOException {
        long start = System.nanoTime();
        long before = rounds == 0 ? Jfs.switched() : 0;
        int round = 0;
        boolean last;
        do {
            round++;
            last = rounds > 0 ? round == rounds : Jfs.switched() == before + 2;
            if (rounds == 0 && System.nanoTime() - start > Await.LIMIT.toNanos() / 2) {
                throw new AssertionError("not switched after " + round + " rounds: " + Stats.fallbacks());
            }
            ask(last ? 0 : 1);
        } while (!last);
        return round;
    }

    private void ask(int question) throws IOException {
        socket.getOutputStream().write(question);
        hearAnswer();
    }

    private void hearAnswer() throws IOException {
        if (socket.getInputStream().read() != 2) {
            throw new AssertionError("no answer");
        }
    }

    private void follow() throws IOException {
        int question;
        do {
            question = socket.getInputStream().read();
            socket.getOutputStream().write(2);
        } while (question == 1);
        if (question != 0) {
            throw new AssertionError("asked " + question);
        }
    }

    private void write(long seed, int bytes) throws IOException {
        OutputStream out = socket.getOutputStream();
        int piece = 100_000;
        for (int at = 0; at < bytes; at += piece) {
            out.write(Bytes.of(seed, at, Math.min(piece, bytes - at)));
        }
    }

    /** Sizes that may take different code paths through a ring: all small ones, then those around each power of two. */
    private static int[] sizes() {
        IntStream large = IntStream.rangeClosed(9, 20).flatMap(i -> IntStream.rangeClosed((1 << i) - 9, (1 << i) + 1));
        return IntStream.concat(IntStream.rangeClosed(1, 300), large).toArray();
    }

    private void writeSizes(long seed) throws IOException {
        int at = 0;
        for (int size : sizes()) {
            socket.getOutputStream().write(Bytes.of(seed, at, size));
            at += size;
        }
    }

    /** What this process holds of the system. Threads of orders and threads that are kept for a second don't count. */
    private static String held(boolean endpoint) throws IOException {
        Set<String> names = Leftovers.namesOf(ProcessHandle.current().pid());
        long threads = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.getName().matches("background|jfs-helper")).count();
        return new File("/proc/self/fd").list().length + " descriptors, " + mappings() + " mappings, "
                + names.size() + " names, " + threads + " threads, "
                + (endpoint ? Jfs.messages() : 0) + " messages, " + (endpoint ? Jfs.channels() : 0) + " channels";
    }

    private static long mappings() throws IOException {
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            return maps.filter(line -> line.contains("memfd:")).count();
        }
    }

    /** The exceptions of reads when the process has no descriptor left. */
    private static Set<String> timeouts(int readers) throws Exception {
        List<Closeable> all = new ArrayList<>();
        try (ServerSocket own = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
            List<Socket> clients = new ArrayList<>();
            for (int i = 0; i < readers; i++) {
                Socket client = new Socket(own.getInetAddress(), own.getLocalPort());
                all.add(client);
                Socket server = own.accept();
                all.add(server);
                server.getOutputStream().write(1);
                client.getInputStream().read();
                client.setSoTimeout(200);
                clients.add(client);
            }
            readEnds(clients); // the first time takes descriptors: classes are loaded, and the JDK makes some of its own
            useUp(all);
            return readEnds(clients);
        } finally {
            for (Closeable each : all) {
                each.close();
            }
        }
    }

    private static Set<String> readEnds(List<Socket> clients) throws Exception {
        List<Background<String>> reads = new ArrayList<>();
        for (Socket client : clients) {
            reads.add(Background.call(() -> {
                try {
                    return "read " + client.getInputStream().read();
                } catch (IOException e) {
                    return e.getMessage();
                }
            }));
        }
        Set<String> ends = new TreeSet<>();
        for (Background<String> read : reads) {
            ends.add(read.result());
        }
        return ends;
    }

    private static void useUp(List<Closeable> opened) {
        try {
            for (;;) {
                opened.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException e) {
            // no descriptor is left
        }
    }

    /**
     * Uses up all descriptors but so many, which have the highest numbers. The JVM opens some for a moment only, when it
     * loads classes. So this goes on until none has become free many times in a row.
     */
    private void useUpAllBut(int left) throws IOException {
        useUp(opened);
        for (int same = 0; same < 1_000; same++) {
            close(opened.subList(opened.size() - left, opened.size()));
            int before = opened.size();
            useUp(opened);
            if (opened.size() > before + left) {
                same = 0;
            }
            Thread.yield();
        }
        close(opened.subList(opened.size() - left, opened.size()));
    }

    /** Listens at this name, accepts no connection, and fills its backlog. */
    private static void occupy(String name) {
        int fd = Posix.unixListen(name, 0);
        while (fd >= 0) {
            fd = Posix.unixConnect(null, name);
        }
        if (fd != -Posix.EAGAIN) {
            throw new IllegalStateException(name + ": " + Posix.errorText(-fd));
        }
    }

    /** Calls native code, so only a peer with JFS can do this. */
    private static String say(String name, byte[] message) {
        int fd = Posix.unixConnect(null, name);
        try {
            Posix.send(fd, message, message.length);
            Posix.poll(fd, Posix.POLLIN, -1, 0, (int) Await.LIMIT.toMillis());
            byte[] answer = new byte[256];
            int n = Posix.receive(fd, answer);
            return n <= 0 ? "-" : HexFormat.of().formatHex(answer, 0, n);
        } finally {
            Posix.close(fd);
        }
    }

    private static Socket reusable(int port) throws IOException {
        Socket unconnected = new Socket();
        unconnected.setReuseAddress(true);
        unconnected.bind(new InetSocketAddress(port));
        return unconnected;
    }
}
