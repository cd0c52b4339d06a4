package jfs.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jfs.launcher.Programs.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command status shows the connections of running programs: which are fast, and why others are not. */
class StatusIT {

    @TempDir
    static Path classes;

    @BeforeAll
    static void compile() throws Exception {
        Programs.compile(classes, Map.of("Echo", """
                import java.io.*;
                import java.net.*;
                public class Echo {
                    public static void main(String[] args) throws Exception {
                        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                            System.out.println(server.getLocalPort());
                            try (Socket accepted = server.accept()) {
                                int b;
                                while ((b = accepted.getInputStream().read()) >= 0) accepted.getOutputStream().write(b);
                            }
                        }
                    }
                }""", "Talk", """
                import java.io.*;
                import java.net.*;
                public class Talk {
                    public static void main(String[] args) throws Exception {
                        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]))) {
                            BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
                            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                                for (int i = 0; i < Integer.parseInt(line); i++) {
                                    socket.getOutputStream().write(i);
                                    socket.getInputStream().read();
                                }
                                System.out.println("done");
                            }
                        }
                    }
                }""", "Channel", """
                import java.net.*;
                import java.nio.channels.*;
                public class Channel {
                    public static void main(String[] args) throws Exception {
                        try (SocketChannel channel = SocketChannel.open(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])))) {
                            System.out.println("ready");
                            System.in.read();
                        }
                    }
                }""", "Idle", """
                public class Idle {
                    public static void main(String[] args) throws Exception {
                        System.out.println("ready");
                        System.in.read();
                    }
                }"""));
    }

    /** A program that runs until it is closed. It prints a line when it is told to do something, and ends with its standard input. */
    private static final class Running implements AutoCloseable {
        private final Process process;
        private final BufferedReader out;
        private final String first;

        Running(List<String> options, String... program) throws IOException {
            List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
            command.addAll(options);
            command.addAll(List.of("-cp", classes.toString()));
            command.addAll(List.of(program));
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
            builder.environment().keySet().removeIf(it -> it.startsWith("JFS_") || it.equals("JAVA_TOOL_OPTIONS"));
            process = builder.start();
            out = process.inputReader();
            first = program[0].equals("Talk") ? null : out.readLine();
        }

        String pid() {
            return String.valueOf(process.pid());
        }

        void talk(int requests) throws IOException {
            process.outputWriter().write(requests + "\n");
            process.outputWriter().flush();
            assertEquals("done", out.readLine());
        }

        @Override
        public void close() throws Exception {
            process.destroyForcibly();
            assertTrue(process.waitFor(30, TimeUnit.SECONDS));
        }
    }

    private static List<String> agent(String... settings) {
        String list = String.join(",", settings);
        return List.of("-javaagent:" + Programs.JAR + (list.isEmpty() ? "" : "=" + list));
    }

