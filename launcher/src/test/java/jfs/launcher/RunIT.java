package jfs.launcher;

import static jfs.launcher.Programs.JAR;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import jfs.launcher.Programs.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The commands of {@code java -jar jfs.jar}; and programs in jars, started by {@code run} and by JFSLauncher, compared with
 * {@code java -jar}.
 */
class RunIT {

    @TempDir
    static Path folder;

    /** A jar whose manifest has Main-Class, Class-Path, Add-Opens and the like. No other element of the class path has its classes. */
    private static String app;

    @BeforeAll
    static void compile() throws Exception {
        Path classes = Files.createDirectories(folder.resolve("classes"));
        Map<String, String> sources = new LinkedHashMap<>();
        sources.put("Talk", Programs.TALK);
        sources.put("Library", """
                public class Library implements Runnable {
                    public void run() {
                        System.out.println("library");
                    }
                }""");
        sources.put("AppAgent", """
                public class AppAgent {
                    static boolean started;
                    public static void agentmain(String arguments, java.lang.instrument.Instrumentation instrumentation) {
                        started = instrumentation != null;
                    }
                }""");
        sources.put("App", """
                import java.util.*;
                public class App {
                    public static void main(String[] args) throws Exception {
                        ClassLoader system = ClassLoader.getSystemClassLoader();
                        System.out.println(List.of(args));
                        System.out.println(App.class.getClassLoader() == system);
                        System.out.println(Thread.currentThread().getContextClassLoader() == system);
                        System.out.println(System.getProperty("java.class.path"));
                        System.out.println(new String(ClassLoader.getSystemResourceAsStream("text").readAllBytes()));
                        for (Runnable service : ServiceLoader.load(Runnable.class)) service.run();
                        System.out.println(AppAgent.started);
                        Module base = Object.class.getModule();
                        Module own = App.class.getModule();
                        System.out.println(base.isOpen("java.lang", own) + " " + base.isOpen("java.util", own));
                        System.out.println(base.isExported("sun.security.x509", own) + " "
                                + base.isExported("sun.security.util", own) + " " + base.isOpen("sun.security.x509", own));
                        throw new Exception("thrown");
                    }
                }""");
        Programs.compile(classes, sources);
        Path services = Files.createDirectories(classes.resolve("META-INF/services"));
        Files.writeString(services.resolve("java.lang.Runnable"), "Library\n");
        Files.writeString(classes.resolve("text"), "base");
        Files.writeString(Files.createDirectories(classes.resolve("META-INF/versions/9")).resolve("text"), "versioned");
        Files.createDirectory(folder.resolve("lib"));
        Programs.jar(folder.resolve("lib/library.jar"), Map.of(), classes,
                List.of("Library.class", "META-INF/services/java.lang.Runnable"));
        Programs.jar(folder.resolve("app.jar"), Map.of("Main-Class", "App", "Class-Path", "nothing.jar lib/library.jar",
                "Launcher-Agent-Class", "AppAgent", "Multi-Release", "true", "Enable-Native-Access", "ALL-UNNAMED",
                "Add-Opens", "java.base/java.lang no.module/p java.base/no.package senseless",
                "Add-Exports", "java.base/sun.security.x509"),
                classes, List.of("App.class", "AppAgent.class", "text", "META-INF/versions/9/text"));
        Programs.jar(folder.resolve("talk.jar"), Map.of("Main-Class", "Talk"), classes,
                List.of("Talk.class", "Talk$Setter.class"));
        Programs.jar(folder.resolve("mainless.jar"), Map.of(), classes, List.of("Talk.class"));
        Programs.jar(folder.resolve("lost.jar"), Map.of("Main-Class", "Elsewhere"), classes, List.of("Talk.class"));
        Programs.jar(folder.resolve("fx.jar"), Map.of("Main-Class", "Talk", "JavaFX-Application-Class", "Talk"), classes,
                List.of("Talk.class"));
        Programs.jar(folder.resolve("illegal.jar"), Map.of("Main-Class", "Talk", "Enable-Native-Access", "some.module"),
                classes, List.of("Talk.class", "Talk$Setter.class"));
        Files.writeString(folder.resolve("text.jar"), "no jar at all");
        app = folder.resolve("app.jar").toString();
    }

    /** The commands that start a program under JFS. Only the one by class path needs a flag on JDK 24 and later. */
    static Stream<Arguments> launchers() {
        return Stream.of(Arguments.of(List.of("-jar", JAR, "run")),
                Arguments.of(List.of("--enable-native-access=ALL-UNNAMED", "-cp", JAR, "JFSLauncher")));
    }

