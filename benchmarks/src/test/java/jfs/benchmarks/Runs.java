package jfs.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import jfs.JFS;
import jfs.benchmarks.report.BrowserCheck;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the tests of commands share. They run the whole driver with its child processes, and with stand-ins for jfs.jar, NetPIPE and the
 * floor. A browser opens the pages of a class after its last test.
 */
abstract class Runs {
    static final Path STAND_INS = Path.of(Runs.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    private static final List<BrowserCheck.Opened> PAGES = new ArrayList<>();

    @TempDir
    Path folder;

    final StringWriter out = new StringWriter();
    final StringWriter err = new StringWriter();

    @BeforeEach
    void standInsForTheFloor() throws Exception {
        for (String program : List.of("shm-pingpong", "scil-pingpong", "crowd", "copy", "gather")) {
            String says = "#!/bin/sh\necho floor program=" + program + " bytes=$2 ns=50.00 least_ns=49.00\n";
            Path script = Files.writeString(folder.resolve(program), says);
            assertTrue(script.toFile().setExecutable(true));
        }
    }

    /** The folder of the pages. */
    Path reports() {
        return folder.resolve("reports");
    }

    /** Makes a program of the floor that says this. */
    void standIn(String program, String says) throws Exception {
        Path script = Files.writeString(folder.resolve(program), "#!/bin/sh\necho '" + says + "'\n");
        assertTrue(script.toFile().setExecutable(true));
    }

    int run(String... arguments) {
        return run(STAND_INS, List.of(arguments), List.of());
    }

    /** Runs with the stand-ins in a jar, because an agent always comes as a jar. With it are the classes of JFS that programs use. */
    int runWithJar(String... arguments) throws Exception {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(new Attributes.Name("Premain-Class"), "JFSLauncher");
        String core = JFS.class.getProtectionDomain().getCodeSource().getLocation().toString();
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, core);
        Path jar = folder.resolve("jfs.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            out.putNextEntry(new JarEntry("JFSLauncher.class"));
            Files.copy(STAND_INS.resolve("JFSLauncher.class"), out);
        }
        return run(jar, List.of(arguments), List.of("--forks", "1"));
    }

    private int run(Path jfs, List<String> arguments, List<String> more) {
        List<String> all = new ArrayList<>(arguments);
        all.addAll(List.of("--jfs", jfs.toString(), "--floor", folder.toString(), "--report", reports().toString()));
        all.addAll(more);
        return Main.run(new PrintWriter(out), new PrintWriter(err), all.toArray(String[]::new));
    }

    /** A folder with Netty, which the tests have on their class path. */
    Path libraries() throws Exception {
        Path libraries = Files.createDirectories(folder.resolve("libraries"));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path jar = Path.of(entry);
            if (jar.getFileName().toString().startsWith("netty-")) {
                Files.copy(jar, libraries.resolve(jar.getFileName()));
            }
        }
        return libraries;
    }

    /** Keeps the page that the last line of the output names. @param plots how many plots it must have */
    void pageHas(int plots) throws Exception {
        Path page = page(out.toString());
        assertEquals(reports(), page.getParent());
        PAGES.add(new BrowserCheck.Opened(Files.readString(page), out.toString(), plots));
    }

    /** The page that the last line names. */
    static Path page(String text) {
        String last = text.lines().reduce((first, second) -> second).orElseThrow();
        assertTrue(last.startsWith("Page: "), text);
        return Path.of(last.substring("Page: ".length()));
    }

    @AfterAll
    static void thePagesAreShownByABrowser(@TempDir Path folder) throws Exception {
        List<BrowserCheck.Opened> pages = List.copyOf(PAGES);
        PAGES.clear();
        if (BrowserCheck.hasBrowser() && !pages.isEmpty()) {
            BrowserCheck.check(pages, folder);
        }
    }
}
