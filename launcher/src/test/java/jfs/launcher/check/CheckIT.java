package jfs.launcher.check;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import jfs.launcher.Programs;
import jfs.launcher.Programs.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command check says whether a connection to a server would be fast. The server's program does not notice. */
class CheckIT {

    private static final String NAMED = "jfs.upgrade.after=0";
    /** What JFS logs in a server that has had no connection, with jfs.log=all. */
    private static final String NOTHING = "jfs: 0 connections: 0 fast, 0 over TCP\n";
    private static final String REFUSED = "jfs: an offer was refused, perhaps not the only one: the peer runs as user 0, whom"
            + " jfs.allow.uids of this process does not name\n" + NOTHING;

    @TempDir
    static Path folder;

    @BeforeAll
    static void compile() throws Exception {
        Programs.compile(folder, Map.of("Server", """
                import java.io.*;
                import java.net.*;
                public class Server {
                    public static void main(String[] args) throws Exception {
                        InetAddress address = args.length == 0 ? null : InetAddress.getByName(args[0]);
                        try (ServerSocket server = new ServerSocket()) {
                            if (Boolean.getBoolean("reuse")) server.setOption(StandardSocketOptions.SO_REUSEPORT, true);
                            server.bind(new InetSocketAddress(address, args.length < 2 ? 0 : Integer.parseInt(args[1])));
                            System.out.println(server.getLocalPort());
                            Thread acceptor = new Thread(() -> serve(server));
                            acceptor.setDaemon(true);
                            acceptor.start();
                            while (System.in.read() >= 0) {}
                        }
                    }
                    private static void serve(ServerSocket server) {
                        for (;;) {
                            try (Socket accepted = server.accept()) {
                                System.out.println("accepted");
                                for (int b; (b = accepted.getInputStream().read()) >= 0;) accepted.getOutputStream().write(b);
                            } catch (IOException e) {
                                return;
                            }
                        }
                    }
                }""", "UntilFast", """
                import java.net.*;
                import jfs.stat.Stats;
                public class UntilFast {
                    public static void main(String[] args) throws Exception {
                        try (Socket client = new Socket(InetAddress.getByName("127.0.0.1"), Integer.parseInt(args[0]))) {
                            while (Stats.SWITCHED_OUT.sum() == 0) {
                                client.getOutputStream().write(1);
                                client.getInputStream().read();
                            }
                        }
                    }
                }"""));
    }

    /** A server in a JVM of its own. Closing it ends it and checks what it has said. */
    private static final class Server implements AutoCloseable {
        private final Process process;
        private final BufferedReader out;
        private final Path err;
        final String port;
        private String said = "";

        Server(List<String> by, List<String> settings, String... arguments) throws IOException {
            List<String> command = new ArrayList<>(by);
            command.addAll(Programs.bareJava());
            command.add("--enable-native-access=ALL-UNNAMED");
            command.addAll(settings);
            command.addAll(List.of("-cp", folder.toString(), "Server"));
            command.addAll(List.of(arguments));
            err = Files.createTempFile(folder, "server", ".err");
            process = Programs.process(folder, Map.of(), command).redirectError(err.toFile()).start();
            out = process.inputReader();
            port = out.readLine();
        }

        /** It has seen no connection, and has logged nothing else than this. */
        Server says(String text) {
            said = text;
            return this;
        }

        @Override
        public void close() throws Exception {
            process.outputWriter().close();
            assertTrue(process.waitFor(30, TimeUnit.SECONDS));
            String accepted = out.readLine();
            assertAll(() -> assertEquals(null, accepted), () -> assertEquals(said, Files.readString(err)));
        }
    }

    private static List<String> jfs(String... settings) {
        return List.of("-javaagent:" + Programs.JAR + "=jfs.log=all" + (settings.length == 0 ? "" : "," + String.join(",", settings)));
    }