    @ParameterizedTest
    @MethodSource("launchers")
    void jarRunsAsByJava(List<String> launcher) throws Exception {
        Outcome java = run("-jar", app, "a b", "", "-jar");
        assertTrue(java.out().startsWith("[a b, , -jar]\ntrue\ntrue\n" + app + "\nversioned\nlibrary\ntrue\n"
                + "true false\ntrue false false\n"), java.toString());
        assertEquals(1, java.exitCode());
        assertEquals(java, run(launcher, "-jar", app, "a b", "", "-jar"));
    }

    @ParameterizedTest
    @MethodSource("launchers")
    void jarIsFoundByARelativeName(List<String> launcher) throws Exception {
        Outcome java = Programs.bareJava(folder.resolve("lib"), Map.of(), List.of("-jar", "../app.jar"));
        List<String> command = new ArrayList<>(launcher);
        command.addAll(List.of("-jar", "../app.jar"));
        assertEquals(java, Programs.bareJava(folder.resolve("lib"), Map.of(), command));
    }

    @ParameterizedTest
    @MethodSource("launchers")
    void socketsAreJfssAndNothingIsSaid(List<String> launcher) throws Exception {
        assertEquals(new Outcome(0, "true\ntrue\n", ""), run(launcher, "-jar", folder.resolve("talk.jar").toString()));
        assertEquals(new Outcome(0, "true\ntrue\n", ""),
                Programs.bareJava(folder.resolve("classes"), Map.of(), concat(launcher, "Talk")));
    }

    /** A transport by {@code jfs.spi} only, with its registration, in the program's jar, beside it, or in CLASSPATH. */
    @Test
    void aTransportIsFoundInTheJarsOfTheProgram() throws Exception {
        Path tests = Path.of("..", "conformance-tests", "src", "test");
        Path classes = folder.resolve("transport");
        Map<String, String> sources = new LinkedHashMap<>();
        for (String name : List.of("FilePath", "FileTransport", "FileTransportProvider")) {
            sources.put("filetransport/" + name, Files.readString(tests.resolve("java/filetransport/" + name + ".java")));
        }
        sources.put("UntilFast", """
                import java.net.*;
                import jfs.stat.Stats;
                public class UntilFast {
                    public static void main(String[] args) throws Exception {
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
                }""");
        Programs.compile(classes, sources);
        Path services = Files.createDirectories(classes.resolve("META-INF/services"));
        String registration = "META-INF/services/jfs.spi.TransportProvider";
        Files.copy(tests.resolve("resources/" + registration), services.resolve("jfs.spi.TransportProvider"));
        List<String> files;
        try (Stream<Path> all = Files.walk(classes)) {
            files = all.filter(Files::isRegularFile).map(file -> classes.relativize(file).toString()).toList();
        }
        List<String> program = files.stream().filter(file -> file.startsWith("UntilFast")).toList();
        List<String> transport = files.stream().filter(file -> !file.startsWith("UntilFast")).toList();
        Programs.jar(folder.resolve("with.jar"), Map.of("Main-Class", "UntilFast"), classes, files);
        Programs.jar(folder.resolve("transport.jar"), Map.of(), classes, transport);
        Programs.jar(folder.resolve("beside.jar"), Map.of("Main-Class", "UntilFast", "Class-Path", "transport.jar"), classes, program);
        List<String> run = List.of("-Djfs.transport=file", "-Djfs.log=all", "-jar", JAR, "run");
        for (Outcome outcome : List.of(run(run, "-jar", jar("with.jar")), run(run, "-jar", jar("beside.jar")),
                Programs.bareJava(folder, Map.of("CLASSPATH", jar("with.jar")), concat(run, "UntilFast")))) {
            assertEquals(0, outcome.exitCode(), outcome.err());
            assertTrue(outcome.err().contains(" over file"), outcome.err());
        }
    }

    @Test
    void runNeedsNoNatives() throws Exception {
        assertEquals(new Outcome(0, "true\ntrue\n", ""),
                run("-Dos.arch=riscv64", "-jar", JAR, "run", "-jar", folder.resolve("talk.jar").toString()));
        Outcome withoutAgent = run("-Dos.arch=riscv64", "-cp", JAR, "JFSLauncher", "-jar", app);
        assertRefused(withoutAgent, "-jar can't work here (native library: none for linux-riscv64");
        assertRefused(withoutAgent, "use java -javaagent:" + JAR + " -jar " + app);
    }

    /** A Java runtime with its base module alone has no agents. So the native library gives access to the JDK. */
    @Test
    void runNeedsNoInstrument() throws Exception {
        assertEquals(new Outcome(0, "true\ntrue\n", ""),
                run("--limit-modules", "java.base", "-jar", JAR, "run", "-jar", folder.resolve("talk.jar").toString()));
    }

