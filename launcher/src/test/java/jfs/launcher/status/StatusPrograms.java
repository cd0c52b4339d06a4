package jfs.launcher.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import jfs.launcher.Programs;
import jfs.launcher.Programs.Outcome;

/** What the tests of the command {@code status} share: programs that converse, and what the command says of them. */
final class StatusPrograms {

    private StatusPrograms() {
    }

    /**
     * Echo [ADDRESS] answers each byte of one connection, Talk PORT [ADDRESS] asks as often as a line on its standard input says.
     * A line -N lets it send N bytes whose answer it does not read.
     */
    static void compile(Path folder) throws IOException {
        Programs.compile(folder, Map.of("Echo", """
                import java.io.*;
                import java.net.*;
                public class Echo {
                    public static void main(String[] args) throws Exception {
                        try (ServerSocket server = new ServerSocket(0, 9,
                                InetAddress.getByName(args.length > 0 ? args[0] : "127.0.0.1"))) {
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
                        try (Socket socket = new Socket(args.length > 1 ? args[1] : "127.0.0.1",
                                Integer.parseInt(args[0]))) {
                            BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
                            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                                int unread = -Integer.parseInt(line);
                                if (unread > 0) socket.getOutputStream().write(new byte[unread]);
                                for (int i = 0; i < -unread; i++) {
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
                }""", "ChannelEcho", """
                import java.net.*;
                import java.nio.ByteBuffer;
                import java.nio.channels.*;
                public class ChannelEcho {
                    public static void main(String[] args) throws Exception {
                        try (ServerSocketChannel server = ServerSocketChannel.open()) {
                            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                            System.out.println(server.socket().getLocalPort());
                            try (SocketChannel accepted = server.accept()) {
                                ByteBuffer bytes = ByteBuffer.allocate(1_000);
                                while (accepted.read(bytes) >= 0) {
                                    accepted.write(bytes.flip());
                                    bytes.clear();
                                }
                            }
                        }
                    }
                }""", "Select", """
                import java.io.*;
                import java.net.*;
                import java.nio.ByteBuffer;
                import java.nio.channels.*;
                public class Select {
                    public static void main(String[] args) throws Exception {
                        try (Selector selector = Selector.open(); SocketChannel channel = SocketChannel.open(
                                new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])))) {
                            channel.configureBlocking(false);
                            channel.register(selector, SelectionKey.OP_READ);
                            System.out.println("ready");
                            BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
                            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                                for (int i = 0; i < Integer.parseInt(line); i++) {
                                    channel.write(ByteBuffer.allocate(1));
                                    for (int n = 0; n == 0; n = channel.read(ByteBuffer.allocate(1))) {
                                        selector.select();
                                        selector.selectedKeys().clear();
                                    }
                                }
                                System.out.println("done");
                            }
                        }
                    }
                }""", "Many", """
                import java.io.*;
                import java.net.*;
                import java.util.*;
                public class Many {
                    public static void main(String[] args) throws Exception {
                        List<Socket> all = new ArrayList<>();
                        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                            for (int i = 1; i <= Integer.parseInt(args[0]); i++) {
                                Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                                all.addAll(List.of(client, server.accept()));
                                client.getOutputStream().write(new byte[i]);
                            }
                            System.out.println("ready");
                            System.in.read();
                        }
                    }
                }""", "Forget", """
                import java.net.*;
                import java.nio.channels.FileChannel;
                import java.nio.file.*;
                public class Forget {
                    public static void main(String[] args) throws Exception {
                        int most = 0;
                        for (int i = 0; i < 30; i++) {
                            forget(100);
                            System.gc();
                            most = Math.max(most, rows());
                        }
                        System.out.println(most);
                        System.in.read();
                    }
                    static void forget(int connections) throws Exception {
                        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                            for (int i = 0; i < connections; i++) {
                                Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                                Socket accepted = server.accept();
                                client.getOutputStream().write(i);
                                accepted.getInputStream().read();
                            }
                        }
                    }
                    static int rows() throws Exception {
                        try (var files = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
                            for (Path file : files) {
                                if (Files.isSymbolicLink(file) && Files.readSymbolicLink(file).toString().contains("jfs-connections")) {
                                    try (FileChannel table = FileChannel.open(file)) {
                                        return new jfs.monitor.TableReader(
                                                table.map(FileChannel.MapMode.READ_ONLY, 0, table.size())).connections().size();
                                    }
                                }
                            }
                        }
                        return -1;
                    }
                }""", "Relay", """
                import java.io.*;
                import java.net.*;
                public class Relay { // SOCKS is version 5, without authentication, to an IPv4 address
                    public static void main(String[] args) throws Exception {
                        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                            System.out.println(server.getLocalPort());
                            try (Socket near = server.accept()) {
                                if (args.length > 1) {
                                    DataInputStream in = new DataInputStream(near.getInputStream());
                                    in.readByte();
                                    in.readFully(new byte[in.readByte()]);
                                    near.getOutputStream().write(new byte[] {5, 0});
                                    in.readFully(new byte[10]);
                                    near.getOutputStream().write(new byte[] {5, 0, 0, 1, 127, 0, 0, 1, 0, 1});
                                }
                                try (Socket far = new Socket("127.0.0.1", Integer.parseInt(args[0]))) {
                                    new Thread(() -> copy(far, near)).start();
                                    copy(near, far);
                                }
                            }
                        }
                    }
                    static void copy(Socket from, Socket to) {
                        try {
                            from.getInputStream().transferTo(to.getOutputStream());
                        } catch (IOException e) { // one of them has ended
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
    static final class Running implements AutoCloseable {
        private final Process process;
        private final BufferedReader out;
        /** What the program has printed first: the port of a server. */
        final String first;

        /** @param classes where the programs were compiled to */
        Running(Path classes, List<String> options, String... program) throws IOException {
            this(List.of(), classes, options, program);
        }

        /** @param by a command that becomes the JVM (execve), so that it has the number of the process */
        Running(List<String> by, Path classes, List<String> options, String... program) throws IOException {
            List<String> command = new ArrayList<>(by);
            command.add(Programs.tool("java"));
            command.addAll(options);
            command.addAll(List.of("-cp", classes.toString()));
            command.addAll(List.of(program));
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
            builder.environment().keySet().removeIf(it -> it.startsWith("JFS_") || it.equals("JAVA_TOOL_OPTIONS"));
            process = builder.start();
            out = process.inputReader();
            first = program[0].equals("Talk") ? null : out.readLine(); // Talk says nothing before it is asked
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

    static List<String> agent(String... settings) {
        String list = String.join(",", settings);
        return List.of("-javaagent:" + Programs.JAR + (list.isEmpty() ? "" : "=" + list));
    }

    /** @param folder the current folder of the command */
    static String status(Path folder, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("-jar", Programs.JAR, "status"));
        command.addAll(List.of(arguments));
        Outcome outcome = Programs.java(folder, Map.of(), List.of(), command);
        assertEquals(0, outcome.exitCode(), outcome::err);
        assertEquals("", outcome.err());
        return outcome.out();
    }

    static void assertHas(String text, String part) {
        assertTrue(text.contains(part), () -> "not there: " + part + "\n" + text);
    }

    static long number(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertTrue(matcher.find(), () -> pattern + " is not in\n" + text);
        return Long.parseLong(matcher.group(1));
    }

    /** The client converses until {@code status} says this of it. */
    static void assertEventually(Path folder, Running client, String part) throws Exception {
        String text;
        do {
            client.talk(10);
            text = status(folder, client.pid());
        } while (!text.contains(part)); // the test's time-out ends it
    }
}
