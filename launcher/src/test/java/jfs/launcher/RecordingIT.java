package jfs.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import jfs.launcher.Programs.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The flight recorder's events of JFS, in recordings that begin with the JVM and in those that jcmd starts later. */
class RecordingIT {

    /** A program that does what its standard input says. */
    static final String PEER = """
            import java.io.*;
            import java.net.*;
            public class Peer {
                static Socket socket;
                public static void main(String[] args) throws Exception {
                    if (args.length > 0) jfs.JFSSocketImplFactory.install(java.util.Map.of("jfs.upgrade.after", "1"));
                    if (args.length > 1) jfs.JFSSocketImplFactory.registerMXBean();
                    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
                    say("ready");
                    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                        String[] words = line.split(" ");
                        switch (words[0]) {
                            case "listen" -> {
                                ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                                new Thread(() -> echo(server)).start();
                                say(server.getLocalPort());
                            }
                            case "connect" -> {
                                socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(words[1]));
                                say("connected");
                            }
                            case "talk" -> {
                                for (int i = 0; i < Integer.parseInt(words[1]); i++) {
                                    socket.getOutputStream().write(i);
                                    socket.getInputStream().read();
                                }
                                say("talked");
                            }
                            case "shut" -> { // while another thread waits for bytes, of the path or of TCP
                                Thread reader = start(() -> shutRead());
                                await(reader, "awaitData|takeTcp");
                                socket.shutdownInput();
                                reader.join();
                                socket.close();
                                say("shut");
                            }
                            case "close" -> {
                                socket.close();
                                say("closed");
                            }
                            case "read" -> {
                                try {
                                    say(socket.getInputStream().read());
                                } catch (IOException e) {
                                    say(e);
                                }
                            }
                            case "write" -> start(() -> write());
                            case "fill" -> { // until the writer waits for room
                                Thread writer = start(() -> write());
                                await(writer, "sendOrAwaitRoom");
                                say("full");
                            }
                        }
                    }
                    System.exit(0);
                }
                static Thread start(Runnable work) {
                    Thread thread = new Thread(work);
                    thread.start();
                    return thread;
                }
                /** Until the thread is in such a method. */
                static void await(Thread thread, String methods) {
                    while (java.util.Arrays.stream(thread.getStackTrace()).noneMatch(it -> it.getMethodName().matches(methods))) {
                        Thread.yield();
                    }
                }
                static void write() { // until the peer has gone, and then twice more; nobody reads the echo
                    int failed = 0;
                    String first = null;
                    while (failed < 3) {
                        try {
                            socket.getOutputStream().write(new byte[1000]);
                        } catch (IOException e) {
                            failed++;
                            first = first == null ? e.toString() : first;
                        }
                    }
                    say(first);
                }
                static void shutRead() {
                    try {
                        if (socket.getInputStream().read() != -1) throw new IOException("no end");
                    } catch (IOException e) {
                        say(e);
                    }
                }
                static void say(Object line) {
                    System.out.println("> " + line);
                }
                static void echo(ServerSocket server) {
                    for (;;) {
                        try (Socket accepted = server.accept()) {
                            for (int b = accepted.getInputStream().read(); b >= 0; b = accepted.getInputStream().read()) {
                                accepted.getOutputStream().write(b);
                            }
                            say("end");
                        } catch (IOException e) {
                            say(e);
                        }
                    }
                }
            }""";

    /** Such a program, in a JVM of its own. It ends when it is closed. */
    static final class Peer implements AutoCloseable {
        private final Process process;
        private final BufferedReader out;

        Peer(Path classes, List<String> options, String... arguments) throws IOException {
            this(classes, Map.of(), options, arguments);
        }

        Peer(Path classes, Map<String, String> environment, List<String> options, String... arguments) throws IOException {
            List<String> command = Programs.bareJava();
            command.addAll(options);
            command.addAll(List.of(arguments));
            process = Programs.process(classes, environment, command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            out = process.inputReader();
            assertEquals("ready", next());
        }

        String pid() {
            return String.valueOf(process.pid());
        }

        /** @return the program's next line after it was told that */
        String tell(String command) throws IOException {
            begin(command);
            return next();
        }

        /** Tells the program to do that, and does not wait for it. */
        void begin(String command) throws IOException {
            process.outputWriter().write(command + "\n");
            process.outputWriter().flush();
        }

        /** The program's next line, without the lines that some JDKs print about a recording. */
        String next() throws IOException {
            String line;
            do {
                line = out.readLine();
                assertNotNull(line, "the program has ended");
            } while (!line.startsWith("> "));
            return line.substring(2);
        }

        @Override
        public void close() throws Exception {
            process.destroyForcibly();
            assertTrue(process.waitFor(30, TimeUnit.SECONDS));
        }
    }

    static final String AGENT = "-javaagent:" + Programs.JAR + "=jfs.upgrade.after=1";
    /** The recorder's own lines go nowhere. */
    private static final List<String> RECORDED = List.of("-XX:StartFlightRecording", "-Xlog:jfr*=off:stdout");

