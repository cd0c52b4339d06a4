package jfs.conformance.processes;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jfs.JFSSocketImplFactory;
import jfs.conformance.Await;
import jfs.conformance.Background;
import jfs.conformance.Bytes;
import jfs.stat.Stats;

/**
 * A child process with one listener and one connection, which does what it is told: each line of standard input is an
 * order, "number name arguments"; each gets a thread and, when done, a line "number result" on standard output. It ends
 * with its standard input, so when its parent ends.
 */
public final class Peer {

    private final Map<String, Background<Void>> orders = new ConcurrentHashMap<>();
    private final List<Object> kept = new ArrayList<>();
    private ServerSocket listener;
    private Socket socket;

    /** Arguments: whether to install JFS. */
    public static void main(String[] args) throws IOException {
        if (Boolean.parseBoolean(args[0])) {
            Jfs.install();
        }
        new Peer().run();
    }

    private void run() throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            orders.put(words[0], Background.run(() -> obey(words)));
        }
        Runtime.getRuntime().halt(0);
    }

    private void obey(String[] words) {
        Object result;
        try {
            result = obey(words[1], words);
        } catch (Exception | AssertionError | LinkageError e) {
            result = e;
        }
        System.out.println(words[0] + " " + result);
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
            case "connectReusable" -> { // address, port; from a port that another socket may be bound to
                socket = reusable(0);
                socket.connect(new InetSocketAddress(words[2], Integer.parseInt(words[3])));
            }
            case "connectAgain" -> { // address, port; from the same port, which nobody else can take meanwhile
                Socket next = reusable(socket.getLocalPort());
                socket.setSoLinger(true, 0);
                socket.close();
                socket = next;
                socket.connect(new InetSocketAddress(words[2], Integer.parseInt(words[3])));
            }
            case "keep" -> kept.add(socket); // it stays open
            case "readKept" -> {
                return ((Socket) kept.get(0)).getInputStream().read();
            }
            case "accept" -> socket = listener.accept();
            case "lead" -> { // rounds
                return lead(Integer.parseInt(words[2]));
            }
            case "follow" -> follow();
            case "exchange" -> { // seed out, seed in, bytes
                int bytes = Integer.parseInt(words[4]);
                Background<Void> writer = Background.run(() -> write(Long.parseLong(words[2]), bytes));
                Bytes.expect(socket.getInputStream(), Long.parseLong(words[3]), 0, bytes);
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
            case "shutdownOutput" -> socket.shutdownOutput();
            case "close" -> socket.close();
            case "closeListener" -> listener.close();
            case "squat" -> // name, what it says to each visitor
                orders.put("squatter", Background.run(new Squatter(words[2], words[3])::run));
            case "negotiates" -> {
                return Jfs.negotiation();
            }
            case "negotiated" -> Jfs.awaitNegotiation();
            case "blocked" -> orders.get(words[2]).blocked(); // number of an earlier order
            case "stack" -> { // number of an earlier order
                return Stream.of(orders.get(words[2]).thread().getStackTrace()).map(StackTraceElement::getClassName)
                        .distinct().collect(Collectors.joining(" "));
            }
            case "descriptors" -> {
                return new File("/proc/self/fd").list().length;
            }
            case "mappings" -> {
                try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
                    return maps.filter(line -> line.contains("memfd:")).count();
                }
            }
            case "map" -> { // how often; each is a mapping of its own, since they are of one page
                try (FileChannel file = FileChannel.open(Path.of("/proc/self/exe"))) {
                    for (int i = 0; i < Integer.parseInt(words[2]); i++) {
                        kept.add(file.map(FileChannel.MapMode.READ_ONLY, 0, 4096));
                    }
                }
            }
            case "openAllButOne" -> {
                List<FileInputStream> open = new ArrayList<>();
                try {
                    for (;;) {
                        open.add(new FileInputStream("/dev/null"));
                    }
                } catch (IOException e) { // that was all
                    open.remove(0).close();
                }
                kept.add(open);
            }
            case "open" -> { // how many
                for (int i = 0; i < Integer.parseInt(words[2]); i++) {
                    kept.add(new FileInputStream("/dev/null"));
                }
            }
            case "timeouts" -> { // readers at once, more than anything is kept for
                return timeouts(Integer.parseInt(words[2]));
            }
            case "unavailable" -> {
                return Jfs.unavailable();
            }
            case "fallbacks" -> {
                return Stats.fallbacks();
            }
            case "switched" -> {
                return Jfs.switched();
            }
            default -> throw new IllegalArgumentException(order);
        }
        return "done";
    }

    /** Asks and waits for the answer; with rounds 0 until this end sends and receives on the fast path. */
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
            socket.getOutputStream().write(last ? 0 : 1);
            if (socket.getInputStream().read() != 2) {
                throw new AssertionError("no answer");
            }
        } while (!last);
        return round;
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

    /** What reads end with when the process has no descriptor left. */
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
            readEnds(clients); // the first time takes descriptors: classes are loaded, the JDK makes some of its own
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

    private static Socket reusable(int port) throws IOException {
        Socket unconnected = new Socket();
        unconnected.setReuseAddress(true);
        unconnected.bind(new InetSocketAddress(port));
        return unconnected;
    }

    /** What needs JFS, which a plain peer does not have. */
    private static final class Jfs {

        static void install() {
            JFSSocketImplFactory.install();
        }

        static String unavailable() {
            return JFSSocketImplFactory.unavailable();
        }

        /** Until the negotiation has done what it can and waits for others. */
        static void awaitNegotiation() throws Exception {
            int[] looks = {0};
            Await.until("the negotiation waits", () -> {
                looks[0] = negotiation().equals("epollWait") ? looks[0] + 1 : 0;
                return looks[0] == 5;
            });
        }

        /** The method that its thread is in. */
        static String negotiation() {
            return Thread.getAllStackTraces().entrySet().stream()
                    .filter(entry -> entry.getKey().getName().equals("jfs-negotiation") && entry.getValue().length > 0)
                    .map(entry -> entry.getValue()[0].getMethodName()).findAny().orElse("none");
        }

        /** Directions of this end that have switched. */
        static long switched() {
            return Stats.SWITCHED_OUT.sum() + Stats.SWITCHED_IN.sum();
        }
    }
}
