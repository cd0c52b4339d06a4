package jfs.launcher;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jfs.launcher.Programs.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Debian package that {@code ./jfs deb} builds. It is unpacked into a folder; this system stays as it is. */
class DebIT {

    private static final String VERSION = System.getProperty("jfs.version");
    private static final Path MANUAL = Path.of(System.getProperty("jfs.manual"));
    private static final String BUILD = Path.of("..", "packaging", "deb", "build.sh").toAbsolutePath().normalize().toString();
    private static final Map<String, String> JAVA = Map.of("JAVA_HOME", System.getProperty("java.home"));

    @TempDir
    static Path folder;

    /** The package. */
    private static Path deb;

    /** The folder that the package was unpacked into. */
    private static Path root;

    @BeforeAll
    static void build() throws Exception {
        assumeHas("dpkg-deb");
        assumeHas("asciidoctor");
        deb = build(MANUAL, "first", JAVA);
        root = folder.resolve("root");
        assertDone(run(JAVA, "dpkg-deb", "-x", deb.toString(), root.toString()));
    }

    @Test
    void theDescriptionSaysWhatItNeeds() throws Exception {
        Outcome fields = run(JAVA, "dpkg-deb", "-f", deb.toString(), "Package", "Version", "Architecture", "Depends");
        assertEquals("Package: java-fast-sockets\nVersion: " + VERSION + "\nArchitecture: amd64\n"
                + "Depends: default-jre-headless (>= 2:1.17) | java17-runtime-headless\n", fields.out());
    }

    /** At another time, in another time zone, and with another mask of permissions. */
    @Test
    void aSecondBuildGivesTheSameBytes() throws Exception {
        Path manual = Files.createDirectory(folder.resolve("manual"));
        for (Path page : files(MANUAL)) {
            Path copy = Files.copy(page, manual.resolve(page.getFileName()));
            Files.setLastModifiedTime(copy, FileTime.fromMillis(0));
        }
        Path second = build(manual, "second", Map.of("JAVA_HOME", JAVA.get("JAVA_HOME"), "TZ", "Asia/Tokyo"));
        assertArrayEquals(Files.readAllBytes(deb), Files.readAllBytes(second));
    }

    @Test
    void theCommandRunsAsItsManualSays() throws Exception {
        Outcome version = run(JAVA, jfs(), "--version");
        assertEquals(0, version.exitCode(), version::err);
        assertTrue(version.out().startsWith("jfs " + VERSION + "\n"), version::out);
        assertTrue(version.out().contains("native library: loads"), version::out);
        Outcome help = run(JAVA, jfs(), "help");
        assertTrue(help.out().startsWith("Use: jfs [-hV] [COMMAND]\n"), help::out);
        Outcome refused = run(JAVA, jfs(), "rules", "check");
        assertEquals(2, refused.exitCode());
        assertTrue(refused.err().contains("use: jfs rules check FILE"), refused::err);
    }