    private static Server server(List<String> settings, String... arguments) throws IOException {
        return new Server(List.of(), settings, arguments).says(settings.isEmpty() ? "" : NOTHING);
    }

    private static Outcome check(List<String> options, String... arguments) throws Exception {
        return check(List.of(), options, arguments);
    }

    /** The same, started by another command. */
    private static Outcome check(List<String> by, List<String> options, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(by);
        command.addAll(Programs.bareJava());
        command.addAll(options);
        command.addAll(List.of("-jar", Programs.JAR, "check"));
        command.addAll(List.of(arguments));
        return Programs.run(folder, Map.of(), command);
    }

    private static void assertFast(Outcome outcome, String text) {
        assertEquals(new Outcome(0, outcome.out(), ""), outcome);
        assertTrue(outcome.out().startsWith(text), outcome.out());
    }

    private static void assertSlow(Outcome outcome, String why, String remedy) {
        assertEquals(new Outcome(1, outcome.out(), ""), outcome);
        assertTrue(outcome.out().contains("\n    why: " + why), outcome.out());
        assertTrue(outcome.out().contains("\n    what to do: " + remedy), outcome.out());
    }

    @Test
    void aServerThatTakesOffers() throws Exception {
        try (Server server = server(jfs(NAMED))) {
            String process = "process " + server.process.pid();
            assertFast(check(List.of(), "127.0.0.1", server.port), "127.0.0.1:" + server.port + ": fast over sci\n    how: " + process
                    + " listens there and takes offers, if its own settings and rules allow it\n");
            String json = "{\"host\": \"127.0.0.1\", \"port\": " + server.port + ", \"fast\": true, \"addresses\": ["
                    + "{\"address\": \"127.0.0.1\", \"listens\": true, \"fast\": true, \"transport\": \"sci\", \"reason\": null,"
                    + " \"why\": \"" + process + " listens there and takes offers, if its own settings and rules allow it\","
                    + " \"remedy\": null}]}\n";
            assertEquals(new Outcome(0, json, ""), check(List.of(), "--json", "127.0.0.1", server.port));
        }
    }

    /** A connection that comes after the question becomes fast, so the question does no harm. */
    @Test
    void aConnectionAfterTheQuestion() throws Exception {
        Process process;
        try (Server server = new Server(List.of(), List.of("-javaagent:" + Programs.JAR + "=" + NAMED))) {
            process = server.process;
            assertFast(check(List.of(), "127.0.0.1", server.port), "127.0.0.1:");
            assertEquals(new Outcome(0, "", ""), Programs.java(folder, Map.of(),
                    List.of("-javaagent:" + Programs.JAR + "=" + NAMED, "-cp", folder.toString(), "UntilFast", server.port)));
            assertEquals("accepted", server.out.readLine());
        }
        assertEquals(0, process.exitValue());
    }

    @Test
    void aServerThatHasNoNameYet() throws Exception {
        try (Server server = server(jfs())) {
            assertFast(check(List.of(), "127.0.0.1", server.port), "127.0.0.1:" + server.port + ": fast over sci\n    how: process "
                    + server.process.pid() + " runs JFS. It takes offers for this port as soon as a connection has lasted a while,"
                    + " if its own settings and rules allow it; ");
        }
    }

    @Test
    void aPlainServer() throws Exception {
        try (Server server = server(List.of())) {
            assertSlow(check(List.of(), "127.0.0.1", server.port), "NO_PEER: process " + server.process.pid()
                    + " listens there without JFS\n", "start that program under JFS\n");
        }
    }