    @ParameterizedTest
    @MethodSource("launchers")
    void whatIsNoProgramIsRefused(List<String> launcher) throws Exception {
        assertRefused(run(launcher, "-jar"), "-jar needs a jar file");
        assertRefused(run(launcher, "-jar", "nowhere.jar"), "unable to access jarfile nowhere.jar\n");
        assertRefused(run(launcher, "-jar", jar("text.jar")), "unable to access jarfile " + jar("text.jar") + ": ");
        assertRefused(run(launcher, "-jar", jar("mainless.jar")), "no main manifest attribute, in " + jar("mainless.jar"));
        assertRefused(run(launcher, "-jar", jar("lost.jar")), "main class Elsewhere not found in " + jar("lost.jar"));
        assertRefused(run(launcher, "-jar", jar("fx.jar")), "use java -javaagent:" + JAR + " -jar " + jar("fx.jar"));
        if (Runtime.version().feature() >= 22) {
            assertRefused(run(launcher, "-jar", jar("illegal.jar")), "illegal value \"some.module\" for Enable-Native-Access");
        } else {
            assertEquals(0, run(launcher, "-jar", jar("illegal.jar")).exitCode());
        }
    }

    // ---- commands ----

    @Test
    void helpIsThere() throws Exception {
        Outcome help = run("-jar", JAR, "help");
        assertAll(
                () -> assertEquals(0, help.exitCode()),
                () -> assertEquals("", help.err()),
                () -> assertTrue(help.out().contains("\n  run "), help.out()),
                () -> assertTrue(help.out().contains("\n  attach "), help.out()),
                () -> assertTrue(help.out().contains("-javaagent:jfs.jar"), help.out()));
        assertEquals(new Outcome(2, "", help.out()), run("-jar", JAR));
        String reference = Files.readString(Path.of("..", "docs", "reference.md"));
        assertTrue(reference.endsWith("```\n" + help.out() + "```\n"), "docs/reference.md has another text of the commands");
    }

    @Test
    void versionIsTold() throws Exception {
        Outcome outcome = run("-jar", JAR, "--version");
        assertEquals(0, outcome.exitCode(), outcome::err);
        List<String> lines = outcome.out().lines().toList();
        assertTrue(lines.get(0).matches("jfs [0-9]+\\.[0-9]+\\.[0-9]+(-SNAPSHOT)?"), outcome::out);
        String commit = lines.get(1);
        assertTrue(commit.matches("commit: ([0-9a-f]{10,40}(-dirty)?|unknown)"), outcome::out);
        if (Files.exists(Path.of("..", ".git"))) {
            assertFalse(commit.endsWith("unknown"), outcome::out);
        }
        assertTrue(lines.contains("native library: loads"), outcome::out);
        assertTrue(outcome.out().contains(" " + Runtime.version() + "\n"), outcome::out);
        assertEquals(outcome, run("-jar", JAR, "-V"));
    }

    @Test
    void unknownCommandIsRefused() throws Exception {
        assertRefused(run("-jar", JAR, "Talk"), "unknown command Talk; the commands are run, attach, status, check, ");
        assertRefused(run("-jar", JAR, "atach"), "; did you mean attach?");
        assertRefused(run("-jar", JAR, "attach", "--hepl"), "unknown option --hepl of attach; the options are --help; did you mean");
        assertRefused(run("-jar", JAR, "run"), "no program named; use: java -jar jfs.jar run ");
    }

    /** A screen has 24 lines of 80 columns. */
    @ParameterizedTest
    @ValueSource(strings = {"", "run", "attach", "status", "check", "selftest", "settings", "rules", "rules check", "netpipe", "completion",
        "help"})
    void helpFitsAScreen(String command) throws Exception {
        List<String> words = command.isEmpty() ? List.of() : List.of(command.split(" "));
        Outcome outcome = run(concat(List.of("-jar", JAR, "help"), words.toArray(new String[0])));
        assertEquals(0, outcome.exitCode(), outcome::err);
        assertTrue(outcome.out().startsWith("Use: java "), outcome::out);
        assertTrue(outcome.out().lines().count() <= 24, outcome::out);
        assertTrue(outcome.out().lines().allMatch(line -> line.length() <= 80), outcome::out);
        assertEquals(outcome, run(concat(concat(List.of("-jar", JAR), words.toArray(new String[0])), "--help")));
    }

