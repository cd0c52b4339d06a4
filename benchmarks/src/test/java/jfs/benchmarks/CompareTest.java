package jfs.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import jfs.benchmarks.report.BrowserCheck;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with commits of a small project of its own, whose {@code ./jfs jar} makes a jar of the stand-in for jfs.jar. */
class CompareTest {
    private static final Path STAND_INS = Path.of(CompareTest.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    private static final String JAR = "mkdir dist && jar cf dist/jfs.jar -C '" + STAND_INS + "' JFSLauncher.class";

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path project;

    @BeforeEach
    void aProject() throws Exception {
        for (String program : List.of("shm-pingpong", "scil-pingpong", "copy")) {
            Files.createFile(folder.resolve(program));
        }
        project = Files.createDirectory(folder.resolve("project"));
        git("init", "--quiet");
        commit(JAR);
    }

    private String git(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("git", "-C", project.toString(), "-c", "user.name=A", "-c", "user.email=a@example"));
        command.addAll(List.of(arguments));
        Process git = new ProcessBuilder(command).redirectErrorStream(true).start();
        String says = new String(git.getInputStream().readAllBytes());
        assertEquals(0, git.waitFor(), says);
        return says;
    }

    /** Makes a commit in which the script {@code jfs} runs these commands. */
    private void commit(String does) throws Exception {
        Path script = Files.writeString(project.resolve("jfs"), "#!/bin/sh\nPATH=\"" + System.getProperty("java.home") + "/bin:$PATH\"\n"
                + does + "\n# " + UUID.randomUUID() + "\n"); // or two test JVMs make commits with the same hash, which names folders
        assertTrue(script.toFile().setExecutable(true));
        git("add", ".");
        git("commit", "--quiet", "-m", does);
    }

    private List<String> arguments(String... arguments) {
        List<String> all = new ArrayList<>(List.of("bench", "compare", "--jfs", STAND_INS.toString(), "--floor", folder.toString(),
                "--repository", project.toString(), "--report", folder.resolve("reports").toString()));
        all.addAll(List.of(arguments));
        return all;
    }

    private int run(String... arguments) {
        return Main.run(new PrintWriter(out), new PrintWriter(err), arguments(arguments).toArray(String[]::new));
    }

    private void assertNothingIsLeft(String commit) throws Exception {
        assertEquals(1, git("worktree", "list").lines().count());
        try (Stream<Path> folders = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            assertTrue(folders.noneMatch(it -> it.getFileName().toString().startsWith("jfs-" + commit.substring(0, 9) + "-")));
        }
    }

    @Test
    void bothBuildsTakeTurns() throws Exception {
        String head = git("rev-parse", "HEAD").strip();
        Files.createDirectories(project.resolve("target/compare"));
        Files.writeString(project.resolve("target/compare/" + head + ".new"), "the beginning of a jar, whose copy was cut short");
        assertEquals(0, run("HEAD", "--benches", "asleep,pingpong", "--forks", "1"), err::toString);
        String text = out.toString();
        assertTrue(text.lines().anyMatch(line -> line.matches(" *asleep median +us( +\\S+){5}.*")), text);
        assertTrue(text.lines().anyMatch(line -> line.matches(" *pingpong 64 B +us( +\\S+){5}.*")), text);
        assertTrue(text.contains("pingpong: The JFS of the commit connection was switched in 0 of 3 forks"), text);
        assertTrue(text.contains("asleep: The JFS connection was switched in 0 of 1 forks"), text);
        assertTrue(text.lines().anyMatch(line -> line.matches(
                "Costs to those of " + head.substring(0, 9) + ", 1 fork: (.+ \\d\\S* \\(\\S+\\.\\.\\S+\\)(, )?){5}")), text);
        assertTrue(Files.exists(project.resolve("target/compare/" + head + ".jar")));
        if (BrowserCheck.hasBrowser()) {
            BrowserCheck.check(List.of(new BrowserCheck.Opened(Files.readString(Runs.page(text)), text, 1)), folder);
        }
        assertNothingIsLeft(head);
    }

