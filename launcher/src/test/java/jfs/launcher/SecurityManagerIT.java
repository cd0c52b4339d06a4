package jfs.launcher;

import static jfs.launcher.Programs.JAR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import jfs.launcher.Programs.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A JVM that has a security manager from its start, or gets one later. JFS says why it does nothing, and breaks nothing. */
class SecurityManagerIT {

    private static final String REFUSED = "jfs: can't be installed, this JVM has a security manager"
            + " (java.lang.SecurityManager); to use JFS, start this JVM without one (no -Djava.security.manager)\n";
    /** The JVM's warning when an option sets a security manager. */
    private static final String WARNING = "WARNING: A command line option has enabled the Security Manager\n"
            + "WARNING: The Security Manager is deprecated and will be removed in a future release\n";

    /** What the policy grants to all code. */
    enum Policy {
        ITS_SOCKETS("java.net.SocketPermission \"*\", \"accept,connect,listen,resolve\""),
        ALL("java.security.AllPermission");

        private final String permission;

        Policy(String permission) {
            this.permission = permission;
        }

        String option() throws Exception {
            Path file = folder.resolve(name() + ".policy");
            Files.writeString(file, "grant { permission " + permission + ";\n"
                    + "permission java.lang.RuntimePermission \"setSecurityManager\";\n"
                    + "permission java.lang.RuntimePermission \"setFactory\"; };\n"); // Talk asks by it whether a factory is set
            return "-Djava.security.policy=" + file;
        }
    }

    @TempDir
    static Path folder;

