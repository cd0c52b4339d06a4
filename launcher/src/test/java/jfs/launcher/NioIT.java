package jfs.launcher;

import static jfs.launcher.Programs.JAR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import jfs.launcher.Programs.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With {@code jfs.nio} JFS's provider of channels is the default one, however JFS is started, or one line says why it is not. */
class NioIT {

    private static final String JFS = "sun.nio.ch.JfsProvider";
    private static final String EPOLL = "sun.nio.ch.EPollSelectorProvider";
    private static final String POLL = "sun.nio.ch.PollSelectorProvider";
    private static final String PROPERTY = "java.nio.channels.spi.SelectorProvider";
    private static final String LOG = "jfs: no fast path for channels in this process: ";

    @TempDir
    static Path folder;

    private static Path classes;

    @BeforeAll
    static void compile() throws Exception {
        classes = folder.resolve("classes");
        Programs.compile(classes, Map.of("Asks", """
                import java.net.*;
                import java.nio.*;
                import java.nio.channels.*;
                import java.nio.channels.spi.SelectorProvider;
                public class Asks {
                    public static void main(String[] args) throws Exception {
                        if (args.length > 0) { // an attach comes
                            if (args[0].equals("used")) SelectorProvider.provider();
                            System.out.println("ready");
                            System.in.read();
                        }
                        System.out.println(SelectorProvider.provider().getClass().getName());
                        System.out.println(System.getProperty("java.nio.channels.spi.SelectorProvider"));
                        try (ServerSocketChannel server = ServerSocketChannel.open(); Selector selector = Selector.open()) {
                            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                            SocketChannel client = SocketChannel.open(server.getLocalAddress());
                            SocketChannel accepted = server.accept();
                            accepted.configureBlocking(false);
                            accepted.register(selector, SelectionKey.OP_READ);
                            client.write(ByteBuffer.wrap(new byte[] {42}));
                            ByteBuffer got = ByteBuffer.allocate(2);
                            System.out.println(selector.select() + " " + accepted.read(got) + " " + got.get(0));
                        }
                    }
                }""", "Own", """
                import java.io.IOException;
                import java.net.ProtocolFamily;
                import java.nio.channels.*;
                import java.nio.channels.spi.*;
                public class Own extends SelectorProvider {
                    private final SelectorProvider jdk;
                    public Own() throws Exception {
                        jdk = (SelectorProvider) Class.forName("sun.nio.ch.DefaultSelectorProvider").getMethod("get").invoke(null);
                    }
                    public DatagramChannel openDatagramChannel() throws IOException { return jdk.openDatagramChannel(); }
                    public DatagramChannel openDatagramChannel(ProtocolFamily f) throws IOException { return jdk.openDatagramChannel(f); }
                    public Pipe openPipe() throws IOException { return jdk.openPipe(); }
                    public AbstractSelector openSelector() throws IOException { return jdk.openSelector(); }
                    public ServerSocketChannel openServerSocketChannel() throws IOException { return jdk.openServerSocketChannel(); }
                    public SocketChannel openSocketChannel() throws IOException { return jdk.openSocketChannel(); }
                }""", "Talks", """
                import java.net.*;
                import java.nio.*;
                import java.nio.channels.*;
                public class Talks {
                    public static void main(String[] args) throws Exception {
                        ByteBuffer one = ByteBuffer.allocate(1);
                        int rounds = 0;
                        try (ServerSocketChannel server = ServerSocketChannel.open()) {
                            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                            try (SocketChannel client = SocketChannel.open(server.getLocalAddress());
                                    SocketChannel accepted = server.accept()) {
                                while (jfs.stat.Stats.SWITCHED_IN.sum() < 2) { // for ever if it doesn't come; the test has a limit
                                    client.write(one.clear());
                                    accepted.read(one.clear());
                                    accepted.write(one.flip());
                                    client.read(one.clear());
                                    rounds++;
                                }
                            }
                        }
                        System.out.println(rounds > 400);
                        System.out.println(jfs.stat.Stats.summary());
                    }
                }""", "Prefers", """
                import java.net.*;
                import java.nio.channels.*;
                public class Prefers {
                    public static void main(String[] args) throws Exception {
                        System.setProperty("java.net.preferIPv4Stack", "true");
                        try (ServerSocketChannel server = ServerSocketChannel.open().bind(null)) {
                            System.out.println(((InetSocketAddress) server.getLocalAddress()).getAddress());
                        }
                        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.INET6)) {
                            System.out.println("IPv6");
                        } catch (UnsupportedOperationException e) {
                            System.out.println(e);
                        }
                        try (ServerSocket server = new ServerSocket(0)) {
                            System.out.println(server.getInetAddress());
                        }
                    }
                }""", "Second", """
                import java.io.File;
                import java.net.*;
                import java.util.Map;
                public class Second {
                    public static void main(String[] args) throws Exception {
                        URL[] jar = {new File(args[0]).toURI().toURL()};
                        ClassLoader loader = new URLClassLoader(jar, ClassLoader.getPlatformClassLoader());
                        loader.loadClass("jfs.JFSSocketImplFactory").getMethod("install", Map.class)
                                .invoke(null, Map.of("jfs.install", "replace", "jfs.nio", "on"));
                        Class<?> stats = loader.loadClass("jfs.stat.Stats");
                        System.out.println(stats.getMethod("channelsUnavailable").invoke(null));
                        System.out.println(stats.getMethod("summary").invoke(null));
                    }
                }""", "Factories", """
                import java.net.*;
                import java.nio.channels.spi.SelectorProvider;
                import jfs.JFSSocketImplFactory;
                import jfs.stat.Stats;
                public class Factories {
                    public static void main(String[] args) throws Exception {
                        if (args.length > 0) {
                            JFSSocketImplFactory.installSockets();
                        } else {
                            Socket.setSocketImplFactory(new JFSSocketImplFactory());
                            ServerSocket.setSocketFactory(new JFSSocketImplFactory());
                        }
                        System.out.println(Stats.channelsUnavailable());
                        JFSSocketImplFactory.installChannels();
                        System.out.println(Stats.channelsUnavailable());
                        System.out.println(SelectorProvider.provider().getClass().getName());
                    }
                }""", "Keeps", """
                import java.lang.reflect.Field;
                import java.net.*;
                import java.nio.channels.*;
                public class Keeps {
                    public static void main(String[] args) throws Exception {
                        Class<?> type = Class.forName("jdk.internal.misc.Unsafe");
                        Object unsafe = type.getMethod("getUnsafe").invoke(null);
                        ServerSocketChannel.open().close(); // from now on JFS's classes are there
                        Field made = Class.forName("sun.nio.ch.JfsServerChannel").getDeclaredField("CHANNEL");
                        type.getMethod("putReference", Object.class, long.class, Object.class).invoke(unsafe,
                                type.getMethod("staticFieldBase", Field.class).invoke(unsafe, made),
                                type.getMethod("staticFieldOffset", Field.class).invoke(unsafe, made),
                                Number.class.getDeclaredConstructor()); // the constructor of an abstract class
                        try (ServerSocketChannel server = ServerSocketChannel.open()) {
                            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                            for (int i = 0; i < 2; i++) {
                                try (SocketChannel client = SocketChannel.open(server.getLocalAddress());
                                        SocketChannel accepted = server.accept()) {
                                    System.out.println(accepted.getClass().getName());
                                }
                            }
                        }
                    }
                }"""));
    }

