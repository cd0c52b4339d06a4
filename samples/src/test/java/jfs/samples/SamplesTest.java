package jfs.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Builds each sample as its user would, by the lines of the page {@code samples/README.md}, and runs it: the server in one JVM, the client
 * in another. The folder of the build and the user's home are made for the test. Maven has a local repository of its own, so JFS does not
 * get into the user's. All that is not JFS comes from the user's local repository, where this build has put it.
 */
@Timeout(value = 4, unit = TimeUnit.MINUTES) // Maven in a JVM of its own, and two more JVMs
class SamplesTest {

    private static final Path JDK = Path.of(Published.property("samples.jdk"));
    private static final Path WORK = Path.of("target", "work").toAbsolutePath();
    private static final Path LOCAL = WORK.resolve("local-repository");
    private static final Path HOME = WORK.resolve("home");

    /** Stands for a clone of JFS. It has {@code dist/staging} and {@code samples/}. */
    private static final Path CLONE = WORK.resolve("clone");

    /** The sample that the page builds, and the repository in the file settings.xml that the page names. */
    private static final String ON_THE_PAGE = "samples/in-code";
    private static final String STAGING = "jfs-staging";

    /** What the samples print that install JFS, and what JFS's log says at the end of one that does not. */
    private static final String FAST = "fast connections: 1\n";
    private static final String SUMMARY = "jfs: 1 connections: 1 fast, 0 over TCP";

    @BeforeAll
    static void prepare() throws Exception {
        delete(LOCAL.resolve("org/javafastsockets")); // of an earlier build, with the same version
        delete(CLONE);
        Files.createDirectories(CLONE.resolve("dist"));
        Files.createSymbolicLink(CLONE.resolve("dist/staging"), Published.REPOSITORY);
        Files.createDirectories(CLONE.resolve("samples"));
        Files.copy(Path.of("settings.xml"), CLONE.resolve("samples/settings.xml"));
        Files.createDirectories(HOME.resolve(".m2"));
        Files.writeString(HOME.resolve(".m2/settings.xml"), """
                <settings>
                  <localRepository>%s</localRepository>
                  <profiles>
                    <profile>
                      <id>cache</id>
                      <repositories>%s</repositories>
                      <pluginRepositories>%s</pluginRepositories>
                    </profile>
                  </profiles>
                  <activeProfiles><activeProfile>cache</activeProfile></activeProfiles>
                </settings>
                """.formatted(LOCAL, cache("repository"), cache("pluginRepository")));
    }

    private static String cache(String element) {
        return "<%1$s><id>cache</id><url>%2$s</url><releases><checksumPolicy>ignore</checksumPolicy></releases></%1$s>"
                .formatted(element, Path.of(Published.property("samples.cache")).toUri());
    }

    /** The lines of the page that build a sample. The first one has made the repository that this build has made too. */
    private static String printed(String sample) throws IOException {
        List<String> lines = Files.readAllLines(Path.of("README.md"));
        int first = lines.indexOf("./jfs stage");
        assertTrue(first > 0 && lines.contains("cd " + ON_THE_PAGE), lines::toString);
        String script = Files.readString(Path.of(Published.property("samples.script")));
        assertTrue(script.contains("\n    stage)\n"), "jfs has the command stage");
        List<String> rest = lines.subList(first + 1, lines.size());
        return String.join("\n", rest.subList(0, rest.indexOf("```"))).replace(ON_THE_PAGE, "samples/" + sample);
    }

    @Test
    void aProgramInstallsTheLibraryOnItsClassPath() throws Exception {
        Path target = build("in-code", Set.of("jfs-core", "jfs-native"));
        List<String> java = List.of("--enable-native-access=ALL-UNNAMED", "-cp", target + "/in-code.jar:" + target + "/lib/*");
        assertEquals(new Outcome(FAST, ""), converse(java, "com.example."));
    }

    @Test
    void aProgramInstallsTheLibraryOnItsModulePath() throws Exception {
        Path target = build("modules", Set.of("jfs-core", "jfs-native"));
        List<String> java = List.of("--enable-native-access=jfs", "-p", target + "/modules.jar:" + target + "/lib", "-m");
        assertEquals(new Outcome(FAST, ""), converse(java, "com.example.modules/com.example."));
    }

    /** What a reader copies from the page is what these two programs have. */
    @Test
    void thePageHasTheDependenciesOfTheSamples() throws Exception {
        String page = words(Path.of("../docs/how-to/use.md"));
        for (String sample : List.of("in-code", "modules")) {
            String pom = words(Path.of(sample, "pom.xml")).replace("${jfs.version}", Published.VERSION);
            for (String element : List.of("dependencyManagement", "dependencies")) {
                int end = pom.lastIndexOf("</" + element + ">");
                String snippet = pom.substring(pom.indexOf("<" + element + ">", element.equals("dependencies")
                        ? pom.indexOf("</dependencyManagement>") : 0), end);
                assertTrue(page.contains(snippet), () -> sample + ": docs/how-to/use.md does not have " + snippet);
            }
        }
        assertTrue(words(Path.of("agent/pom.xml")).contains("<jfs.version>" + Published.VERSION + "<"));
    }

