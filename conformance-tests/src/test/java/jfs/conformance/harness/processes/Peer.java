package jfs.conformance.harness.processes;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.net.ExtendedSocketOptions;
import jfs.conformance.harness.Bytes;
import jfs.conformance.harness.EndKind;
import jfs.conformance.harness.faults.Hook;
import jfs.conformance.harness.faults.Talk;
import jfs.nativelib.Posix;
import jfs.stat.Stats;
import jfs.testing.Await;
import jfs.testing.Background;
import jfs.testing.Segments;
import jfs.testing.VirtualThreads;

/** A child process with one listener and one connection. It obeys {@link Orders}. */
public final class Peer {

    private final Orders orders = new Orders();
    private final List<Object> kept = new ArrayList<>();
    private final SystemResources resources = new SystemResources();
    private final VirtualThreadPeer virtual = new VirtualThreadPeer();
    /** All listeners, by port. */
    private final Map<Integer, ServerSocket> listeners = new HashMap<>();
    private EndKind kind = EndKind.SOCKET;
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
                listener = kind.openListener();
                listener.setOption(StandardSocketOptions.SO_REUSEPORT, true);
                listener.bind(new InetSocketAddress(words[2], Integer.parseInt(words[3])));
                listeners.put(listener.getLocalPort(), listener);
                return listener.getLocalPort();
            }
            case "kind" -> kind = EndKind.valueOf(words[2]); // what the listeners and the accepted ends are from now on
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
            case "accept" -> socket = kind.connected(listener.accept());
            case "acceptWithin" -> { // milliseconds
                listener.setSoTimeout(Integer.parseInt(words[2]));
                socket = listener.accept();
            }
            case "lead" -> { // rounds
                return conversation().lead(Integer.parseInt(words[2]));
            }
            case "ask" -> { // rounds; the peer goes on following
                for (int i = 0; i < Integer.parseInt(words[2]); i++) {
                    conversation().ask(1);
                }
            }
            case "follow" -> conversation().follow();
            case "exchange" -> // seed out, seed in, bytes
                conversation().exchange(Long.parseLong(words[2]), Long.parseLong(words[3]), Integer.parseInt(words[4]));
            case "exchangeSizes" -> // seed out, seed in
                conversation().exchangeSizes(Long.parseLong(words[2]), Long.parseLong(words[3]));
            case "write" -> // seed, bytes
                conversation().write(Long.parseLong(words[2]), Integer.parseInt(words[3]));
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
            case "occupy" -> Squatter.occupy(words[2]); // name
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
                return Segments.mappings();
            }
            case "map" -> { // how often; maps the same page again, which makes a new mapping each time
                try (FileChannel file = FileChannel.open(Path.of("/proc/self/exe"))) {
                    for (int i = 0; i < Integer.parseInt(words[2]); i++) {
                        kept.add(file.map(FileChannel.MapMode.READ_ONLY, 0, 4096));
                    }
                }
            }
            case "openAllBut" -> { // how many descriptors are left
                Bytes.of(0, 0, 0); // later orders need this class, and to load it takes a descriptor, which JFS may have just then
                resources.useUpAllBut(Integer.parseInt(words[2]));
            }
            case "open" -> resources.open(Integer.parseInt(words[2])); // how many
            case "closeOpened" -> resources.closeOpened();
            case "withoutThreads" -> { // order, arguments
                return SystemResources.withoutThreads(() -> obey(words[2], Arrays.copyOfRange(words, 1, words.length)));
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
                    conversation().lead(Integer.parseInt(words[2]));
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
                    conversation().hearAnswer();
                }
            }
            case "answerKept" -> {
                for (Object each : kept) {
                    socket = (Socket) each;
                    conversation().follow();
                }
            }
            case "closeKept" -> {
                for (Object each : kept) {
                    ((Socket) each).close();
                }
                kept.clear();
            }
            case "timeouts" -> { // readers at the same time, more than anything is kept for
                return SystemResources.timeouts(Integer.parseInt(words[2]));
            }
            case "virtual" -> { // order, arguments
                return virtual.obey(words[2], words);
            }
            case "talk" -> { // whether as the client, address, port, seed, whether it ends its stream first, kind of this end
                int port = Integer.parseInt(words[4]);
                return new Talk(Long.parseLong(words[5]), Boolean.parseBoolean(words[6]), EndKind.valueOf(words[7]))
                        .hold(Boolean.parseBoolean(words[2]) ? null : listeners.get(port), words[3], port);
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
                return SystemResources.held(Boolean.parseBoolean(words[2]));
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

    private Conversation conversation() {
        return new Conversation(socket);
    }

    private static Socket reusable(int port) throws IOException {
        Socket unconnected = new Socket();
        unconnected.setReuseAddress(true);
        unconnected.bind(new InetSocketAddress(port));
        return unconnected;
    }
}
