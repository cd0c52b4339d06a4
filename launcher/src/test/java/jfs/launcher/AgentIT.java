package jfs.launcher;

import static jfs.launcher.Programs.JAR;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import jfs.launcher.Programs.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The agent, in java commands that have no other option for JFS: no flag allows native access. Stderr is compared to the
 * last character. The program runs, whatever is wrong with JFS.
 */
class AgentIT {

    private static final Outcome ON = new Outcome(0, "true\ntrue\n", "");

    @TempDir
    static Path classes;

    @BeforeAll
    static void compile() throws Exception {
        Map<String, String> sources = new LinkedHashMap<>();
        sources.put("Talk", Programs.TALK);
        sources.put("Fast", """
                import java.io.*;
                import java.net.*;
                public class Fast {
                    public static void main(String[] args) throws Exception {
                        if (args.length > 0) Thread.currentThread().interrupt();
                        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                                Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                                Socket accepted = server.accept()) {
                            while (jfs.stat.Stats.SWITCHED_IN.sum() < 2) { // for ever if it doesn't come; the test has a limit
                                client.getOutputStream().write(1);
                                accepted.getInputStream().read();
                                accepted.getOutputStream().write(2);
                                client.getInputStream().read();
                            }
                        }
                        System.out.println("fast " + Thread.interrupted());
                    }
                }""");
        sources.put("Around", """
                import java.lang.invoke.MethodHandles;
                import java.lang.reflect.*;
                import java.util.TreeSet;
                public class Around {
                    public static void main(String[] args) throws Exception {
                        ClassLoader system = ClassLoader.getSystemClassLoader();
                        System.out.println(Thread.currentThread().getContextClassLoader() == system);
                        System.out.println(Around.class.getClassLoader() == system);
                        System.out.println(System.getProperty("java.class.path"));
                        System.out.println(System.getProperty("sun.java.command"));
                        System.out.println(ClassLoader.getSystemResource("META-INF/MANIFEST.MF") == null);
                        TreeSet<String> names = new TreeSet<>(System.getProperties().stringPropertyNames());
                        names.removeIf(n -> n.startsWith("jdk.") || n.equals("user.timezone"));
                        System.out.println(names);
                        TreeSet<String> threads = new TreeSet<>();
                        Thread.getAllStackTraces().keySet().forEach(thread -> threads.add(thread.getName()));
                        System.out.println(threads);
                        new Exception("seen").printStackTrace();
                        new java.net.ServerSocket(0).close(); // now everything is loaded
                        Field trusted = MethodHandles.Lookup.class.getDeclaredField("IMPL_LOOKUP");
                        try {
                            trusted.setAccessible(true);
                            System.out.println("open");
                        } catch (InaccessibleObjectException e) {
                            System.out.println("closed");
                        }
                        System.exit(7);
                    }
                }""");
        sources.put("AtOnce", """
                import java.net.*;
                import java.util.concurrent.*;
                public class AtOnce {
                    public static void main(String[] args) throws Exception {
                        int threads = 16;
                        CyclicBarrier start = new CyclicBarrier(threads);
                        ExecutorService pool = Executors.newFixedThreadPool(threads);
                        Callable<Integer> first = () -> {
                            start.await();
                            try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                                    Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                                    Socket accepted = server.accept()) {
                                client.getOutputStream().write(1);
                                return accepted.getInputStream().read();
                            }
                        };
                        int sum = 0;
                        for (Future<Integer> each : pool.invokeAll(java.util.Collections.nCopies(threads, first))) {
                            sum += each.get();
                        }
                        pool.shutdown();
                        System.out.println(sum);
                    }
                }""");
        sources.put("Old", """
                public class Old {
                    public static void main(String[] args) throws Exception {
                        System.setProperty("java.specification.version", args[0]);
                        jfs.launcher.AgentEntry.premain("jfs.log=all", null);
                        Talk.main(args);
                    }
                }""");
        Programs.compile(classes, sources);
    }

    @Test
    void socketsAreJfssAndNothingIsSaid() throws Exception {
        assertEquals(ON, agent("", "Talk"));
    }

    @Test
    void connectionsBecomeFast() throws Exception {
        assertEquals(new Outcome(0, "fast false\n", ""), run("-cp", JAR + ":" + classes, "-javaagent:" + JAR, "Fast"));
    }