    private static String words(Path file) throws IOException {
        return Files.readString(file).replaceAll("\\s+", " ");
    }

    @Test
    void aProgramThatKnowsNothingRunsUnderTheAllInOneJar() throws Exception {
        Path target = build("agent", Set.of("jfs"));
        List<String> agent = List.of("-javaagent:" + target + "/jfs.jar=jfs.log=all", "-cp", target + "/agent.jar");
        Outcome outcome = converse(agent, "com.example.");
        assertEquals("", outcome.out());
        assertEquals(2, outcome.err().lines().filter(SUMMARY::equals).count(), outcome.err());
        List<String> launcher = List.of("-Djfs.log=all", "-cp", target + "/jfs.jar:" + target + "/agent.jar", "JFSLauncher");
        outcome = converse(launcher, "com.example.");
        assertEquals(2, outcome.err().lines().filter(SUMMARY::equals).count(), outcome.err());
    }

    /**
     * Builds a sample from a copy.
     *
     * @param artifacts those of JFS that it takes
     * @return the folder target
     */
    private static Path build(String sample, Set<String> artifacts) throws Exception {
        Path source = Path.of(sample);
        Path copy = CLONE.resolve("samples").resolve(sample);
        try (Stream<Path> files = Files.walk(source)) {
            for (Path file : files.filter(file -> !file.startsWith(source.resolve("target"))).toList()) {
                Files.copy(file, copy.resolve(source.relativize(file)));
            }
        }
        Path log = WORK.resolve(sample + ".log");
        ProcessBuilder lines = process(log, "bash", "-ec", printed(sample)).directory(CLONE.toFile());
        lines.environment().put("PATH", Path.of(Published.property("samples.maven"), "bin") + ":" + System.getenv("PATH"));
        lines.environment().put("MAVEN_OPTS", "-Duser.home=" + HOME);
        lines.environment().put("JAVA_HOME", JDK.toString());
        assertEquals(0, end(lines.start()), () -> read(log));
        Set<String> jars = new TreeSet<>();
        try (Stream<Path> files = Files.walk(LOCAL.resolve("org/javafastsockets"))) {
            for (Path file : files.filter(file -> file.getFileName().toString().equals("_remote.repositories")).toList()) {
                for (String line : Files.readAllLines(file)) {
                    assertTrue(line.startsWith("#") || line.endsWith(">" + STAGING + "="), line);
                }
            }
        }
        try (Stream<Path> files = Files.walk(copy.resolve("target"))) {
            files.map(file -> file.getFileName().toString()).filter(name -> name.matches("jfs.*\\.jar"))
                    .forEach(name -> jars.add(name.replaceFirst("(-\\d.*)?\\.jar$", "")));
        }
        assertEquals(new TreeSet<>(artifacts), jars, "and nothing else of JFS");
        return copy.resolve("target");
    }

    /** What the server and the client have printed, each the same, and what they have written to stderr, one after the other. */
    private record Outcome(String out, String err) {
    }

    /** Runs a sample's server, then its client, and checks that both end well and print the same. */
    private static Outcome converse(List<String> options, String prefix) throws Exception {
        Path err = WORK.resolve("server.err");
        Path clientOut = WORK.resolve("client.out");
        Path clientErr = WORK.resolve("client.err");
        Process server = java(options, prefix + "Server").redirectError(err.toFile()).start();
        Process client = null;
        try (BufferedReader out = server.inputReader(StandardCharsets.UTF_8)) {
            String port = out.readLine();
            assertTrue(port != null && port.matches("\\d+"), () -> "no port: " + port + read(err));
            client = java(options, prefix + "Client", port).redirectOutput(clientOut.toFile()).redirectError(clientErr.toFile()).start();
            assertEquals(0, end(client), () -> read(clientErr));
            StringBuilder printed = new StringBuilder();
            out.lines().forEach(line -> printed.append(line).append('\n'));
            assertEquals(0, end(server), () -> read(err));
            assertEquals(printed.toString(), read(clientOut), "client and server have counted the same");
            return new Outcome(printed.toString(), read(err) + read(clientErr));
        } finally {
            server.destroyForcibly();
            if (client != null) {
                client.destroyForcibly();
            }
        }
    }

    private static ProcessBuilder java(List<String> options, String... main) {
        List<String> command = new ArrayList<>(List.of(JDK.resolve("bin/java").toString()));
        command.addAll(options);
        command.addAll(List.of(main));
        return process(null, command.toArray(String[]::new));
    }

    /** A process that knows nothing of this build's own settings. */
    private static ProcessBuilder process(Path log, String... command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(name -> name.startsWith("JFS_") || name.startsWith("MAVEN_"));
        return log == null ? builder : builder.redirectErrorStream(true).redirectOutput(log.toFile());
    }

    /** Waits for the process to end. Returns its exit code. */
    private static int end(Process process) throws InterruptedException {
        try {
            assertTrue(process.waitFor(100, TimeUnit.SECONDS), "it does not end");
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