    @BeforeAll
    static void compile() throws Exception {
        Programs.compile(folder, Map.of("Talk", Programs.TALK, "InCode", """
                public class InCode {
                    public static void main(String[] args) throws Exception {
                        for (Runnable way : new Runnable[] {
                                jfs.JFSSocketImplFactory::install, jfs.JFSSocketImplFactory::new}) {
                            try {
                                way.run();
                            } catch (IllegalStateException e) {
                                System.err.println(e.getMessage());
                            }
                        }
                        Talk.main(args);
                    }
                }""", "Later", """
                import java.io.*;
                import java.net.*;
                public class Later {
                    /**
                     * Arguments: rounds of a first conversation before the manager is set, and after that. Before 0 rounds
                     * there are no sockets, before -1 they are not bound.
                     */
                    public static void main(String[] args) throws Exception {
                        int before = Integer.parseInt(args[0]), after = Integer.parseInt(args[1]);
                        InetAddress here = InetAddress.getLoopbackAddress();
                        if (before == 0) set();
                        ServerSocket server = new ServerSocket();
                        Socket client = new Socket();
                        if (before == -1) set();
                        server.bind(new InetSocketAddress(here, 0), 5);
                        client.connect(server.getLocalSocketAddress());
                        Socket accepted = server.accept();
                        converse(client, accepted, before);
                        if (before > 0) set();
                        converse(client, accepted, after);
                        // The old listener accepts a new connection, and a new listener does.
                        meet(server, new Socket(here, server.getLocalPort()), after);
                        try (ServerSocket other = new ServerSocket(0, 5, here)) {
                            meet(other, new Socket(here, other.getLocalPort()), after);
                            Socket direct = new Socket(Proxy.NO_PROXY);
                            direct.connect(other.getLocalSocketAddress(), 10_000);
                            meet(other, direct, after);
                        }
                        accepted.setSoTimeout(1);
                        fails(() -> accepted.getInputStream().read());
                        client.close();
                        accepted.setSoTimeout(0);
                        System.out.println(accepted.getInputStream().read());
                        accepted.close();
                        int port = server.getLocalPort();
                        server.close();
                        fails(() -> new Socket(here, port));
                        fails(() -> System.getProperty("user.home"));
                    }
                    interface Call { void call() throws Exception; }
                    static void fails(Call call) {
                        try {
                            call.call();
                        } catch (Exception e) {
                            System.out.println(e);
                        }
                    }
                    @SuppressWarnings("removal")
                    static void set() {
                        System.setSecurityManager(new SecurityManager());
                    }
                    static void meet(ServerSocket server, Socket client, int rounds) throws IOException {
                        try (client; Socket accepted = server.accept()) {
                            converse(client, accepted, rounds);
                        }
                    }
                    static void converse(Socket client, Socket server, int rounds) throws IOException {
                        for (int i = 0; i < rounds; i++) {
                            client.getOutputStream().write(i);
                            server.getOutputStream().write(server.getInputStream().read() + 1);
                            if (client.getInputStream().read() != (i + 1 & 255)) throw new IOException("wrong at " + i);
                        }
                        System.out.println(rounds + " rounds");
                    }
                }""", "Permitted", """
                import java.net.*;
                import jfs.stat.Stats;
                public class Permitted {
                    @SuppressWarnings("removal")
                    public static void main(String[] args) throws Exception {
                        System.setSecurityManager(new SecurityManager());
                        InetAddress here = InetAddress.getLoopbackAddress();
                        try (ServerSocket server = new ServerSocket(0, 5, here);
                                Socket client = new Socket(here, server.getLocalPort());
                                Socket accepted = server.accept()) {
                            while (Stats.SWITCHED_OUT.sum() < 2) { // a fast path in both directions
                                client.getOutputStream().write(1);
                                accepted.getOutputStream().write(accepted.getInputStream().read());
                                client.getInputStream().read();
                            }
                        }
                    }
                }""", "Typed", """
                import java.io.IOException;
                import java.net.*;
                import java.nio.channels.*;
                import jfs.JFS;
                import jfs.streams.*;
                public class Typed {
                    /** Arguments: "later", if the program sets the manager; "fast", if it goes on until the sockets have a fast path. */
                    @SuppressWarnings("removal")
                    public static void main(String[] args) throws Exception {
                        if (args.length > 0) System.setSecurityManager(new SecurityManager());
                        InetAddress here = InetAddress.getLoopbackAddress();
                        try (ServerSocket server = new ServerSocket(0, 5, here);
                                Socket client = new Socket(here, server.getLocalPort());
                                Socket accepted = server.accept()) {
                            TypedStreams near = JFS.streams(client), far = JFS.streams(accepted);
                            converse(near, far);
                            while (args.length > 1 && jfs.stat.Stats.SWITCHED_OUT.sum() < 2) converse(near, far);
                            System.out.println("sockets: " + converse(near, far));
                        }
                        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(here, 0));
                                SocketChannel client = SocketChannel.open(server.getLocalAddress());
                                SocketChannel accepted = server.accept()) {
                            System.out.println("channels: " + converse(JFS.streams(client), JFS.streams(accepted)));
                        }
                    }
                    static double converse(TypedStreams near, TypedStreams far) throws IOException {
                        double[] values = {1, 2, 3}, seen = new double[3];
                        near.output().write(values);
                        far.input().readFully(seen);
                        try (WriteClaim claim = far.output().claim(8)) {
                            claim.putDouble(0, seen[0] + seen[1] + seen[2]);
                            claim.commit();
                        }
                        try (ReadClaim claim = near.input().claim(8)) {
                            double sum = claim.getDouble(0);
                            claim.release(8);
                            return sum;
                        }
                    }
                }""", "Channels", """
                import java.net.*;
                import java.nio.ByteBuffer;
                import java.nio.channels.*;
                public class Channels {
                    /** Sets the manager after the installation of JFS, and before the first channel. */
                    @SuppressWarnings("removal")
                    public static void main(String[] args) throws Exception {
                        System.setSecurityManager(new SecurityManager());
                        try (ServerSocketChannel server = ServerSocketChannel.open()
                                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                                SocketChannel client = SocketChannel.open(server.getLocalAddress());
                                SocketChannel accepted = server.accept(); Selector selector = Selector.open()) {
                            accepted.configureBlocking(false).register(selector, SelectionKey.OP_READ);
                            ByteBuffer one = ByteBuffer.allocate(1);
                            int all = 0;
                            for (int i = 0; i < 1000; i++) {
                                client.write(one.put(0, (byte) i).clear());
                                while (selector.select(10_000) == 0) { }
                                selector.selectedKeys().clear();
                                accepted.read(one.clear());
                                accepted.write(one.flip());
                                all += client.read(one.clear());
                            }
                            System.out.println(all + " " + client.getClass().getName() + " " + selector.getClass().getName());
                        }
                    }
                }"""));
    }

    @BeforeEach
    void thisJdkHasThem() {
        assumeTrue(Runtime.version().feature() < 24, "from JDK 24 on there is no security manager");
    }

    @ParameterizedTest
    @EnumSource
    void anAgentKeepsTheJdksSockets(Policy policy) throws Exception {
        assertEquals(new Outcome(0, "false\nfalse\n", WARNING + REFUSED), guarded(policy, "-javaagent:" + JAR, "Talk"));
    }

    /** The launcher doesn't start the program: a user who asks for JFS by name is told that JFS can't be installed. */
    @ParameterizedTest
    @EnumSource
    void theLauncherRefuses(Policy policy) throws Exception {
        assertEquals(new Outcome(2, "", WARNING + REFUSED), guarded(policy, "JFSLauncher", "Talk"));
        assertEquals(new Outcome(2, "", WARNING + REFUSED), guarded(policy, "-jar", JAR, "run", "Talk"));
    }

    @ParameterizedTest
    @EnumSource
    void codeIsRefused(Policy policy) throws Exception {
        assertEquals(new Outcome(0, "false\nfalse\n", WARNING + REFUSED.repeat(2)), guarded(policy, "InCode"));
    }