    private static String status(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("-jar", Programs.JAR, "status"));
        command.addAll(List.of(arguments));
        Outcome outcome = Programs.java(classes, Map.of(), List.of(), command);
        assertEquals(0, outcome.exitCode(), outcome::err);
        assertEquals("", outcome.err());
        return outcome.out();
    }

    private static void assertHas(String text, String part) {
        assertTrue(text.contains(part), () -> "not there: " + part + "\n" + text);
    }

    private static long number(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertTrue(matcher.find(), () -> pattern + " is not in\n" + text);
        return Long.parseLong(matcher.group(1));
    }

    @Test
    void aLiveConnectionIsFastAndItsBytesGrow() throws Exception {
        try (Running server = new Running(agent("jfs.upgrade.after=1"), "Echo");
                Running client = new Running(agent("jfs.upgrade.after=1"), "Talk", server.first)) {
            String text;
            do {
                client.talk(100);
                text = status(client.pid());
            } while (!text.contains("1 fast"));
            client.talk(1_000);
            text = status(client.pid());
            assertHas(text, "Socket, ");
            assertHas(text, "fast over sci");
            assertHas(text, "-> 127.0.0.1:" + server.first);
            assertHas(text, "out by the path, ");
            assertHas(status(server.pid()), "<- 127.0.0.1:");
            long before = number(status(client.pid(), "--json"), "\"out\": \\{\"phase\": \"FAST\", \"bytes\": (\\d+)");
            client.talk(50);
            assertEquals(before + 50, number(status(client.pid(), "--json"), "\"out\": \\{\"phase\": \"FAST\", \"bytes\": (\\d+)"));
            assertEquals(before + 50, number(status(client.pid(), "--json"), "\"in\": \\{\"phase\": \"FAST\", \"bytes\": (\\d+)"));
            assertHas(status(), client.pid() + " Talk: 1 connection, 1 fast\n");
            assertHas(status("--prometheus"), "jfs_open_fast_connections{pid=\"" + client.pid() + "\",program=\"Talk\"} 1\n");
        }
    }

    @Test
    void aPlainPeer() throws Exception {
        try (Running server = new Running(List.of(), "Echo");
                Running client = new Running(agent("jfs.upgrade.after=1"), "Talk", server.first)) {
            String text;
            do {
                client.talk(10);
                text = status(client.pid());
            } while (!text.contains("why: NO_PEER: "));
            assertHas(text, "over TCP");
            assertHas(text, "what to do: start the other program under JFS, in this network namespace\n");
        }
    }

    @Test
    void tooFewRequestsYet() throws Exception {
        try (Running server = new Running(agent(), "Echo"); Running client = new Running(agent(), "Talk", server.first)) {
            client.talk(10);
            assertHas(status(client.pid()), "why: it has had 9 of the 400 requests and answers after which JFS offers it\n");
            assertHas(status(server.pid()), "why: it has had 10 of the 12 requests and answers after which offers can find it\n");
        }
    }

    @Test
    void aRuleAtThisEndAndAtTheOther() throws Exception {
        Path rules = java.nio.file.Files.writeString(classes.resolve("rules"), "connect * * tcp\naccept * * tcp\n");
        try (Running server = new Running(agent("jfs.rules=" + rules, "jfs.upgrade.after=1"), "Echo");
                Running client = new Running(agent("jfs.upgrade.after=1"), "Talk", server.first)) {
            assertEventually(client, "why: RULE: the peer says: ");
            assertHas(status(client.pid()), "what to do: at the other end: ");
            assertHas(status(server.pid()), "why: RULE: line 2 of jfs.rules: accept * * tcp\n");
        }
    }

    @Test
    void switchedOff() throws Exception {
        try (Running server = new Running(agent("jfs.upgrade.after=1"), "Echo");
                Running client = new Running(agent("jfs.transport=tcp"), "Talk", server.first)) {
            client.talk(10);
            assertHas(status(client.pid()), "why: TRANSPORT_OFF: ");
        }
    }

    @Test
    void outOfReach() throws Exception {
        try (Running server = new Running(List.of(), "Echo");
                Running client = new Running(agent("jfs.nio=off"), "Channel", server.first)) {
            String line = status(client.pid()).lines().findFirst().orElseThrow();
            assertTrue(line.startsWith(client.pid() + " Channel: ") && line.endsWith("; 1 that JFS can't reach"), line);
            assertHas(status("--json", client.pid()), "\"outOfReach\": 1,");
        }
    }

    @Test
    void aChannel() throws Exception {
        try (Running server = new Running(List.of(), "Echo"); Running client = new Running(agent(), "Channel", server.first)) {
            assertHas(status(client.pid()), "-> 127.0.0.1:" + server.first + " SocketChannel, ");
        }
    }

    @Test
    void nativesMissing() throws Exception {
        try (Running server = new Running(agent(), "Echo");
                Running client = new Running(agent("jfs.native.dir=" + classes), "Talk", server.first)) {
            client.talk(10);
            assertHas(status(client.pid()), "no connection can be fast: native library: ");
        }
    }

    /** Without natives and without a folder for its file there is no table, and the program does not notice. */
    @Test
    void aProcessWithoutATable() throws Exception {
        List<String> options = new ArrayList<>(agent("jfs.native.dir=" + classes));
        options.add("-Djava.io.tmpdir=" + classes.resolve("none"));
        try (Running server = new Running(agent(), "Echo"); Running client = new Running(options, "Talk", server.first)) {
            client.talk(10);
            assertHas(status(client.pid()), client.pid() + " Talk: it has jfs.jar, and no table of connections: ");
        }
    }

    @Test
    void aProgramWithoutSockets() throws Exception {
        try (Running program = new Running(agent(), "Idle")) {
            assertHas(status(), program.pid() + " Idle: it has jfs.jar, and no table of connections: ");
        }
    }

    @Test
    void whatCannotBeShownIsTold() throws Exception {
        try (Running program = new Running(List.of(), "Idle")) {
            Outcome outcome = Programs.java(classes, Map.of(), List.of(), List.of("-jar", Programs.JAR, "status", program.pid()));
            assertEquals(new Outcome(1, "", "jfs: process " + program.pid() + " does not use JFS: it has no jfs.jar open\n"), outcome);
            assertFalse(status().contains(program.pid() + " "));
        }
        Outcome outcome = Programs.java(classes, Map.of(), List.of(), List.of("-jar", Programs.JAR, "status", "0"));
        assertEquals(new Outcome(2, "", "jfs: bad process id 0; allowed is the number of a process\n"), outcome);
    }

    private static void assertEventually(Running client, String part) throws Exception {
        String text;
        do {
            client.talk(10);
            text = status(client.pid());
        } while (!text.contains(part)); // the test's time-out ends it
    }
}