    @Test
    void aCommitThatThereIsNotIsOneMessage() {
        assertEquals(2, run("no-such-commit"));
        assertTrue(err.toString().startsWith("jfs: there is no commit no-such-commit in "), err::toString);
    }

    /** Git warns of a branch whose name is a hash. */
    @Test
    void whatGitWarnsOfIsNotTheCommit() throws Exception {
        commit("echo no compiler; exit 3");
        String head = git("rev-parse", "HEAD").strip();
        git("update-ref", "refs/heads/" + head, "HEAD");
        assertTrue(git("rev-parse", "--verify", head).startsWith("warning"));
        assertEquals(1, run(head));
        assertTrue(err.toString().startsWith("jfs: the build of " + head.substring(0, 9) + " ended"), err::toString);
    }

    @Test
    void whatIsNoBenchIsAUsageError() {
        assertEquals(2, run("HEAD", "--benches", "many"));
        assertTrue(err.toString().startsWith("jfs: Invalid value for option '--benches'"), err::toString);
        assertEquals(2, run("HEAD", "--forks", "0"));
        assertTrue(err.toString().contains("--forks: 0 is not 1 or more"), err::toString);
    }

    @Test
    void aBuildThatFailsIsOneErrorWithTheEndOfItsOutput() throws Exception {
        commit("echo no compiler; exit 3");
        assertEquals(1, run("HEAD"));
        assertTrue(err.toString().startsWith("jfs: the build of "), err::toString);
        assertTrue(err.toString().contains("no compiler"), err::toString);
        assertNothingIsLeft(git("rev-parse", "HEAD").strip());
    }

    @Test
    void anEndInTheMiddleOfABuildLeavesNothing() throws Exception {
        commit(hang());
        assertNothingIsLeftByAnEnd();
    }

    /** While git makes a worktree, and has it locked, it asks the filter for the content of a file. */
    @Test
    void anEndInTheMiddleOfGitLeavesNothing() throws Exception {
        Files.writeString(project.resolve(".gitattributes"), "jfs filter=slow\n");
        Path filter = Files.writeString(folder.resolve("filter"), hang());
        git("config", "filter.slow.smudge", "sh '" + filter + "'");
        commit(JAR);
        assertNothingIsLeftByAnEnd();
    }

    /** Commands that hang. They first start a process, then make the file with its process id. */
    private String hang() {
        return "cd '" + folder + "'; sleep 300 & echo $! > pid.new && mv pid.new pid; wait";
    }

    /** Ends the program as Ctrl-C does, except that the build itself gets no signal from a terminal. */
    private void assertNothingIsLeftByAnEnd() throws Exception {
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java", "-cp",
                System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(arguments("HEAD"));
        Path output = folder.resolve("output");
        Process compare = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        try {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (!Files.exists(folder.resolve("pid"))) {
                assertTrue(compare.isAlive(), "it builds");
                assertTrue(System.nanoTime() < deadline, "it builds in time");
                Thread.onSpinWait();
            }
            compare.destroy();
            assertTrue(compare.waitFor(30, TimeUnit.SECONDS), "it ends");
            String says = Files.readString(output);
            assertFalse(says.contains("can't remove"), says);
        } finally {
            compare.destroyForcibly();
        }
        awaitEnd(Files.readString(folder.resolve("pid")).strip());
        assertNothingIsLeft(git("rev-parse", "HEAD").strip());
    }

    /** A zombie has ended too: the process that has adopted it may never ask for its exit code. */
    private static void awaitEnd(String pid) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        try {
            while (!Files.readString(Path.of("/proc", pid, "status")).contains("State:\tZ")) {
                assertTrue(System.nanoTime() < deadline, "what was started ends");
                Thread.onSpinWait();
            }
        } catch (NoSuchFileException e) {
            // It has ended.
        } catch (IOException e) {
            assertTrue(String.valueOf(e.getMessage()).contains("No such process"), e::toString); // it ended between open and read
        }
    }
}