    @TempDir
    static Path classes;

    @BeforeAll
    static void compile() throws Exception {
        Programs.compile(classes, Map.of("Peer", PEER));
    }

    private static Peer peer(boolean recorded, String... options) throws IOException {
        List<String> all = new ArrayList<>(recorded ? RECORDED : List.of());
        all.addAll(List.of(options));
        all.addAll(List.of("-cp", classes.toString()));
        return new Peer(classes, all, "Peer");
    }

    /** What the recording of that JVM has of JFS by now. */
    private static List<RecordedEvent> events(Peer peer, String name) throws Exception {
        Path file = Files.createTempFile(classes, "recording", ".jfr");
        jcmd(peer, "JFR.dump", "filename=" + file);
        return RecordingFile.readAllEvents(file).stream().filter(it -> it.getEventType().getName().equals(name)).toList();
    }

    private static void jcmd(Peer peer, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(Programs.tool("jcmd"), peer.pid()));
        command.addAll(List.of(words));
        Outcome outcome = Programs.run(classes, Map.of(), command);
        assertEquals(0, outcome.exitCode(), outcome::toString);
    }

    private static void assertIsOf(RecordedEvent event, String port, boolean accepted) {
        assertEquals("127.0.0.1", event.getString("peerAddress"));
        assertEquals("Socket", event.getString("socketClass"));
        assertEquals(accepted, event.getBoolean("accepted"));
        assertEquals(Integer.parseInt(port), event.getInt(accepted ? "ownPort" : "peerPort"));
        assertTrue(event.getInt(accepted ? "peerPort" : "ownPort") > 0);
        assertEquals(List.of("Java Fast Sockets"), event.getEventType().getCategoryNames());
    }

    @Test
    void aFastConnectionFromTheStart() throws Exception {
        try (Peer server = peer(true, AGENT); Peer client = peer(true, AGENT)) {
            String port = server.tell("listen");
            client.tell("connect " + port);
            int sent = 0;
            List<RecordedEvent> switched;
            do {
                client.tell("talk 100");
                sent += 100;
                switched = events(client, "jfs.Switch");
            } while (switched.size() < 2); // the test's time-out ends it
            for (RecordedEvent event : switched) {
                assertIsOf(event, port, false);
                assertEquals("sci", event.getString("transport"));
                long overTcp = event.getLong("bytesOverTcp");
                assertTrue(overTcp > 0 && overTcp <= sent, event::toString);
            }
            assertEquals(List.of("in", "out"), switched.stream().map(it -> it.getString("direction")).sorted().toList());
            List<RecordedEvent> connected = events(client, "jfs.Connect");
            assertEquals(1, connected.size(), connected::toString);
            assertIsOf(connected.get(0), port, false);
            assertTrue(connected.get(0).getStackTrace().getFrames().stream().anyMatch(it -> it.getMethod().getName().equals("main")));
            assertEquals(List.of(), events(client, "jfs.Fallback"));
            List<RecordedEvent> accepted = events(server, "jfs.Connect");
            assertEquals(1, accepted.size(), accepted::toString);
            assertIsOf(accepted.get(0), port, true);
            assertEquals(List.of(), events(client, "jfs.Death"));
        }
    }

    /** While the recording is written, the server has nothing to do: its reader sleeps for longer than the threshold. */
    @Test
    void aRecordingThatIsStartedLaterHasSleepsAndTheDeathOfAPeer() throws Exception {
        try (Peer server = peer(false, AGENT, "-Xlog:jfr*=off:stdout")) {
            String port;
            try (Peer client = peer(true, AGENT)) {
                port = server.tell("listen");
                client.tell("connect " + port);
                do {
                    client.tell("talk 100");
                } while (events(client, "jfs.Switch").size() < 2);
                jcmd(server, "JFR.start");
                List<RecordedEvent> sleeps;
                do {
                    client.tell("talk 1");
                    sleeps = events(server, "jfs.Sleep");
                } while (sleeps.isEmpty());
                for (RecordedEvent event : sleeps) {
                    assertIsOf(event, port, true);
                    assertEquals("in", event.getString("direction"));
                    assertTrue(event.getDuration().compareTo(Duration.ofMillis(20)) >= 0, event::toString);
                }
            } // kills it
            assertEquals("end", server.next());
            List<RecordedEvent> deaths = events(server, "jfs.Death");
            assertEquals(1, deaths.size(), deaths::toString);
            assertIsOf(deaths.get(0), port, true);
            assertEquals("in", deaths.get(0).getString("direction"));
            assertEquals(List.of(), events(server, "jfs.Connect"));
        }
    }

