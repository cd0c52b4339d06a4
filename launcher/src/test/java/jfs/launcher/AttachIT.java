package jfs.launcher;

import static jfs.launcher.Programs.JAR;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import jfs.launcher.Programs.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code java -jar jfs.jar attach}: what the command prints, and that the target program goes on as before. */
class AttachIT {

    private static final String DONE = "uses JFS for new sockets from now on; sockets that exist already stay as they are\n";

    @TempDir
    static Path classes;

    @BeforeAll
    static void compile() throws Exception {
        Programs.compile(classes, Map.of("Talk", Programs.TALK, "Serves", """
                import java.io.*;
                import java.net.*;
                import javax.net.ssl.*;
                public class Serves {
                    // Both kinds of listening socket, old and new, have to accept; one round for each line on stdin.
                    public static void main(String[] args) throws Exception {
                        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
                        ServerSocket plain = new ServerSocket(0);
                        ServerSocket tls = tls();
                        System.out.println("ready");
                        while (in.readLine() != null) {
                            String kinds = accept(plain) + accept(tls);
                            try (ServerSocket newPlain = new ServerSocket(0);
                                    ServerSocket newTls = tls();
                                    Foreseeing own = new Foreseeing()) {
                                System.out.println(kinds + " " + accept(newPlain) + accept(newTls) + accept(own));
                            }
                        }
                        Talk.main(args);
                    }
                    static ServerSocket tls() throws Exception {
                        return SSLContext.getDefault().getServerSocketFactory().createServerSocket(0);
                    }
                    static String accept(ServerSocket listening) throws Exception {
                        try (Socket client = new Socket("localhost", listening.getLocalPort());
                                Socket accepted = listening.accept()) {
                            client.setSoTimeout(10_000);
                            if (accepted instanceof SSLSocket) return "s";
                            accepted.getOutputStream().write(1);
                            if (client.getInputStream().read() != 1) throw new IOException();
                            return "p";
                        }
                    }
                    static class Foreseeing extends ServerSocket {
                        Foreseeing() throws IOException { super(0); }
                        @Override public Socket accept() throws IOException {
                            Socket socket = new Socket() { };
                            implAccept(socket);
                            return socket;
                        }
                    }
                }"""));
    }

    /** A running program that makes one round of connections whenever the test asks for it. */
    private static final class Target implements AutoCloseable {
        private final Process process;
        private final BufferedReader out;
        private final Path err;

        Target(String... options) throws Exception {
            err = Files.createTempFile("target", ".err");
            List<String> command = Programs.bareJava();
            command.addAll(List.of("-cp", JAR + ":" + classes));
            command.addAll(List.of(options));
            command.add("Serves");
            process = Programs.process(classes, Map.of(), command).redirectError(err.toFile()).start();
            out = process.inputReader();
            assertEquals("ready", out.readLine(), this::err);
        }

        String pid() {
            return Long.toString(process.pid());
        }

        void assertRound() throws IOException {
            process.outputWriter().write("\n");
            process.outputWriter().flush();
            assertEquals("ps psp", out.readLine(), this::err);
        }

        /** Lets the program end. Returns its stderr, without the JVM's own warnings of agents that are loaded late (JEP 451). */
        String end(String talk) throws Exception {
            process.getOutputStream().close();
            assertEquals(talk, out.readLine() + "\n" + out.readLine() + "\n");
            assertTrue(process.waitFor(20, TimeUnit.SECONDS));
            assertEquals(0, process.exitValue(), this::err);
            return err().lines().filter(line -> !line.startsWith("WARNING: ")).map(line -> line + "\n")
                    .reduce("", String::concat);
        }

        String err() {
            try {
                return Files.readString(err);
            } catch (IOException e) {
                return e.toString();
            }
        }

        @Override
        public void close() throws Exception {
            process.destroyForcibly().waitFor();
            Files.delete(err);
        }
    }

    @Test
    void socketsAreJfssFromThenOn() throws Exception {
        try (Target target = new Target()) {
            target.assertRound();
            assertEquals(new Outcome(0, "jfs: process " + target.pid() + " " + DONE, ""), attach(target.pid()));
            target.assertRound();
            assertEquals("jfs: this JVM " + DONE, target.end("true\ntrue\n"));
        }
    }

    @Test
    void attachingAgainIsRefused() throws Exception {
        try (Target target = new Target()) {
            assertEquals(0, attach(target.pid()).exitCode());
            assertFailed(attach(target.pid()), "process " + target.pid() + " is unchanged: already installed in this JVM\n");
            target.assertRound();
            assertEquals("jfs: this JVM " + DONE + "jfs: already installed in this JVM\n", target.end("true\ntrue\n"));
        }
    }

    @Test
    void attachingToOneOfOursIsRefused() throws Exception {
        try (Target target = new Target("-javaagent:" + JAR)) {
            assertFailed(attach(target.pid()), "process " + target.pid() + " is unchanged: already installed in this JVM\n");
            target.assertRound();
            assertEquals("jfs: already installed in this JVM\n", target.end("true\ntrue\n"));
        }
    }

    @Test
    void settingsComeAlong() throws Exception {
        try (Target target = new Target()) {
            assertFailed(attach(target.pid(), "jfs.poll.micros=soon"), "bad setting jfs.poll.micros=soon; allowed is");
            target.assertRound();
            assertEquals(0, attach(target.pid(), "jfs.transport=sci,tcp", "jfs.log=all").exitCode(), "nothing was left behind");
            target.assertRound();
            String said = target.end("true\ntrue\n");
            assertTrue(said.startsWith("jfs: bad setting jfs.poll.micros=soon; allowed is a whole number from 0 to 1000000\n"
                    + "jfs: this JVM " + DONE + "jfs: "), said);
        }
    }