    /**
     * The program sets the manager before the first socket is made, before the first one is bound, before the connection is
     * offered a fast path, while it is offered one, or when it has one.
     */
    @ParameterizedTest
    @CsvSource({"0, ''", "-1, ''", "1, ''", "3, ''", "5000, ''",
        "0, jfs.tcp=nio", "-1, jfs.tcp=nio", "1, jfs.tcp=nio", "3, jfs.tcp=nio", "5000, jfs.tcp=nio",
        "0, jfs.upgrade.after=0", "5000, jfs.transport=tcp"})
    void oneThatIsSetLaterChangesNothing(String roundsBefore, String setting) throws Exception {
        Outcome without = later("Later", roundsBefore, "2000");
        assertEquals(0, without.exitCode(), without.err());
        assertTrue(without.out().contains("java.security.AccessControlException: access denied"), without.out());
        assertEquals(without, later("-javaagent:" + JAR + "=" + setting, "Later", roundsBefore, "2000"));
    }

    @Test
    void theLogSaysThatOneWasSetLater() throws Exception {
        Outcome outcome = later("-javaagent:" + JAR + "=jfs.log=fallback", "Later", "0", "3");
        assertEquals(0, outcome.exitCode(), outcome.err());
        assertTrue(outcome.err().contains("jfs: no fast path in this process: this JVM has a security manager"
                + " (java.lang.SecurityManager), and not all permissions are granted to this program and to JFS\n"
                + "jfs: 0 connections: 0 fast, 0 over TCP\n"), outcome.err());
    }

    /** The program runs until it has seen that its connection is fast. */
    @ParameterizedTest
    @ValueSource(strings = {"", "=jfs.tcp=nio"})
    void oneThatIsSetLaterAndPermitsAllKeepsNothingFromJfs(String settings) throws Exception {
        Outcome outcome = run("-javaagent:" + JAR + settings, Policy.ALL.option(), "Permitted");
        assertEquals(0, outcome.exitCode(), outcome.err());
    }

    /** The program's thread makes the classes of channels at the first use. What JFS may do then does not depend on its caller. */
    @Test
    void oneThatIsSetBeforeTheFirstChannelLeavesTheJdksOrPermitsJfss() throws Exception {
        String jdks = "1000 sun.nio.ch.SocketChannelImpl sun.nio.ch.EPollSelectorImpl\n";
        Outcome without = later("Channels");
        assertEquals(jdks, without.out(), without.err());
        assertEquals(without, later("-javaagent:" + JAR + "=jfs.nio=on", "Channels"));
        Outcome logged = later("-javaagent:" + JAR + "=jfs.nio=on,jfs.log=fallback", "Channels");
        assertEquals(jdks, logged.out(), logged.err());
        assertTrue(logged.err().contains("jfs: no fast path for channels in this process: they can't be made: "
                + "java.security.AccessControlException: access denied"), logged.err());
        Outcome permitted = run("-javaagent:" + JAR + "=jfs.nio=on", Policy.ALL.option(), "-Djava.security.manager=allow", "Channels");
        assertEquals("1000 sun.nio.ch.JfsChannel sun.nio.ch.JfsSelector\n", permitted.out(), permitted.err());
    }

    /** Typed streams work whether JFS is not installed, has no fast path, or may do all. */
    @Test
    void typedStreamsWorkInEachCase() throws Exception {
        Outcome expected = new Outcome(0, "sockets: 6.0\nchannels: 6.0\n", WARNING);
        assertEquals(expected, guarded(Policy.ITS_SOCKETS, "Typed"));
        Outcome without = later("Typed", "later");
        assertEquals(expected.out(), without.out(), without.err());
        assertEquals(without, later("-javaagent:" + JAR + "=jfs.nio=on", "Typed", "later"));
        Outcome permitted = run("-javaagent:" + JAR + "=jfs.nio=on", Policy.ALL.option(), "-Djava.security.manager=allow", "Typed", "later",
                "fast");
        assertEquals(expected.out(), permitted.out(), permitted.err());
    }

    private static Outcome guarded(Policy policy, String... command) throws Exception {
        List<String> all = new ArrayList<>(List.of("-Djava.security.manager", policy.option()));
        all.addAll(List.of(command));
        return run(all.toArray(new String[0]));
    }

    private static Outcome later(String... command) throws Exception {
        List<String> all = new ArrayList<>(List.of(Policy.ITS_SOCKETS.option(), "-Djava.security.manager=allow"));
        all.addAll(List.of(command));
        return run(all.toArray(new String[0]));
    }

    private static Outcome run(String... command) throws Exception {
        List<String> all = new ArrayList<>(List.of("-cp", JAR + ":" + folder));
        all.addAll(List.of(command));
        return Programs.bareJava(folder, Map.of(), all);
    }
}