    /** Two sockets share a port by SO_REUSEPORT. The kernel gives a connection to the one whose address is named. */
    @Test
    void aPlainServerOfOneAddressBeforeOneOfAll() throws Exception {
        List<String> reuse = new ArrayList<>(jfs(NAMED));
        reuse.add("-Dreuse=true");
        try (Server ofAll = server(reuse); Server plain = new Server(List.of(), List.of("-Dreuse=true"), "127.0.0.2", ofAll.port)) {
            assertEquals(ofAll.port, plain.port);
            assertSlow(check(List.of(), "127.0.0.2", ofAll.port), "NO_PEER: process " + plain.process.pid() + " listens",
                    "start that program");
            assertFast(check(List.of(), "127.0.0.1", ofAll.port), "127.0.0.1:" + ofAll.port + ": fast over sci\n");
        }
    }

    @Test
    void noServer() throws Exception {
        String port;
        try (Server server = server(List.of())) {
            port = server.port;
        }
        assertEquals(new Outcome(1, "127.0.0.1:" + port + ": no connection\n    why: no process listens on port " + port
                + " of this address, in this network namespace\n    what to do: start the server, or correct the host and the port\n", ""),
                check(List.of(), "127.0.0.1", port));
    }

    @Test
    void eachAddressOfAName() throws Exception {
        Path hosts = Files.writeString(folder.resolve("hosts"), "127.0.0.1 both\n127.0.0.3 both\n");
        List<String> options = List.of("-Djdk.net.hosts.file=" + hosts);
        try (Server ofOne = server(jfs(NAMED), "127.0.0.1"); Server ofAll = server(jfs(NAMED))) {
            assertEquals(2, check(options, "both", ofAll.port).out().split(": fast over sci\n", -1).length - 1);
            Outcome one = check(options, "both", ofOne.port);
            assertFast(one, "127.0.0.1:" + ofOne.port + ": fast over sci\n");
            assertTrue(one.out().contains("\n127.0.0.3:" + ofOne.port + ": no connection\n"), one.out());
        }
    }

    @Test
    void aServerWithoutNatives() throws Exception {
        try (Server server = server(List.of("-javaagent:" + Programs.JAR + "=jfs.native.dir=" + folder)).says("")) {
            assertSlow(check(List.of(), "127.0.0.1", server.port), "UNAVAILABLE: at the other end: native library: ",
                    "at the other end: run java -jar jfs.jar selftest");
        }
    }

    @Test
    void whatTheSettingsHereForbid() throws Exception {
        Path rules = Files.writeString(folder.resolve("rules"), "connect 127.0.0.1 * tcp\n");
        try (Server server = server(jfs(NAMED))) {
            assertSlow(check(List.of("-Djfs.rules=" + rules), "127.0.0.1", server.port),
                    "RULE: line 1 of jfs.rules: connect 127.0.0.1 * tcp\n", "change that line of the file that ");
            assertSlow(check(List.of("-Djfs.transport=tcp"), "127.0.0.1", server.port), "TRANSPORT_OFF: ", "set jfs.transport");
            assertSlow(check(List.of("-Djfs.native.dir=" + folder), "127.0.0.1", server.port), "UNAVAILABLE: native library: ", "run java");
        }
    }

    @Test
    void aProxyOfThisEnd() throws Exception {
        List<String> proxy = List.of("-DsocksProxyHost=127.0.0.1", "-DsocksProxyPort=1"); // which java.net does not use for loopback
        List<String> alsoHere = new ArrayList<>(proxy);
        alsoHere.add("-DsocksNonProxyHosts=");
        try (Server server = server(jfs(NAMED))) {
            assertSlow(check(alsoHere, "127.0.0.1", server.port), "PROXIED: the connection goes through a SOCKS proxy\n",
                    "connect without the proxy\n");
            assertFast(check(proxy, "127.0.0.1", server.port), "127.0.0.1:" + server.port + ": fast over sci\n");
        }
    }