    @Test
    void theSelftestPassesByTheCommandAndBySymbolicLinks() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("linked"), Path.of(jfs()));
        Outcome outcome = run(JAVA, link.toString(), "selftest");
        assertEquals(0, outcome.exitCode(), outcome::toString);
        assertTrue(outcome.out().lines().reduce("", (former, line) -> line).startsWith("PASSED"), outcome::out);
    }

    @Test
    void withoutJavaTheCommandSaysWhatIsMissing() throws Exception {
        assertEquals(new Outcome(1, "", "jfs: /nowhere/bin/java not found; JFS needs Java 17 or later"
                + " (Debian's package default-jre-headless)\n"), run(Map.of("JAVA_HOME", "/nowhere"), jfs(), "--version"));
    }

    @Test
    void eachCommandHasAPageOfTheManual() throws Exception {
        TreeSet<String> expected = new TreeSet<>(List.of("jfs.1.gz", "jfs-rules-check.1.gz"));
        String help = run(JAVA, jfs(), "help").out();
        Pattern.compile("^  ([a-z]+)  ", Pattern.MULTILINE).matcher(help.substring(help.indexOf("Commands:"))).results()
                .forEach((MatchResult it) -> expected.add("jfs-" + it.group(1) + ".1.gz"));
        assertTrue(expected.size() > 8, help);
        TreeSet<String> found = new TreeSet<>();
        files(root.resolve("usr/share/man/man1")).forEach(it -> found.add(it.getFileName().toString()));
        assertEquals(expected, found);
    }

    @Test
    void manShowsThePagesWithoutAWarning() throws Exception {
        assumeHas("man");
        for (Path page : files(root.resolve("usr/share/man/man1"))) {
            Outcome outcome = run(Map.of("LC_ALL", "C.UTF-8", "MANWIDTH", "80"), "man", "--warnings", "-l", page.toString());
            String name = page.getFileName().toString().replace(".1.gz", "");
            assertAll(name,
                    () -> assertEquals(0, outcome.exitCode()),
                    () -> assertEquals("", outcome.err()),
                    () -> assertTrue(outcome.out().startsWith(name.toUpperCase(Locale.ROOT) + "(1)"), outcome::out),
                    () -> assertTrue(outcome.out().contains("\nSYNOPSIS\n       " + name.replace('-', ' ')), outcome::out),
                    () -> assertFalse(outcome.out().contains("-jar jfs.jar"), outcome::out),
                    () -> assertTrue(outcome.out().contains("\n       JDK_JAVA_OPTIONS\n"), outcome::out),
                    () -> assertTrue(outcome.out().matches("(?s).*\nSEE ALSO\n +.*\\bjava\\(1\\).*"), outcome::out),
                    () -> assertTrue(outcome.out().contains("Java Fast Sockets " + VERSION + " "), outcome::out));
        }
    }

    /** Its exit codes say more than those of other commands, and settings are given to it by a variable. */
    @Test
    void thePageOfCheckSaysWhatItsHelpSays() throws Exception {
        assumeHas("man");
        Path page = root.resolve("usr/share/man/man1/jfs-check.1.gz");
        String text = run(Map.of("LC_ALL", "C.UTF-8", "MANWIDTH", "80"), "man", "-l", page.toString()).out();
        assertTrue(text.matches("(?s).*\nEXIT STATUS\n +0\n +fast\\..* 1\n +not fast\\..* 2\n +given wrongly\\..*"), text);
        String help = run(JAVA, jfs(), "check", "--help").out();
        for (String each : List.of(text, help)) {
            assertTrue(each.contains(" JDK_JAVA_OPTIONS=-Djfs.rules=FILE jfs check HOST PORT\n"), each);
        }
        String run = run(JAVA, jfs(), "run", "--help").out();
        assertTrue(run.contains("JDK_JAVA_OPTIONS") && !run.contains("The options are"), run);
    }

    @Test
    void bashCompletesCommandsAndOptions() throws Exception {
        assertEquals("selftest settings status", complete("jfs", "s"));
        assertEquals("--json", complete("jfs", "status", "--js"));
        assertEquals("check", complete("jfs", "rules", "c"));
        assertEquals("selftest settings status", complete("jfs", "help", "s"));
    }

    /** Into a system of its own, which has no other package. */
    @Test
    void dpkgInstallsAndRemovesIt() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can install a package");
        Path system = folder.resolve("system");
        Files.createDirectories(system.resolve("var/lib/dpkg/updates"));
        Files.createDirectories(system.resolve("var/lib/dpkg/info"));
        Files.createFile(system.resolve("var/lib/dpkg/status"));
        String[] dpkg = {"dpkg", "--root=" + system, "--log=/dev/null", "--force-depends"};
        assertDone(run(JAVA, concat(dpkg, "-i", deb.toString())));
        assertEquals("", run(JAVA, concat(dpkg, "--verify", "java-fast-sockets")).out());
        assertEquals(0, run(JAVA, system.resolve("usr/bin/jfs").toString(), "--version").exitCode());
        assertDone(run(JAVA, concat(dpkg, "--purge", "java-fast-sockets")));
        assertFalse(Files.exists(system.resolve("usr")));
    }

    /** What Debian's own checker says of the package: nothing. */
    @Test
    void lintianFindsNothing() throws Exception {
        assumeHas("lintian");
        Outcome outcome = run(Map.of(), "lintian", "--allow-root", "--tag-display-limit", "0", deb.toString());
        assertEquals("", outcome.out());
        assertEquals(0, outcome.exitCode(), outcome::err);
    }

    // ---- helpers ----

    private static Path build(Path manual, String name, Map<String, String> environment) throws Exception {
        Outcome outcome = run(environment, BUILD, Programs.JAR, manual.toString(), VERSION, folder.resolve(name).toString());
        assertDone(outcome);
        return Path.of(outcome.out().trim());
    }

    private static String jfs() {
        return root.resolve("usr/bin/jfs").toString();
    }

    /** What the completion offers for the last word, sorted. The shell's compopt works only while a user types. */
    private static String complete(String... words) throws Exception {
        String script = "source \"$1\"; shift; compopt() { :; }; COMP_WORDS=(\"$@\")\n"
                + "COMP_CWORD=$(($# - 1)); COMP_LINE=\"$*\"; COMP_POINT=${#COMP_LINE}\n"
                + "_complete_jfs jfs \"${COMP_WORDS[COMP_CWORD]}\"; printf '%s\\n' \"${COMPREPLY[@]}\"";
        Outcome outcome = run(Map.of(), concat(new String[] {"bash", "-c", script, "bash",
            root.resolve("usr/share/bash-completion/completions/jfs").toString()}, words));
        assertEquals("", outcome.err());
        return String.join(" ", outcome.out().lines().map(String::strip).sorted().toList());
    }

    private static Outcome run(Map<String, String> environment, String... command) throws Exception {
        return Programs.run(folder, environment, List.of(command));
    }

    private static String[] concat(String[] first, String... rest) {
        List<String> all = new ArrayList<>(List.of(first));
        all.addAll(List.of(rest));
        return all.toArray(new String[0]);
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    private static void assertDone(Outcome outcome) {
        assertEquals(0, outcome.exitCode(), outcome::toString);
    }

    private static void assumeHas(String command) throws Exception {
        assumeTrue(run(Map.of(), "sh", "-c", "command -v " + command).exitCode() == 0, command + " is missing");
    }
}