    @Test
    void aJvmThatTakesNoAgentsIsSaid() throws Exception {
        try (Target target = new Target("-XX:-EnableDynamicAgentLoading")) {
            Outcome outcome = attach(target.pid());
            assertFailed(outcome, "process " + target.pid() + " can't load " + JAR);
            assertFailed(outcome, "Dynamic agent loading is not enabled");
            assertEquals("", target.end("false\nfalse\n"));
        }
    }

    /** Such a JVM does not catch SIGQUIT, so the signal would end it. */
    @Test
    void aJvmThatUsesNoSignalsStaysAlive() throws Exception {
        try (Target target = new Target("-Xrs")) {
            assertFailed(attach(target.pid()),
                    "process " + target.pid() + " is a JVM that can't be attached to: it doesn't catch SIGQUIT\n");
            target.assertRound();
            assertEquals("", target.end("false\nfalse\n"));
        }
    }

    @Test
    void anAttacherWithoutTheModuleSaysSo() throws Exception {
        assertFailed(run("--limit-modules", "java.base", "-jar", JAR, "attach", Long.toString(ProcessHandle.current().pid())),
                "attaching needs the module jdk.attach");
    }

    /** JDK 17's attach signal would end both: the first process does not catch it, the second one exits when it catches it. */
    @Test
    void aProcessOfAnotherUserIsRefused() throws Exception {
        List<String> asUser = asUser();
        String own = String.valueOf(ProcessHandle.current().pid());
        assertEquals(new Outcome(1, "", "jfs: process " + own + " is of another user: only that user, and root, may attach to it\n"),
                Programs.java(classes, Map.of(), asUser, List.of("-jar", JAR, "attach", own)));
    }

    /** What starts a command as another user, who can read the jar. */
    private static List<String> asUser() throws Exception {
        List<String> asUser = List.of("setpriv", "--reuid=12345", "--regid=12345", "--clear-groups");
        List<String> reads = new ArrayList<>(asUser);
        reads.addAll(List.of("test", "-r", JAR));
        assumeTrue(new ProcessBuilder(reads).start().waitFor() == 0, "another user who can read the jar needs root");
        return asUser;
    }

    /** A process that gives up root without an exec is not dumpable, like a java with setcap. */
    @Test
    void anUndumpableProcessIsNotSaidToBeOfAnotherUser() throws Exception {
        assumeTrue(!Files.readString(Path.of("/proc/sys/fs/suid_dumpable")).startsWith("1"), "here such a process stays dumpable");
        assertProtected("env", "perl", "-MPOSIX", "-e", "$| = 1; POSIX::setgid(12345) && POSIX::setuid(12345)"
                + " && print(\"ready\\n\") || exit 1; <STDIN>");
    }

    @Test
    void aProcessOfAnotherGroupIsNotSaidToBeOfAnotherUser() throws Exception {
        assertProtected("setpriv", "--reuid=12345", "--regid=12346", "--clear-groups", "sh", "-c", "echo ready; read line");
    }

    private static void assertProtected(String... command) throws Exception {
        List<String> asUser = asUser();
        Process process = new ProcessBuilder(command).start();
        try {
            assumeTrue("ready".equals(process.inputReader().readLine()), () -> "can't run " + List.of(command));
            String why = "jfs: the kernel lets only root look into process " + process.pid() + ": its java has capabilities of its own"
                    + " (setcap), it has another group, or it has made itself undumpable\n";
            for (String name : List.of("attach", "status")) {
                assertEquals(new Outcome(1, "", why), Programs.java(classes, Map.of(), asUser,
                        List.of("-jar", JAR, name, String.valueOf(process.pid()))));
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "trap 'exit 5' QUIT; "})
    void whatIsNoJvmStaysAlive(String trap) throws Exception {
        Process process = new ProcessBuilder("bash", "-c", trap + "echo ready; read line; exit 0").start();
        try {
            assertEquals("ready", process.inputReader().readLine());
            assertFailed(attach(Long.toString(process.pid())),
                    "process " + process.pid() + " is not a JVM: it has no libjvm.so mapped\n");
            process.getOutputStream().close();
            assertTrue(process.waitFor(20, TimeUnit.SECONDS));
            assertEquals(0, process.exitValue());
        } finally {
            process.destroyForcibly();
        }
        assertFailed(attach(Long.toString(process.pid())), "there is no process " + process.pid() + " here\n");
    }

    @Test
    void whatIsNoRequestIsRefused() throws Exception {
        assertRefused(attach(), "attach needs PID; use: ");
        assertRefused(attach("-1"), "attach needs the process id of a JVM, not -1");
        assertRefused(attach("Talk"), "attach needs the process id of a JVM, not Talk");
        assertRefused(attach("1", "loud"), "bad agent argument loud; allowed is a comma separated list");
    }

    private static Outcome attach(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("-jar", JAR, "attach"));
        command.addAll(List.of(arguments));
        return run(command.toArray(new String[0]));
    }

    private static Outcome run(String... arguments) throws Exception {
        return Programs.bareJava(classes, Map.of(), List.of(arguments));
    }

    private static void assertRefused(Outcome outcome, String words) {
        assertOneLine(2, outcome, words);
    }

    private static void assertFailed(Outcome outcome, String words) {
        assertOneLine(1, outcome, words);
    }

    private static void assertOneLine(int exitCode, Outcome outcome, String words) {
        assertAll(
                () -> assertEquals(exitCode, outcome.exitCode()),
                () -> assertEquals("", outcome.out()),
                () -> assertTrue(outcome.err().startsWith("jfs: "), outcome.err()),
                () -> assertTrue(outcome.err().contains(words), outcome.err()),
                () -> assertEquals(1, outcome.err().lines().count(), outcome.err()));
    }
}