    /** Java compares the exceptions, which always include loopback addresses, with the host as the program names it. */
    @Test
    void aProxyWithAnExceptionForAName() throws Exception {
        Path hosts = Files.writeString(folder.resolve("named"), "192.0.2.1 direct\n127.0.0.1 loop\n");
        List<String> options = List.of("-DsocksProxyHost=127.0.0.1", "-DsocksProxyPort=1", "-DsocksNonProxyHosts=direct",
                "-Djdk.net.hosts.file=" + hosts);
        assertSlow(check(options, "direct", "80"), "OTHER_HOST: ", "on one machine run both in one network namespace");
        assertSlow(check(options, "192.0.2.1", "80"), "PROXIED: ", "connect without the proxy\n");
        try (Server server = server(jfs(NAMED))) {
            assertSlow(check(options, "loop", server.port), "PROXIED: ", "connect without the proxy\n");
            assertFast(check(options, "127.0.0.1", server.port), "127.0.0.1:" + server.port + ": fast over sci\n");
        }
    }

    /** A connection that the server has shows what its settings say. */
    @ParameterizedTest
    @CsvSource({"jfs.transport=tcp, TRANSPORT_OFF", "jfs.rules=, RULE"})
    void whatTheSettingsOfTheServerForbid(String setting, String reason) throws Exception {
        Path rules = Files.writeString(folder.resolve("server-rules"), "accept 127.0.0.1 * tcp\n");
        String given = setting.endsWith("=") ? setting + rules : setting;
        try (Server server = new Server(List.of(), List.of("-javaagent:" + Programs.JAR + "=" + given))) {
            try (Socket client = new Socket("127.0.0.1", Integer.parseInt(server.port))) {
                client.getOutputStream().write(1);
                assertEquals(1, client.getInputStream().read());
                assertSlow(check(List.of(), "127.0.0.1", server.port), reason + ": at the other end: process " + server.process.pid()
                        + " has a connection on this port that stays on TCP: " + reason + ": ", "at the other end: ");
            }
            assertEquals("accepted", server.out.readLine());
        }
    }

