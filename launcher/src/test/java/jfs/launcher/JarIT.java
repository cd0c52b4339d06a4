package jfs.launcher;

import static jfs.launcher.Programs.JAR;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.DataInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import jfs.launcher.Programs.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What jfs.jar contains, and that a program started with it has JFS's sockets. */
class JarIT {

    @TempDir
    static Path classes;

    @BeforeAll
    static void compile() throws Exception {
        Programs.compile(classes, Map.of("Talk", Programs.TALK));
    }

    @Test
    void holdsCoreLauncherAndNativesAndNoModule() throws Exception {
        try (JarFile jar = new JarFile(JAR)) {
            List<String> strangers = new ArrayList<>(jar.stream().map(entry -> entry.getName()).toList());
            strangers.removeIf(name -> name.startsWith("jfs/") || name.startsWith("META-INF/")
                    || name.matches("JFSLauncher\\.class"));
            Attributes manifest = jar.getManifest().getMainAttributes();
            assertAll(
                    () -> assertEquals(List.of(), strangers, "the jar stands before the program's own class path"),
                    () -> assertHolds(jar, "jfs/JFSSocketImplFactory.class"),
                    () -> assertHolds(jar, "jfs/nativelib/linux-x86-64/libjfs_jni.so"),
                    () -> assertHolds(jar, "jfs/nativelib/linux-x86-64/libsisci.so"),
                    () -> assertHolds(jar, "jfs/nativelib/linux-x86-64/libmyriexpress.so"),
                    () -> assertHolds(jar, "META-INF/jfs/commands.jar"),
                    () -> assertEquals(null, jar.getEntry("jfs/shaded/picocli/CommandLine.class"), "each start would read its name"),
                    () -> assertHolds(jar, "META-INF/LICENSE"),
                    () -> assertHolds(jar, "META-INF/NOTICE"),
                    () -> assertEquals("jfs.launcher.Main", manifest.getValue(Attributes.Name.MAIN_CLASS)),
                    () -> assertEquals("ALL-UNNAMED", manifest.getValue("Enable-Native-Access")),
                    () -> assertTrue(manifest.getValue(Attributes.Name.IMPLEMENTATION_VERSION).matches("\\d+\\..*")));
        }
    }

    @Test
    void agentsAreClassesThatJava8CanLoad() throws Exception {
        try (JarFile jar = new JarFile(JAR)) {
            for (String agent : List.of("Premain-Class", "Agent-Class")) {
                String name = jar.getManifest().getMainAttributes().getValue(agent).replace('.', '/') + ".class";
                try (DataInputStream in = new DataInputStream(jar.getInputStream(jar.getEntry(name)))) {
                    assertEquals(0xCAFEBABE, in.readInt());
                    assertEquals(0, in.readUnsignedShort(), "minor version");
                    assertEquals(52, in.readUnsignedShort(), "major version");
                }
            }
        }
    }

    @Test
    void socketsOfTheProgramAreJfss() throws Exception {
        assertEquals(new Outcome(0, "true\ntrue\n", ""), run("-cp", JAR + ":" + classes, "JFSLauncher", "Talk"));
        assertEquals(new Outcome(0, "true\ntrue\n", ""), run("-jar", JAR, "run", "Talk"));
    }

    @Test
    void withoutNativesTheProgramRunsOverChannels() throws Exception {
        String nowhere = classes.resolve("nowhere").toString();
        assertEquals(new Outcome(0, "true\ntrue\n", ""),
                run("-Djfs.native.dir=" + nowhere, "-cp", JAR + ":" + classes, "JFSLauncher", "Talk"));
    }

    @Test
    void onAnotherPlatformTheReasonIsSaid() throws Exception {
        Outcome outcome = run("-Dos.arch=riscv64", "-Djfs.log=fallback", "-cp", JAR + ":" + classes, "JFSLauncher", "Talk");
        assertEquals(0, outcome.exitCode(), outcome::err);
        assertEquals("true\ntrue\n", outcome.out());
        assertTrue(outcome.err().matches("jfs: no fast path.*native library: none for linux-riscv64.*\n"
                + "jfs: 2 connections: 0 fast, 2 over TCP \\(UNAVAILABLE 2\\)\n"), outcome.err());
    }

    @ParameterizedTest
    @CsvSource({"noexec, failed to map segment", "ro, Read-only file system", "size=64k, No space left on device"})
    void aTemporaryFolderOfNoUseIsAReasonToo(String options, String reason, @TempDir Path temporary) throws Exception {
        // The process has a mount namespace of its own, so that the mount ends with the process.
        List<String> mounted = List.of("unshare", "--mount", "sh", "-c",
                "mount -t tmpfs -o \"$1\" tmpfs \"$2\" && shift 2 && \"$@\" && ls \"$0\"", temporary.toString(),
                options, temporary.toString());
        assumeTrue(new ProcessBuilder("unshare", "--mount", "true").redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0,
                "unshare --mount, by which the test mounts a folder, needs root");
        Outcome outcome = Programs.java(classes, Map.of(), mounted,
                List.of("-Djava.io.tmpdir=" + temporary, "-Djfs.log=fallback", "-cp", JAR + ":" + classes, "JFSLauncher",
                        "Talk"));
        assertEquals(0, outcome.exitCode(), outcome::err);
        assertEquals("true\ntrue\n", outcome.out(), "and nothing is left in the folder");
        String first = outcome.err().lines().findFirst().orElse("");
        assertTrue(first.startsWith("jfs: no fast path in this process: native library: ") && first.contains(reason)
                && first.contains(temporary.toString()), outcome.err());
    }

    /** The jar is not compressed, because a starting JVM reads it while that JVM still interprets. */
    @Test
    void isReadAsItIs() throws Exception {
        try (JarFile jar = new JarFile(JAR)) {
            assertEquals(JarFile.MANIFEST_NAME, jar.stream().findFirst().orElseThrow().getName(), "where streams look for it");
            for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
                assertEquals(ZipEntry.STORED, entry.getMethod(), entry.getName());
                if (entry.getName().endsWith(".so")) { // each JVM with a socket writes this library to a file
                    String content = new String(jar.getInputStream(entry).readAllBytes(), StandardCharsets.ISO_8859_1);
                    assertFalse(content.contains(".debug_info"), entry.getName());
                }
            }
        }
    }

    private static Outcome run(String... arguments) throws Exception {
        return Programs.java(classes, Map.of(), List.of(arguments));
    }

    private static void assertHolds(JarFile jar, String name) {
        assertTrue(jar.getEntry(name) != null, name);
    }
}