    /** The program's thread that makes the first socket loads the native library, even if that thread has been interrupted. */
    @Test
    void anInterruptDoesNotSpoilTheFirstSocket() throws Exception {
        assertEquals(new Outcome(0, "fast true\n", ""), run("-cp", JAR + ":" + classes, "-javaagent:" + JAR, "Fast", "x"));
    }

    /** The first thread loads the native library. The other threads wait for that. */
    @Test
    void manyFirstSocketsAtOnce() throws Exception {
        assertEquals(new Outcome(0, "16\n", ""), agent("", "AtOnce"));
        Outcome launched = Programs.java(classes, Map.of(), List.of("-cp", JAR + ":" + classes, "JFSLauncher", "AtOnce"));
        assertEquals(new Outcome(0, "16\n", ""), launched);
    }

    @Test
    void theProgramSeesWhatItSawWithout() throws Exception {
        Outcome without = run("-cp", classes.toString(), "Around", "x");
        assertEquals(7, without.exitCode());
        assertTrue(without.out().endsWith("closed\n"), without.out());
        Outcome with = agent("", "Around", "x");
        // The agent's jar is the class path's last element, so the program finds its manifest where there is no other.
        assertEquals(without.out().replaceFirst("\ntrue\n\\[", "\nfalse\n["), with.out());
        assertEquals(without.err(), with.err());
        assertEquals(7, with.exitCode());
    }

    @Test
    void environmentReachesEveryJvm() throws Exception {
        Map<String, String> environment = Map.of("JAVA_TOOL_OPTIONS", "-javaagent:" + JAR);
        String said = "Picked up JAVA_TOOL_OPTIONS: -javaagent:" + JAR + "\n";
        assertEquals(new Outcome(0, ON.out(), said), Programs.bareJava(classes, environment, List.of("Talk")));
        Outcome javac = Programs.run(classes, environment, List.of(Programs.tool("javac"), "-version"));
        assertAll(
                () -> assertEquals(0, javac.exitCode()),
                () -> assertTrue(javac.out().matches("javac \\d+.*\n"), javac.out()),
                () -> assertEquals(said, javac.err()));
    }

    @Test
    void programsInJarsAreStartedByJava() throws Exception {
        Path jar = classes.resolve("talk.jar");
        Programs.jar(jar, Map.of("Main-Class", "Talk"), classes, List.of("Talk.class", "Talk$Setter.class"));
        assertEquals(ON, run("-javaagent:" + JAR, "-jar", jar.toString()));
    }

    /** JFS loads the native library here but does not use the JDK's socket implementation. */
    @Test
    void channelsUnderneathMakeNoWarningEither() throws Exception {
        assertEquals(ON, agent("=jfs.tcp=nio", "Talk"));
    }

    /** This JVM only claims to be older. {@link JarIT} tests that older JVMs can load the class. */
    @ParameterizedTest
    @ValueSource(strings = {"1.8", "9", "11", "16"})
    void anOlderJavaKeepsItsSockets(String version) throws Exception {
        assertEquals(new Outcome(0, "false\nfalse\n",
                "jfs: needs Java 17 or later, this is " + version + "; the JDK's own sockets are used\n"),
                run("-cp", JAR + ":" + classes, "Old", version));
    }

    // ---- settings ----