    /** The commands may be called by an alias or a script named jfs. */
    @Test
    void completionIsAScriptForBash() throws Exception {
        Outcome script = run("-jar", JAR, "completion");
        assertEquals(new Outcome(0, script.out(), ""), script);
        Path file = Files.writeString(folder.resolve("completion"), script.out());
        Outcome sourced = Programs.run(folder, Map.of(), List.of("bash", "-c", "source \"$0\" && complete -p jfs", file.toString()));
        assertEquals(0, sourced.exitCode(), sourced::err);
        assertTrue(sourced.out().matches("complete .*-F _complete_jfs .*jfs\n"), sourced::out);
    }

    /** What starts programs loads no class of the other commands, nor of the library that they use. */
    @ParameterizedTest
    @MethodSource("launchers")
    void aProgramLoadsNoOtherCommand(List<String> launcher) throws Exception {
        Outcome outcome = run(concat(concat(List.of("-Xlog:class+load:stdout:none"), launcher.toArray(new String[0])), "-jar",
                folder.resolve("talk.jar").toString()));
        assertEquals(0, outcome.exitCode(), outcome::err);
        assertTrue(outcome.out().contains("jfs.launcher.Program source: "), outcome::out);
        assertEquals(List.of(), outcome.out().lines()
                .filter(line -> line.startsWith("jfs.launcher.commands.") || line.startsWith("jfs.shaded.")).toList());
    }

    @Test
    void rulesAreExplained() throws Exception {
        Path file = folder.resolve("rules");
        Files.writeString(file, "# the database\nconnect 10.9.0.7 5432 tcp\naccept 10.1.0.0/16 5000-5999 mx forced\n");
        String described = file + ": the first rule that matches decides\n"
                + "line 2 of jfs.rules: connect 10.9.0.7 5432 tcp\n    to listeners on 10.9.0.7, port 5432: TCP\n"
                + "line 3 of jfs.rules: accept 10.1.0.0/16 5000-5999 mx forced\n"
                + "    from 10.1.0.0/16, to our ports 5000 to 5999: MX, also where there is no RDMA;"
                + " the peer has to prove that it has the key of jfs.hosts.key\n";
        assertEquals(new Outcome(0, described, ""), run("-jar", JAR, "rules", "check", file.toString()));
        assertEquals(new Outcome(0, described
                + "connecting to 10.9.0.7 port 5432: line 2 of jfs.rules: connect 10.9.0.7 5432 tcp: TCP\n"
                + "accepting from 10.9.0.7 on port 5432: no rule: shared memory, if the peer is on this host, else TCP\n",
                ""), run("-jar", JAR, "rules", "check", file.toString(), "10.9.0.7", "5432"));
    }

    @Test
    void wrongRulesAreRefused() throws Exception {
        Path file = folder.resolve("wrong");
        Files.writeString(file, "connect * * tcp\nconnect * * sdp\n");
        String name = file.toString();
        assertRefused(run("-jar", JAR, "rules", "check", name),
                "jfs.rules=" + name + ", line 2: sdp; allowed is sci, mx or tcp");
        assertRefused(run("-jar", JAR, "rules", "check", name + "er"), "it does not exist");
        Files.writeString(file, "");
        assertEquals(new Outcome(0, name + ": no rules\n", ""), run("-jar", JAR, "rules", "check", name));
        assertRefused(run("-jar", JAR, "rules", "check", name, "127.0.0.1", "0"), "bad port 0; allowed is");
        assertRefused(run("-jar", JAR, "rules", "check", name, "127.0.0.256", "1"), "bad host 127.0.0.256; allowed is");
        assertRefused(run("-jar", JAR, "rules", "list"), "unknown command list of rules; the commands are check");
        assertRefused(run("-jar", JAR, "rules", "check"), "use: java -jar jfs.jar rules check FILE [HOST PORT]");
        assertRefused(run("-jar", JAR, "rules", "check", name, "127.0.0.1"), "use: java -jar jfs.jar rules check FILE [HOST PORT]");
    }

    // ---- helpers ----

    private static String jar(String name) {
        return folder.resolve(name).toString();
    }

    private static Outcome run(List<String> launcher, String... arguments) throws Exception {
        return Programs.bareJava(folder, Map.of(), concat(launcher, arguments));
    }

    private static Outcome run(String... arguments) throws Exception {
        return run(List.of(), arguments);
    }

    private static List<String> concat(List<String> first, String... rest) {
        List<String> all = new ArrayList<>(first);
        all.addAll(Arrays.asList(rest));
        return all;
    }

    private static void assertRefused(Outcome outcome, String words) {
        assertAll(
                () -> assertEquals(2, outcome.exitCode()),
                () -> assertEquals("", outcome.out()),
                () -> assertTrue(outcome.err().startsWith("jfs: "), outcome.err()),
                () -> assertTrue(outcome.err().contains(words), outcome.err()),
                () -> assertEquals(1, outcome.err().lines().count(), outcome.err()));
    }
}