    /** What the program says: its provider, the property, what a selector and a channel gave it. */
    private static String says(String provider, String property) {
        return provider + "\n" + property + "\n1 1 42\n";
    }

    private static Outcome run(String... arguments) throws Exception {
        return Programs.java(classes, Map.of(), List.of(arguments));
    }

    /** Runs the program by the agent. The summary, which ends the log, is not returned. */
    private static Outcome byAgent(String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("-javaagent:" + JAR, "-Djfs.nio=on", "-Djfs.log=all", "-Xverify:all", "-esa",
                "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED"));
        command.addAll(List.of(options));
        if (!command.contains("-cp")) {
            command.addAll(List.of("-cp", classes.toString()));
        }
        command.add("Asks");
        Outcome outcome = Programs.bareJava(classes, Map.of(), command);
        return new Outcome(outcome.exitCode(), outcome.out(), outcome.err().replaceAll("jfs: \\d+ connections: .*\n", ""));
    }

    @Test
    void theAgentInstallsIt() throws Exception {
        Outcome expected = new Outcome(0, says(JFS, "null"), "");
        assertEquals(expected, byAgent());
        assertEquals(expected, run("-javaagent:" + JAR + "=jfs.nio=on", "-cp", classes.toString(), "Asks"));
    }

    @Test
    void theLauncherInstallsIt() throws Exception {
        Outcome expected = new Outcome(0, says(JFS, "null"), "");
        assertEquals(expected, run("-Djfs.nio=on", "-cp", JAR + ":" + classes, "JFSLauncher", "Asks"));
        assertEquals(expected, run("-Djfs.nio=on", "-jar", JAR, "run", "Asks"));
        Path jar = folder.resolve("asks.jar");
        Programs.jar(jar, Map.of("Main-Class", "Asks"), classes, List.of("Asks.class"));
        assertEquals(expected, run("-Djfs.nio=on", "-jar", JAR, "run", "-jar", jar.toString()));
        assertEquals(expected, run("-Djfs.nio=on", "-javaagent:" + JAR, "-jar", JAR, "run", "-jar", jar.toString()));
    }

    @Test
    void itIsOnByDefaultAndCanBeOff() throws Exception {
        assertEquals(new Outcome(0, says(JFS, "null"), ""), run("-javaagent:" + JAR, "-cp", classes.toString(), "Asks"));
        assertEquals(new Outcome(0, says(EPOLL, "null"), ""), run("-javaagent:" + JAR, "-Djfs.nio=off", "-cp", classes.toString(), "Asks"));
        assertEquals(new Outcome(0, says(EPOLL, EPOLL), ""),
                run("-javaagent:" + JAR, "-D" + PROPERTY + "=" + EPOLL, "-Djfs.nio=off", "-cp", classes.toString(), "Asks"));
    }

    /** In the first seconds the connection stays on TCP, and has more turnarounds than an offer needs. */
    @Test
    void byDefaultAConversationBecomesFast() throws Exception {
        assertEquals(new Outcome(0, "true\n2 connections: 2 fast, 0 over TCP\n", ""),
                run("-javaagent:" + JAR, "-cp", JAR + ":" + classes, "Talks"));
    }

    @Test
    void theJdksOwnNameIsReplaced() throws Exception {
        assertEquals(new Outcome(0, says(JFS, EPOLL), ""), byAgent("-D" + PROPERTY + "=" + EPOLL));
    }

    @ParameterizedTest
    @ValueSource(strings = {POLL, "Own"})
    void anotherProviderThatTheUserNamedStays(String name) throws Exception {
        assertEquals(new Outcome(0, says(name, name), LOG + "the property " + PROPERTY + " names another provider: " + name + "\n"),
                byAgent("-D" + PROPERTY + "=" + name));
    }

    @Test
    void aProviderThatIsAServiceStays() throws Exception {
        Path services = Files.createDirectories(folder.resolve("service/META-INF/services"));
        Files.writeString(services.resolve(PROPERTY), "Own\n");
        String why = "a jar or a module of the program has another provider as a service";
        assertEquals(new Outcome(0, says("Own", "null"), LOG + why + "\n"),
                byAgent("-cp", classes + ":" + folder.resolve("service")));
        Programs.jar(folder.resolve("service.jar"), Map.of("Main-Class", "Asks", "Class-Path", "service/"), classes,
                List.of("Asks.class", "Own.class"));
        assertEquals(new Outcome(0, says("Own", "null"), ""), run("-Djfs.nio=on", "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED", "-jar",
                JAR, "run", "-jar", folder.resolve("service.jar").toString()));
        Files.writeString(Files.createDirectories(folder.resolve("broken/META-INF/services")).resolve(PROPERTY), "NotThere\n");
        Outcome broken = byAgent("-cp", classes + ":" + folder.resolve("broken"));
        assertEquals(1, broken.exitCode()); // as without JFS
        assertTrue(broken.err().startsWith(LOG + why + "\n") && broken.err().contains("NotThere"), broken::err);
    }

    @Test
    void withoutAccessToTheJdkItsProviderStays() throws Exception {
        Outcome outcome = run("-Djfs.nio=on", "-Djfs.log=all", "-Djfs.native.dir=/nonexistent", "-cp", JAR + ":" + classes, "JFSLauncher",
                "Asks");
        assertEquals(says(EPOLL, "null"), outcome.out());
        assertTrue(outcome.err().startsWith(LOG) && outcome.err().contains("/nonexistent"), outcome::err);
    }

    @Test
    void socketsOverChannelsKeepTheJdks() throws Exception {
        assertEquals(new Outcome(0, says(EPOLL, "null"), LOG + "JFS's own sockets use the program's provider (jfs.tcp=nio)\n"),
                byAgent("-Djfs.tcp=nio"));
    }

    @Test
    void aWrongValueIsRefused() throws Exception {
        assertEquals(new Outcome(0, says(EPOLL, "null"), "jfs: bad setting jfs.nio=yes; allowed is one of auto, on, off\n"),
                byAgent("-Djfs.nio=yes"));
    }

    /** The JDK reads the property when a class first needs the library {@code net}, after the beginning of the main method. */
    @Test
    void aNetworkPropertyThatTheProgramSetsInMainStillHasItsEffect() throws Exception {
        assertSameAsWithoutJfs("-cp", classes.toString(), "Prefers");
    }

    @Test
    void thisIsSoWhereAnotherProviderStays() throws Exception {
        Path services = Files.createDirectories(folder.resolve("declines/META-INF/services"));
        Files.writeString(services.resolve(PROPERTY), "Own\n");
        assertSameAsWithoutJfs("--add-exports=java.base/sun.nio.ch=ALL-UNNAMED", "-cp", classes + ":" + folder.resolve("declines"),
                "Prefers");
    }

    private static void assertSameAsWithoutJfs(String... command) throws Exception {
        Outcome expected = run(command);
        assertEquals(0, expected.exitCode(), expected::err);
        List<String> withJfs = new ArrayList<>(List.of("-javaagent:" + JAR, "-Djfs.nio=on"));
        withJfs.addAll(List.of(command));
        assertEquals(expected, Programs.java(classes, Map.of(), withJfs));
    }

    /** The second JFS says why it has no channels. The program has not used any, and so its summary does not say that it has. */
    @Test
    void theSecondJfsOfAJvmSaysThatItIsTheSecond() throws Exception {
        assertEquals(new Outcome(0, "another JFS in this JVM has defined JFS's provider before\n0 connections: 0 fast, 0 over TCP\n", ""),
                run("-javaagent:" + JAR + "=jfs.nio=on", "-cp", classes.toString(), "Second", JAR));
    }

    @Test
    void factoriesAloneInstallNoProviderAndTheReasonSaysSo() throws Exception {
        String why = "JFS's provider is not installed; JFSSocketImplFactory.install() installs it, factories alone do not\n";
        assertEquals(new Outcome(0, why + why + EPOLL + "\n", ""), run("-Djfs.nio=on", "-cp", JAR + ":" + classes, "Factories"));
        assertEquals(new Outcome(0, why + "null\n" + JFS + "\n", ""),
                run("-Djfs.nio=on", "-cp", JAR + ":" + classes, "Factories", "install"));
        assertEquals(new Outcome(0, "null\nnull\n" + EPOLL + "\n", ""), run("-Djfs.nio=off", "-cp", JAR + ":" + classes, "Factories"));
    }

    @Test
    void theFirstAcceptedChannelThatStaysTheJdksIsInTheLog() throws Exception {
        Outcome outcome = run("-javaagent:" + JAR, "-Djfs.nio=on", "-Djfs.log=fallback",
                "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED", "-cp", classes.toString(), "Keeps");
        assertEquals("sun.nio.ch.SocketChannelImpl\n".repeat(2), outcome.out(), outcome::err);
        assertEquals(1, outcome.err().lines().filter(line -> line.startsWith(
                "jfs: a channel gets no fast path, perhaps not the only one: java.lang.InstantiationException")).count(),
                outcome::err);
    }

    @ParameterizedTest
    @ValueSource(strings = {"used", "unused"})
    void attachingComesInTimeOrHasAReason(String channels) throws Exception {
        List<String> command = Programs.bareJava();
        command.addAll(List.of("-cp", classes.toString(), "Asks", channels));
        Path err = Files.createTempFile(folder, "target", ".err");
        Process target = Programs.process(classes, Map.of(), command).redirectError(err.toFile()).start();
        try (BufferedReader out = target.inputReader()) {
            assertEquals("ready", out.readLine());
            Outcome attach = Programs.bareJava(classes, Map.of(),
                    List.of("-jar", JAR, "attach", Long.toString(target.pid()), "jfs.nio=on", "jfs.log=all"));
            assertEquals(0, attach.exitCode(), attach::err);
            target.getOutputStream().close();
            assertEquals(channels.equals("used") ? EPOLL : JFS, out.readLine());
            assertEquals(List.of("null", "1 1 42"), List.of(out.readLine(), out.readLine()));
            assertEquals(0, target.waitFor());
            assertEquals(channels.equals("used"),
                    Files.readString(err).contains(LOG + "the program has used channels or selectors before JFS was installed\n"));
        } finally {
            target.destroyForcibly().waitFor();
        }
    }
}
