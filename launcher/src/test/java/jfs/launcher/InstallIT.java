package jfs.launcher;

import static jfs.launcher.Programs.JAR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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

/**
 * Installing JFS where another socket factory has been set before: by agent, launcher and code, with and without permission to
 * replace that factory.
 */
class InstallIT {

    private static final String REFUSED =
            "jfs: can't be installed, this JVM has another %s factory: Foreign (jfs.install=replace would replace it)\n";

    @TempDir
    static Path classes;

    private static String foreignAgent;

    @BeforeAll
    static void compile() throws Exception {
        Programs.compile(classes, Map.of("Talk", Programs.TALK, "Foreign", """
                public class Foreign implements java.net.SocketImplFactory {
                    public java.net.SocketImpl createSocketImpl() {
                        throw new IllegalStateException("somebody else's socket");
                    }
                    static void set(String whose) throws java.io.IOException {
                        if (whose.equals("Socket")) java.net.Socket.setSocketImplFactory(new Foreign());
                        else java.net.ServerSocket.setSocketFactory(new Foreign());
                    }
                    public static void premain(String whose) throws java.io.IOException {
                        set(whose);
                    }
                }""", "Launched", """
                public class Launched {
                    public static void main(String[] args) throws Throwable {
                        Foreign.set(args[0]);
                        JFSLauncher.main(new String[] {"Talk"});
                    }
                }""", "InCode", """
                public class InCode {
                    public static void main(String[] args) throws Throwable {
                        if (args.length > 0) Foreign.set(args[0]);
                        for (int i = 0; i < 2; i++) {
                            try {
                                jfs.JFSSocketImplFactory.install();
                                Talk.main(args);
                            } catch (IllegalStateException e) {
                                System.err.println(e.getMessage());
                                System.out.println(Talk.isSet(() -> java.net.Socket.setSocketImplFactory(null)));
                                System.out.println(Talk.isSet(() -> java.net.ServerSocket.setSocketFactory(null)));
                            }
                        }
                    }
                }""", "Copies", """
                import java.io.File;
                import java.net.*;
                public class Copies {
                    public static void main(String[] args) throws Exception {
                        for (int i = 0; i < 2; i++) {
                            URL[] jar = {new File(args[0]).toURI().toURL()};
                            System.out.println(new URLClassLoader(jar, ClassLoader.getPlatformClassLoader())
                                    .loadClass("jfs.transport.tcp.JdkSocket").getMethod("unavailable").invoke(null));
                        }
                    }
                }""", "Twice", """
                public class Twice {
                    public static void main(String[] args) throws Throwable {
                        jfs.JFSSocketImplFactory.install();
                        JFSLauncher.main(new String[] {"Talk"});
                    }
                }"""));
        Path jar = classes.resolve("foreign.jar");
        Programs.jar(jar, Map.of("Premain-Class", "Foreign"), classes, List.of("Foreign.class"));
        foreignAgent = "-javaagent:" + jar;
    }

    @ParameterizedTest
    @ValueSource(strings = {"Socket", "ServerSocket"})
    void launcherRefusesOrReplaces(String whose) throws Exception {
        assertEquals(new Outcome(2, "", String.format(REFUSED, whose)), run("Launched", whose));
        assertEquals(new Outcome(0, "true\ntrue\n", ""), run("-Djfs.install=replace", "Launched", whose));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Socket", "ServerSocket"})
    void codeRefusesOrReplaces(String whose) throws Exception {
        String unchanged = whose.equals("Socket") ? "true\nfalse\n" : "false\ntrue\n";
        assertEquals(new Outcome(0, unchanged + unchanged, String.format(REFUSED, whose).repeat(2)), run("InCode", whose));
        assertEquals(new Outcome(0, "true\ntrue\ntrue\ntrue\n", "jfs: already installed in this JVM\n"),
                run("-Djfs.install=replace", "InCode", whose));
    }

    /** After a refusal the program gets the sockets of the other agent's factory. */
    @ParameterizedTest
    @ValueSource(strings = {"Socket", "ServerSocket"})
    void agentRefusesOrReplaces(String whose) throws Exception {
        Outcome refused = runBare(foreignAgent + "=" + whose, "-javaagent:" + JAR, "Talk");
        assertEquals(1, refused.exitCode());
        assertTrue(refused.err().startsWith(String.format(REFUSED, whose)), refused.err());
        assertTrue(refused.err().contains("somebody else's socket"), refused.err());
        assertEquals(new Outcome(0, "true\ntrue\n", ""),
                runBare(foreignAgent + "=" + whose, "-javaagent:" + JAR + "=jfs.install=replace", "Talk"));
    }

    /** There is neither agent nor native library, so JFS can't access the internals of java.net. */
    @Test
    void whatCantBeSeenIsNotReplaced() throws Exception {
        Outcome outcome = run("-Dos.arch=riscv64", "-Djfs.install=replace", "InCode", "Socket");
        assertEquals("true\nfalse\ntrue\nfalse\n", outcome.out());
        assertTrue(outcome.err().matches("(jfs: can't be installed, this JVM has another factory already,"
                + " and whose it is can't be seen: native library: none for linux-riscv64.*\n){2}"), outcome.err());
    }

    @Test
    void secondInstallationInCodeIsRefused() throws Exception {
        assertEquals(new Outcome(0, "true\ntrue\ntrue\ntrue\n", "jfs: already installed in this JVM\n"), run("InCode"));
    }

    @Test
    void launcherIsContentWithAnEarlierInstallation() throws Exception {
        assertEquals(new Outcome(0, "true\ntrue\n", ""), run("Twice"));
        assertEquals(new Outcome(0, "true\ntrue\n", ""), runBare("-javaagent:" + JAR, "JFSLauncher", "Talk"));
    }

    /** JDK 17 still has the old implementation. Its sockets have no locks that JFS could use. */
    @Test
    void theJdksOldImplementationIsReachedToo() throws Exception {
        assumeTrue(Runtime.version().feature() < 18, "from JDK 18 on there is no old implementation");
        Outcome outcome = run("-Djdk.net.usePlainSocketImpl", "-Djfs.log=fallback", "-javaagent:" + JAR, "Talk");
        assertEquals(0, outcome.exitCode(), outcome::err);
        assertEquals("true\ntrue\n", outcome.out());
        assertFalse(outcome.err().contains("not as expected"), outcome.err());
    }

    /**
     * Two copies of JFS are in one JVM, as with two applications in one server, or one that was deployed again. The class that the
     * first copy has defined in the JDK serves the second copy too.
     */
    @Test
    void twoCopiesReachTheJdksSockets() throws Exception {
        Outcome outcome = run("Copies", JAR);
        assertEquals(0, outcome.exitCode(), outcome::err);
        assertEquals("null\nnull\n", outcome.out());
    }

    private static Outcome run(String... arguments) throws Exception {
        return Programs.java(classes, Map.of(), classPath(arguments));
    }

    private static Outcome runBare(String... arguments) throws Exception {
        return Programs.bareJava(classes, Map.of(), classPath(arguments));
    }

    private static List<String> classPath(String... arguments) {
        List<String> all = new ArrayList<>(List.of("-cp", JAR + ":" + classes));
        all.addAll(List.of(arguments));
        return all;
    }
}
