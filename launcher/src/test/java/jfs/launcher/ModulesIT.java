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
import jdk.jfr.consumer.RecordingFile;
import jfs.launcher.Programs.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs on the module path, images made by jlink, and the library itself as a module. */
class ModulesIT {

    private static final Outcome ON = new Outcome(0, "true\ntrue\n", "");

    /** The library's jar as Maven makes it, for the module path, and the folder of the native libraries, which only jfs.jar holds. */
    private static final String CORE = System.getProperty("jfs.core.jar");
    private static final String NATIVES = System.getProperty("jfs.natives");

    @TempDir
    static Path folder;

    private static String modules;

    @BeforeAll
    static void compile() throws Exception {
        Path mods = folder.resolve("mods");
        modules = mods.toString();
        Programs.compile(mods.resolve("app"), Map.of("module-info", "module app { }",
                "app.Talk", "package app; " + Programs.TALK));
        Programs.compile(folder.resolve("classes"), Map.of("Talk", Programs.TALK, "Provider", """
                public class Provider {
                    public static void main(String[] args) {
                        System.out.println(java.nio.channels.spi.SelectorProvider.provider().getClass().getName());
                    }
                }"""));
        Path uses = Files.createDirectories(mods.resolve("uses"));
        Path source = folder.resolve("module-info.java");
        Files.writeString(source, "module uses { requires jfs; }");
        Path program = folder.resolve("Uses.java");
        Files.writeString(program, """
                package uses;
                import java.io.*;
                import java.net.*;
                public class Uses {
                    public static void main(String[] args) throws Exception {
                        System.out.println(jfs.JFSSocketImplFactory.class.getModule().getName());
                        jfs.JFSSocketImplFactory.install();
                        if (args.length > 0) jfs.JFSSocketImplFactory.registerMXBean();
                        System.out.println(jfs.JFSSocketImplFactory.unavailable());
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
                        System.out.println(java.nio.channels.spi.SelectorProvider.provider().getClass().getName());
                    }
                }""");
        Outcome javac = Programs.run(folder, Map.of(), List.of(Programs.tool("javac"), "-p", CORE, "-d", uses.toString(),
                source.toString(), program.toString()));
        assertEquals(0, javac.exitCode(), javac.err());
    }

    @Test
    void moduleRunsWithTheAgent() throws Exception {
        assertEquals(ON, run("-javaagent:" + JAR, "-p", modules, "-m", "app/app.Talk"));
    }

    /** The option that allows native access names the module. */
    @Test
    void theLibraryIsAModule() throws Exception {
        List<String> command = new ArrayList<>(List.of("-p", CORE + ":" + modules, "-Djfs.native.dir=" + NATIVES, "-m",
                "uses/uses.Uses"));
        if (Runtime.version().feature() >= 22) {
            command.add(0, "--enable-native-access=jfs");
        }
        assertEquals(new Outcome(0, "jfs\nnull\nsun.nio.ch.JfsProvider\n", ""), run(command.toArray(new String[0])));
        command.add(0, "-Djfs.nio=off");
        assertEquals(new Outcome(0, "jfs\nnull\nsun.nio.ch.EPollSelectorProvider\n", ""), run(command.toArray(new String[0])));
    }

    /** The packages of the events are not exported. The interface of the MXBean is. */
    @Test
    void theModuleHasEventsAndAnMXBean() throws Exception {
        Path recording = folder.resolve("module.jfr");
        List<String> command = new ArrayList<>(List.of("-XX:StartFlightRecording=filename=" + recording, "-Djfs.upgrade.after=1", "-p",
                CORE + ":" + modules, "-Djfs.native.dir=" + NATIVES, "-m", "uses/uses.Uses", "register"));
        if (Runtime.version().feature() >= 22) {
            command.add(0, "--enable-native-access=jfs");
        }
        Outcome outcome = run(command.toArray(new String[0]));
        assertEquals(0, outcome.exitCode(), outcome.err());
        List<String> names = RecordingFile.readAllEvents(recording).stream().map(it -> it.getEventType().getName()).toList();
        assertEquals(4, names.stream().filter("jfs.Switch"::equals).count(), names::toString);
        assertEquals(2, names.stream().filter("jfs.Connect"::equals).count(), names::toString);
        command.remove("-XX:StartFlightRecording=filename=" + recording);
        command.addAll(0, List.of("--limit-modules", "java.base,jfs"));
        outcome = run(command.toArray(new String[0]));
        assertEquals(1, outcome.exitCode());
        assertTrue(outcome.err().contains("jfs: this Java runtime has no module java.management"), outcome.err());
    }