    @Test
    void argumentsAreSettings() throws Exception {
        Outcome outcome = agent("=jfs.transport=sci,mx;jfs.poll.micros=0,jfs.log=all", "Talk");
        assertEquals(ON.out(), outcome.out());
        assertTrue(outcome.err().startsWith("jfs: "), outcome.err());
        assertEquals(ON, run("-Djfs.log=all", "-cp", classes.toString(), "-javaagent:" + JAR + "=jfs.log=off", "Talk"),
                "they come before properties");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "log             | bad agent argument log; allowed is",
        "jfs.log         | bad agent argument jfs.log; allowed is",
        "jfs.log=all,x=y | bad setting jfs.log=all,x=y; allowed is one of off, fallback, all",
        "jfs.log=loud    | bad setting jfs.log=loud; allowed is one of off, fallback, all",
        "jfs.nonsense=1  | unknown setting jfs.nonsense=1; allowed are"})
    void badArgumentIsOneLineAndJfsStaysOff(String argument, String words) throws Exception {
        assertOff(agent("=" + argument, "Talk"), words);
    }

    @Test
    void badSettingIsOneLineAndJfsStaysOff() throws Exception {
        assertOff(run("-Djfs.poll.micros=soon", "-cp", classes.toString(), "-javaagent:" + JAR, "Talk"),
                "bad setting jfs.poll.micros=soon; allowed is a whole number");
        assertOff(Programs.bareJava(classes, Map.of("JFS_LOG", "loud"), List.of("-javaagent:" + JAR, "Talk")),
                "bad setting jfs.log=loud");
    }

    // ---- what can go wrong ----

    /** Premain gets an Error, which would abort the JVM if it were thrown on. */
    @ParameterizedTest
    @ValueSource(strings = {"jfs/JFSSocketImplFactory.class", "jfs/config/Settings.class",
        "jfs/launcher/TrustedLookup.class", "jfs/launcher/Agent.class"})
    void aBrokenJarIsOneLineAndJfsStaysOff(String missing, @TempDir Path folder) throws Exception {
        Path broken = copyWithout(missing, folder);
        assertOff(run("-cp", classes.toString(), "-javaagent:" + broken, "Talk"), "can't be installed: java.lang.");
    }

    /** Then the native library fetches the lookup. Native access is allowed here, or JDK 24 and later would print a warning. */
    @Test
    void withoutTheAgentsLookupTheNativesServe(@TempDir Path folder) throws Exception {
        Path broken = copyWithout("jfs/launcher/TrustedLookup$Reader.class", folder);
        Outcome outcome = Programs.java(classes, Map.of(), List.of("-javaagent:" + broken, "Talk"));
        assertEquals(ON, outcome);
    }

    /** The last line of the log, as a pattern. */
    private static final String SUMMARY = "jfs: 2 connections: 0 fast, 2 over TCP \\(UNAVAILABLE 2\\)\n";

    @Test
    void withoutNativesTheJdksSocketsServe() throws Exception {
        Outcome outcome = agent("=jfs.log=fallback", "-Dos.arch=riscv64", "Talk");
        assertEquals(0, outcome.exitCode());
        assertEquals(ON.out(), outcome.out());
        assertTrue(outcome.err().matches(
                "jfs: no fast path in this process: native library: none for linux-riscv64.*\n" + SUMMARY), outcome.err());
    }

    @Test
    void aJvmThatDeniesNativeAccessIsObeyed() throws Exception {
        assumeTrue(Runtime.version().feature() >= 24, "the option --illegal-native-access needs JDK 24");
        Outcome outcome = agent("=jfs.log=fallback", "--illegal-native-access=deny", "Talk");
        assertEquals(0, outcome.exitCode());
        assertEquals(ON.out(), outcome.out());
        assertTrue(outcome.err().matches(
                "jfs: no fast path in this process: native library: Illegal native access.*\n" + SUMMARY), outcome.err());
    }

    @Test
    void twoAgentsAreOneLine() throws Exception {
        assertEquals(new Outcome(0, ON.out(), "jfs: already installed in this JVM\n"),
                agent("", "-javaagent:" + JAR + "=jfs.log=all", "Talk"));
    }

    // ---- helpers ----

    private static Path copyWithout(String missing, Path folder) throws Exception {
        Path copy = folder.resolve("broken.jar");
        List<String> files = new ArrayList<>();
        try (JarFile jar = new JarFile(JAR)) {
            for (var entry : jar.stream().filter(e -> !e.isDirectory() && !e.getName().equals(JarFile.MANIFEST_NAME)
                    && !e.getName().equals(missing)).toList()) {
                Path file = folder.resolve(entry.getName());
                Files.createDirectories(file.getParent());
                Files.copy(jar.getInputStream(entry), file);
                files.add(entry.getName());
            }
            assertTrue(jar.getEntry(missing) != null, missing);
        }
        Programs.jar(copy, Map.of("Premain-Class", "jfs.launcher.AgentEntry"), folder, files);
        return copy;
    }

    private static Outcome agent(String argument, String... command) throws Exception {
        List<String> all = new ArrayList<>(List.of("-cp", classes.toString(), "-javaagent:" + JAR + argument));
        all.addAll(List.of(command));
        return run(all.toArray(new String[0]));
    }

    private static Outcome run(String... arguments) throws Exception {
        return Programs.bareJava(classes, Map.of(), List.of(arguments));
    }

    private static void assertOff(Outcome outcome, String words) {
        assertAll(
                () -> assertEquals(0, outcome.exitCode(), outcome.err()),
                () -> assertEquals("false\nfalse\n", outcome.out()),
                () -> assertTrue(outcome.err().startsWith("jfs: " + words), outcome.err()),
                () -> assertEquals(1, outcome.err().lines().count(), outcome.err()));
    }
}
