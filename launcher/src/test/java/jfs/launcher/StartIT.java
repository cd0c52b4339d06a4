package jfs.launcher;

import static jfs.launcher.Programs.JAR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import jfs.launcher.Programs.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Counts what a starting JVM loads under the agent. This is nearly all that JFS costs such a JVM (docs/performance/connections.md,
 * "Starting"): a class of the jar takes a quarter of a millisecond, a form of method handle half a millisecond.
 */
class StartIT {

    /** The most classes of the jar that may be loaded: not more than are loaded now. */
    private static final int WITHOUT_CHANNELS_MAX = 22;
    /** From JDK 24 on the agent has classes to fetch the lookup. */
    private static final int WITHOUT_SOCKETS_MAX = WITHOUT_CHANNELS_MAX + (Runtime.version().feature() < 24 ? 4 : 7);
    private static final int WITH_A_CONNECTION_MAX = Runtime.version().feature() < 24 ? 82 : 85;
    /** The most forms of method handles and lambdas that may be made at run time. The JDK's code makes them, more of them from 21 on. */
    private static final int FORMS_MAX = Runtime.version().feature() < 21 ? 3 : 13;

    /** Classes that a connection which stays on TCP does not need. */
    private static final List<String> NOT_NEEDED = List.of(
            "jfs.ring.", "jfs.mx.", "jfs.transport.mx.", "jfs.transport.sci.", "jfs.sisci.", "jfs.threads.EventLoop",
            "jfs.transport.tcp.Nio", "java.net.JarURLConnection", "sun.nio.ch.FileChannelImpl", "java.util.logging.",
            "java.util.ResourceBundle", "jdk.jfr.", "javax.management.", "java.lang.management.", "jfs.management.",
            "jfs.monitor.Observers", "jfs.monitor.Recorder");
    /** Classes that a program without sockets does not need. */
    private static final List<String> FOR_SOCKETS = List.of(
            "jfs.SocketEnvironment", "jfs.nativelib.Libraries", "jfs.transport.tcp.JdkSocket", "jfs.negotiation.Negotiator",
            "jfs.threads.", "jfs.wait.");

    @TempDir
    static Path classes;

    @BeforeAll
    static void compile() throws Exception {
        Programs.compile(classes, Map.of("Nothing", """
                public class Nothing {
                    public static void main(String[] args) {
                    }
                }""", "Once", """
                import java.net.*;
                public class Once {
                    public static void main(String[] args) throws Exception {
                        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                                Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                                Socket accepted = server.accept()) {
                            client.getOutputStream().write(17);
                            accepted.getOutputStream().write(accepted.getInputStream().read());
                            client.getInputStream().read();
                        }
                    }
                }"""));
    }

    /** The provider of channels is the default one before the program starts. All else waits for the first channel. */
    @Test
    void aProgramWithoutSocketsLoadsLittle() throws Exception {
        List<String> loaded = loadedBy("Nothing");
        assertAtMost(WITHOUT_SOCKETS_MAX, loaded, "jfs.");
        assertNone(loaded, NOT_NEEDED);
        assertNone(loaded, FOR_SOCKETS);
        assertEquals(List.of("sun.nio.ch.JfsProvider"), with(loaded, "sun.nio.ch.Jfs", "java.nio.channels.spi.Jfs"));
    }

    @Test
    void aProgramWithoutSocketsLoadsLessIfChannelsAreOff() throws Exception {
        List<String> loaded = loadedBy("Nothing", "-Djfs.nio=off");
        assertAtMost(WITHOUT_CHANNELS_MAX, loaded, "jfs.");
        assertNone(loaded, List.of("sun.nio.ch.Jfs", "jfs.nio."));
    }

    @Test
    void aConnectionLoadsWhatItNeeds() throws Exception {
        List<String> loaded = loadedBy("Once");
        assertAtMost(WITH_A_CONNECTION_MAX, loaded, "jfs.");
        assertAtMost(FORMS_MAX, loaded, "java.lang.invoke.LambdaForm$MH/", "java.lang.invoke.LambdaForm$DMH/");
        assertNone(loaded, NOT_NEEDED);
        assertFalse(with(loaded, "jfs.transport.tcp.JdkSocket").isEmpty());
    }

    /** The classes that the program's JVM loads, without those of the JVM's own archive, which cost next to nothing. */
    private static List<String> loadedBy(String program, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of(options));
        command.addAll(List.of("-Xlog:class+load:stdout:none", "-javaagent:" + JAR, "-cp", classes.toString(), program));
        Outcome outcome = Programs.bareJava(classes, Map.of(), command);
        assertEquals(0, outcome.exitCode(), outcome::err);
        assertEquals("", outcome.err());
        List<String> loaded = new ArrayList<>();
        outcome.out().lines().filter(line -> !line.endsWith(" source: shared objects file"))
                .forEach(line -> loaded.add(line.substring(0, line.indexOf(" source: "))));
        assertTrue(loaded.contains("jfs.launcher.AgentEntry"), outcome::out);
        return loaded;
    }

    private static List<String> with(List<String> loaded, String... beginnings) {
        List<String> found = new ArrayList<>();
        for (String name : loaded) {
            for (String beginning : beginnings) {
                if (name.startsWith(beginning)) {
                    found.add(name);
                }
            }
        }
        return found;
    }

    private static void assertAtMost(int most, List<String> loaded, String... beginnings) {
        List<String> found = with(loaded, beginnings);
        assertTrue(found.size() <= most, () -> found.size() + ", at most " + most + ": " + found);
    }

    private static void assertNone(List<String> loaded, List<String> beginnings) {
        assertEquals(List.of(), with(loaded, beginnings.toArray(new String[0])));
    }
}