    /** What starts a command as another user, who can read the jar and the classes. */
    private static List<String> as(int user) throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "setpriv, which gives a process another user, needs root");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        List<String> other = List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups");
        List<String> reads = new ArrayList<>(other);
        reads.addAll(List.of("test", "-r", Programs.JAR));
        assumeTrue(new ProcessBuilder(reads).start().waitFor() == 0, "another user can't read the jar, because of the folder it is in");
        return other;
    }

    @Test
    void aServerOfAnotherUser() throws Exception {
        try (Server server = new Server(as(1), jfs(NAMED)).says(REFUSED)) {
            assertSlow(check(List.of(), "127.0.0.1", server.port), "FOREIGN_USER: the listener's name belongs to a process of user 1,"
                    + " whom jfs.allow.uids of this process does not name; the listening socket is of user 1\n",
                    "run both as one user, or name the other user's number in jfs.allow.uids at both ends, if that is the server's user\n");
            assertSlow(check(List.of("-Djfs.allow.uids=1"), "127.0.0.1", server.port), "HUNG_UP: process " + server.process.pid()
                    + " hangs up\n", "look at the other end; jfs.allow.uids there has to name this user");
        }
    }

    /** Any user can take the name of a listener. A third user can't look into the processes, and so can't tell whether it is the server. */
    @Test
    void aNameThatIsNotOfTheServersUser() throws Exception {
        List<String> user = as(2);
        try (Server server = server(List.of())) {
            List<String> taker = new ArrayList<>(as(1));
            taker.addAll(List.of("perl", "-MSocket", "-e", "$| = 1; socket(S, AF_UNIX, SOCK_SEQPACKET, 0) && bind(S, pack('S a*',"
                    + " AF_UNIX, \"\\0jfs/1/*:" + server.port + "#0\")) && listen(S, 8) && print(\"taken\\n\") || exit 1; <STDIN>"));
            Process process = Programs.process(folder, Map.of(), taker).start();
            try {
                assumeTrue("taken".equals(process.inputReader().readLine()), "perl, which takes the name, is missing");
                assertSlow(check(user, List.of(), "127.0.0.1", server.port), "FOREIGN_USER: the listener's name belongs to a process of"
                        + " user 1, whom jfs.allow.uids of this process does not name; the listening socket is of user 0\n",
                        "run both as one user, or name the other user's number in jfs.allow.uids at both ends, if that is the server's");
            } finally {
                process.outputWriter().close();
                assertTrue(process.waitFor(30, TimeUnit.SECONDS));
            }
            assertSlow(check(user, List.of(), "127.0.0.1", server.port), "FOREIGN_USER: the server has a listening socket of user 0,"
                    + " whom jfs.allow.uids of this process does not name\n", "run both as one user, or name the other user's number");
        }
    }

    @Test
    void aServerThatIsStopped() throws Exception {
        try (Server server = server(jfs(NAMED))) {
            String process = String.valueOf(server.process.pid());
            assertEquals(0, new ProcessBuilder("kill", "-STOP", process).start().waitFor());
            Outcome outcome;
            try {
                outcome = check(List.of(), "127.0.0.1", server.port);
            } finally {
                assertEquals(0, new ProcessBuilder("kill", "-CONT", process).start().waitFor());
            }
            assertSlow(outcome, "NO_ANSWER: process " + process + " does not answer\n", "look whether that process is stopped");
        }
    }

    @Test
    void betweenHosts() throws Exception {
        Path key = key("key");
        Path other = key("other");
        Path rules = Files.writeString(folder.resolve("mx"), "connect * * mx forced\naccept * * mx forced\n");
        Path trusted = Files.writeString(folder.resolve("trusted"), "connect * * mx trusted forced\n");
        int first = 28_000 + (int) (ProcessHandle.current().pid() % 1_000);
        String ports = "jfs.hosts.ports=" + first + "-" + (first + 15);
        try (Server server = server(jfs("jfs.rules=" + rules, "jfs.hosts.key=" + key, ports))) {
            assertFast(check(List.of("-D" + ports, "-Djfs.rules=" + rules, "-Djfs.hosts.key=" + key), "127.0.0.1", server.port),
                    "127.0.0.1:" + server.port + ": fast over mx\n    how: a process there, at port ");
            assertSlow(check(List.of("-D" + ports, "-Djfs.rules=" + rules, "-Djfs.hosts.key=" + other), "127.0.0.1", server.port),
                    "WRONG_KEY: ", "give both hosts the same key file");
            assertSlow(check(List.of("-D" + ports, "-Djfs.rules=" + trusted), "127.0.0.1", server.port), "WRONG_KEY: the peer says: ",
                    "give both hosts");
            assertSlow(check(List.of("-Djfs.hosts.ports=1", "-Djfs.rules=" + rules, "-Djfs.hosts.key=" + key), "127.0.0.1", server.port),
                    "NO_RENDEZVOUS: ", "start the other program under JFS with a rule that says mx");
        }
    }

    private static Path key(String name) throws IOException {
        Path file = Files.writeString(folder.resolve(name), name.repeat(32));
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void anotherHostWithoutARule() throws Exception {
        assertSlow(check(List.of(), "192.0.2.1", "80"), "OTHER_HOST: ", "on one machine run both in one network namespace");
    }

    @Test
    void whatIsGivenWronglyIsRefused() throws Exception {
        assertEquals(new Outcome(2, "", "jfs: bad port 0; allowed is a number from 1 to 65535\n"), check(List.of(), "127.0.0.1", "0"));
        assertEquals(new Outcome(2, "", "jfs: check needs PORT; use: java -jar jfs.jar check [-h] [--json] HOST PORT\n"),
                check(List.of(), "127.0.0.1"));
        assertEquals(new Outcome(2, "", "jfs: bad setting jfs.log=loud; allowed is one of off, fallback, all\n"),
                check(List.of("-Djfs.log=loud"), "127.0.0.1", "80"));
    }
}