    @Test
    void anImageNeedsInstrumentForTheAgent() throws Exception {
        Path image = image("java.base,java.instrument");
        assertEquals(ON, runIn(image, "-javaagent:" + JAR, "-cp", folder.resolve("classes").toString(), "Talk"));
        assertEquals(ON, runIn(image, "-javaagent:" + JAR, "-m", "app/app.Talk"));
        assertEquals(new Outcome(0, "sun.nio.ch.JfsProvider\n", ""),
                runIn(image, "-javaagent:" + JAR, "-Djfs.nio=on", "-cp", folder.resolve("classes").toString(), "Provider"));
    }

    @Test
    void anImageOfTheBaseAloneHasTheLauncher() throws Exception {
        Path image = image("java.base");
        String classes = folder.resolve("classes").toString();
        Outcome agent = runIn(image, "-javaagent:" + JAR, "-cp", classes, "Talk");
        assertEquals(1, agent.exitCode());
        assertTrue((agent.out() + agent.err()).contains("java.instrument"), agent.toString());
        assertEquals(ON, runIn(image, "--enable-native-access=ALL-UNNAMED", "-cp", JAR + ":" + classes, "JFSLauncher", "Talk"));
        assertEquals(ON, Programs.run(Path.of(classes), Map.of(), List.of(java(image), "-jar", JAR, "run", "Talk")));
        assertEquals(new Outcome(0, "sun.nio.ch.JfsProvider\n", ""),
                Programs.run(Path.of(classes), Map.of(), List.of(java(image), "-Djfs.nio=on", "-jar", JAR, "run", "Provider")));
    }

    /** The JVM that can't start says why on stdout. */
    @Test
    void theSelftestOfAnImageWithoutInstrumentSaysWhatIsMissing() throws Exception {
        Path image = image("java.base,jdk.unsupported");
        Outcome outcome = Programs.run(folder, Map.of(), List.of(java(image), "-jar", JAR, "selftest"));
        assertEquals(1, outcome.exitCode(), outcome::toString);
        String line = outcome.out().lines().filter(it -> it.startsWith("failed  two JVMs, sockets: ")).findFirst().orElseThrow();
        assertTrue(line.contains("the server ended with exit code 1: Error occurred during initialization of"), outcome::toString);
        assertTrue(line.contains("java.instrument may be missing"), outcome::toString);
        assertTrue(outcome.out().contains("        Make the image with jlink --add-modules java.instrument, or start programs by java -jar"
                + " jfs.jar run.\n"), outcome::toString);
    }

    /** Makes an image of the JDK under test, with these modules and the program's. */
    private static Path image(String modulesOfTheJdk) throws Exception {
        Path jlink = Path.of(Programs.tool("jlink"));
        assumeTrue(Files.isExecutable(jlink), "this JDK has no jlink: " + jlink);
        Path jmods = Path.of(System.getProperty("java.home"), "jmods");
        assumeTrue(Files.isDirectory(jmods) || Programs.run(folder, Map.of(), List.of(jlink.toString(), "--help")).out()
                .contains("Linking from run-time image enabled"), "this JDK's jlink has nothing to link: no " + jmods);
        Path image = folder.resolve("image-" + modulesOfTheJdk);
        Outcome outcome = Programs.run(folder, Map.of(), List.of(jlink.toString(), "-p", modules, "--add-modules",
                modulesOfTheJdk + ",app", "--output", image.toString()));
        assertEquals(0, outcome.exitCode(), outcome.toString());
        return image;
    }

    private static String java(Path image) {
        return image.resolve("bin/java").toString();
    }

    private static Outcome runIn(Path image, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(java(image)));
        command.addAll(List.of(arguments));
        return Programs.run(folder, Map.of(), command);
    }

    private static Outcome run(String... arguments) throws Exception {
        return Programs.bareJava(folder, Map.of(), List.of(arguments));
    }
}