    /** The peer process is killed while this one reads, writes, or waits for room to write. */
    @ParameterizedTest
    @CsvSource({"sci, read", "sci, write", "sci, fill", "mx, read", "mx, write", "mx, fill"})
    void theDeathOfAPeerOnce(String transport, String command) throws Exception {
        List<String> options = new ArrayList<>(RECORDED);
        options.addAll(List.of(AGENT, "-cp", classes.toString()));
        if (transport.equals("mx")) {
            Path rules = Files.writeString(classes.resolve("mx"), "connect * * mx trusted forced\naccept * * mx trusted forced\n");
            int first = 29_000 + (int) (ProcessHandle.current().pid() % 1_000);
            options.addAll(List.of("-Djfs.rules=" + rules, "-Djfs.hosts.ports=" + first + "-" + (first + 15), "-Djfs.mx.library=shim"));
        }
        Map<String, String> environment = Map.of("UCX_TLS", "tcp", "MX_SHIM_ADDRESS", "127.0.0.1");
        try (Peer client = new Peer(classes, environment, options, "Peer")) {
            String port;
            try (Peer server = new Peer(classes, environment, options, "Peer")) {
                port = server.tell("listen");
                client.tell("connect " + port);
                List<RecordedEvent> switched;
                do {
                    client.tell("talk 100");
                    switched = events(client, "jfs.Switch");
                } while (switched.size() < 2);
                assertEquals(transport, switched.get(0).getString("transport"));
                client.begin(command);
                if (command.equals("fill")) {
                    assertEquals("full", client.next());
                }
            } // kills it
            String seen = client.next();
            boolean isEnd = command.equals("read") && transport.equals("sci");
            assertTrue(isEnd ? seen.equals("-1") : seen.startsWith("java.net.SocketException: "), seen);
            List<RecordedEvent> deaths = events(client, "jfs.Death");
            assertEquals(1, deaths.size(), deaths::toString);
            assertIsOf(deaths.get(0), port, false);
            assertEquals(command.equals("read") ? "in" : "out", deaths.get(0).getString("direction"));
        }
    }

    @Test
    void anOrderlyEndIsNoDeath() throws Exception {
        try (Peer server = peer(true, AGENT); Peer client = peer(true, AGENT)) {
            client.tell("connect " + server.tell("listen"));
            do {
                client.tell("talk 100");
            } while (events(client, "jfs.Switch").size() < 2);
            client.tell("close");
            assertEquals("end", server.next());
            assertEquals(List.of(), events(server, "jfs.Death"));
            assertEquals(List.of(), events(client, "jfs.Death"));
        }
    }

    /**
     * The reader may see the end that its own process makes of TCP before it sees that the input was shut down. Most connections have
     * switched by then, and in some of them the reader is that early.
     */
    @Test
    void aShutdownOfTheInputIsNoDeath() throws Exception {
        try (Peer server = peer(true, AGENT); Peer client = peer(true, AGENT)) {
            String port = server.tell("listen");
            for (int i = 0; i < 40; i++) {
                client.tell("connect " + port);
                client.tell("talk 4000");
                assertEquals("shut", client.tell("shut"));
                assertEquals("end", server.next());
            }
            assertFalse(events(client, "jfs.Switch").isEmpty());
            assertEquals(List.of(), events(client, "jfs.Death"));
        }
    }

    /** The first connection that is observed may begin when hardly any stack is left. Later ones begin as usual. */
    @Test
    void aFirstObservedConnectionOnADeepStack() throws Exception {
        Programs.compile(classes, Map.of("Deep", """
                import java.net.*;
                public class Deep {
                    public static void main(String[] args) throws Exception {
                        connect();
                        jdk.jfr.Recording recording = new jdk.jfr.Recording();
                        recording.start();
                        if (!began()) throw new Error("no call has ended in order");
                        connect();
                        recording.stop();
                        System.out.println("connected");
                    }
                    static boolean began() {
                        try {
                            if (began()) return true;
                        } catch (StackOverflowError e) {
                            // there is more stack in this frame
                        }
                        try {
                            jfs.stat.Stats.began(0);
                            return true;
                        } catch (StackOverflowError e) {
                            return false;
                        }
                    }
                    static void connect() throws Exception {
                        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                                Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                                Socket accepted = server.accept()) {
                            client.getOutputStream().write(17);
                            accepted.getInputStream().read();
                        }
                    }
                }"""));
        Outcome outcome = Programs.bareJava(classes, Map.of(), List.of(AGENT, "-Xlog:jfr*=off:stdout", "-cp", classes.toString(), "Deep"));
        assertEquals(0, outcome.exitCode(), outcome::toString);
        assertTrue(outcome.out().endsWith("connected\n"), outcome::toString);
    }

    @Test
    void aPlainPeer() throws Exception {
        try (Peer server = peer(false); Peer client = peer(true, AGENT)) {
            String port = server.tell("listen");
            client.tell("connect " + port);
            List<RecordedEvent> fallbacks;
            do {
                client.tell("talk 10");
                fallbacks = events(client, "jfs.Fallback");
            } while (fallbacks.isEmpty());
            assertIsOf(fallbacks.get(0), port, false);
            assertEquals("NO_PEER", fallbacks.get(0).getString("reason"));
            assertFalse(fallbacks.get(0).getString("text").isEmpty());
            assertNull(fallbacks.get(0).getStackTrace());
            assertEquals(List.of(), events(client, "jfs.Switch"));
        }
    }
}
