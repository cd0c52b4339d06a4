package jfs.launcher.status;

import static jfs.launcher.status.StatusPrograms.agent;
import static jfs.launcher.status.StatusPrograms.assertEventually;
import static jfs.launcher.status.StatusPrograms.assertHas;
import static jfs.launcher.status.StatusPrograms.number;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import jfs.launcher.Programs;
import jfs.launcher.Programs.Outcome;
import jfs.launcher.status.StatusPrograms.Running;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command status shows the connections of running programs: which are fast, and why others are not. */
class StatusIT {

    @TempDir
    static Path classes;

    @BeforeAll
    static void compile() throws Exception {
        StatusPrograms.compile(classes);
    }

    private static String status(String... arguments) throws Exception {
        return StatusPrograms.status(classes, arguments);
    }

    @Test
    void aLiveConnectionIsFastAndItsBytesGrow() throws Exception {
        try (Running server = new Running(classes, agent("jfs.upgrade.after=1"), "Echo");
                Running client = new Running(classes, agent("jfs.upgrade.after=1"), "Talk", server.first)) {
            String text;
            do {
                client.talk(100);
                text = status(client.pid());
            } while (!text.contains("1 fast"));
            client.talk(1_000);
            text = status(client.pid());
            assertHas(text, "Socket, ");
            assertHas(text, "fast over sci");
            assertHas(text, "-> 127.0.0.1:" + server.first);
            assertHas(text, "out by the path, ");
            assertHas(status(server.pid()), "<- 127.0.0.1:");
            long before = number(status(client.pid(), "--json"), "\"out\": \\{\"phase\": \"FAST\", \"bytes\": (\\d+)");
            client.talk(50);
            assertEquals(before + 50, number(status(client.pid(), "--json"), "\"out\": \\{\"phase\": \"FAST\", \"bytes\": (\\d+)"));
            assertEquals(before + 50, number(status(client.pid(), "--json"), "\"in\": \\{\"phase\": \"FAST\", \"bytes\": (\\d+)"));
            assertHas(status(), client.pid() + " Talk: 1 connection, 1 fast\n");
            assertHas(status("--prometheus"), "jfs_open_fast_connections{pid=\"" + client.pid() + "\",program=\"Talk\"} 1\n");
        }
    }

    @Test
    void aPlainPeer() throws Exception {
        try (Running server = new Running(classes, List.of(), "Echo");
                Running client = new Running(classes, agent("jfs.upgrade.after=1"), "Talk", server.first)) {
            String text;
            do {
                client.talk(10);
                text = status(client.pid());
            } while (!text.contains("why: NO_PEER: "));
            assertHas(text, "over TCP");
            assertHas(text, "; the other end is of process " + server.pid() + ", Echo\n");
            assertHas(text, "what to do: start the other program under JFS, in this network namespace, and ");
            assertSameRemedy(client, "start the other program under JFS, in this network namespace, and ");
        }
    }

    /** A program that reads JSON is told the same as a person. */
    private static void assertSameRemedy(Running program, String begin) throws Exception {
        String remedy = status(program.pid()).lines().map(String::strip).filter(it -> it.startsWith("what to do: " + begin)).findFirst()
                .orElseThrow().substring("what to do: ".length());
        assertHas(status(program.pid(), "--json"), "\"remedy\": \"" + remedy + "\"");
    }

    @Test
    void tooFewRequestsYet() throws Exception {
        try (Running server = new Running(classes, agent(), "Echo"); Running client = new Running(classes, agent(), "Talk", server.first)) {
            client.talk(10);
            assertHas(status(client.pid()), "why: it has had 9 of the 400 requests and answers after which JFS offers it\n");
            assertHas(status(server.pid()), "why: it has had 10 of the 12 requests and answers after which offers can find it\n");
        }
    }

    @Test
    void aRuleAtThisEndAndAtTheOther() throws Exception {
        Path rules = java.nio.file.Files.writeString(classes.resolve("rules"), "connect * * tcp\naccept * * tcp\n");
        try (Running server = new Running(classes, agent("jfs.rules=" + rules, "jfs.upgrade.after=1"), "Echo");
                Running client = new Running(classes, agent("jfs.upgrade.after=1"), "Talk", server.first)) {
            assertEventually(classes, client, "why: the other end, process " + server.pid() + ", says: RULE: line 2 of jfs.rules: ");
            assertHas(status(client.pid()), "what to do: at the other end: ");
            assertHas(status(server.pid()), "why: RULE: line 2 of jfs.rules: accept * * tcp\n");
        }
    }

    @Test
    void switchedOff() throws Exception {
        try (Running server = new Running(classes, agent("jfs.upgrade.after=1"), "Echo");
                Running client = new Running(classes, agent("jfs.transport=tcp"), "Talk", server.first)) {
            client.talk(10);
            assertHas(status(client.pid()), "why: TRANSPORT_OFF: ");
        }
    }

    @Test
    void outOfReach() throws Exception {
        try (Running server = new Running(classes, List.of(), "Echo");
                Running client = new Running(classes, agent("jfs.nio=off"), "Channel", server.first)) {
            String line = status(client.pid()).lines().findFirst().orElseThrow();
            assertTrue(line.startsWith(client.pid() + " Channel: ") && line.endsWith("; 1 that JFS can't reach"), line);
            assertHas(status(client.pid()), "what to do: look what connects there: JFS can't reach SocketChannels with jfs.nio=off, ");
            assertHas(status("--json", client.pid()), "\"outOfReach\": 1,");
            assertSameRemedy(client, "look what connects there: ");
        }
    }

    @Test
    void aChannel() throws Exception {
        try (Running server = new Running(classes, List.of(), "Echo");
                Running client = new Running(classes, agent(), "Channel", server.first)) {
            assertHas(status(client.pid()), "-> 127.0.0.1:" + server.first + " SocketChannel, ");
        }
    }

    @Test
    void nativesMissing() throws Exception {
        try (Running server = new Running(classes, agent(), "Echo");
                Running client = new Running(classes, agent("jfs.native.dir=" + classes), "Talk", server.first)) {
            client.talk(10);
            assertHas(status(client.pid()), "no connection can be fast: native library: ");
        }
    }

    /** Without natives and without a folder for its file there is no table, and the program does not notice. */
    @Test
    void aProcessWithoutATable() throws Exception {
        List<String> options = new ArrayList<>(agent("jfs.native.dir=" + classes));
        options.add("-Djava.io.tmpdir=" + classes.resolve("none"));
        try (Running server = new Running(classes, agent(), "Echo"); Running client = new Running(classes, options, "Talk", server.first)) {
            client.talk(10);
            assertHas(status(client.pid()), client.pid() + " Talk: it has jfs.jar, and no table of connections: ");
        }
    }

    @Test
    void aProgramWithoutSockets() throws Exception {
        try (Running program = new Running(classes, agent(), "Idle")) {
            assertHas(status(), program.pid() + " Idle: it has jfs.jar, and no table of connections: ");
            assertSameRemedy(program, "nothing before it connects; ");
        }
    }

    @Test
    void whatCannotBeShownIsTold() throws Exception {
        try (Running program = new Running(classes, List.of(), "Idle")) {
            Outcome outcome = Programs.java(classes, Map.of(), List.of(), List.of("-jar", Programs.JAR, "status", program.pid()));
            assertEquals(new Outcome(1, "", "jfs: process " + program.pid() + " does not use JFS: it has no jfs.jar open\n"), outcome);
            assertFalse(status().contains(program.pid() + " "));
        }
        Outcome outcome = Programs.java(classes, Map.of(), List.of(), List.of("-jar", Programs.JAR, "status", "0"));
        assertEquals(new Outcome(2, "", "jfs: bad process id 0; allowed is the number of a process\n"), outcome);
    }

    /** What the client has not read waits in its ring. Both ends tell how much it is. */
    @Test
    void bytesThatWaitInTheRing() throws Exception {
        try (Running server = new Running(classes, agent("jfs.upgrade.after=1"), "Echo");
                Running client = new Running(classes, agent("jfs.upgrade.after=1"), "Talk", server.first)) {
            assertEventually(classes, client, "fast over sci");
            client.talk(1_000); // both directions switch
            assertHas(status(client.pid()), "in  by the path, ");
            assertHas(status(client.pid()), ", 0 bytes wait in a ring of 1024 KB");
            client.talk(-3_000);
            while (number(status(server.pid(), "--json"), "\"out\": \\{[^}]*\"waiting\": (\\d+)") < 3_000) { // the server is not done
            }
            assertEquals(3_000, number(status(client.pid(), "--json"), "\"in\": \\{[^}]*\"waiting\": (\\d+)"));
            assertEquals(1 << 20, number(status(client.pid(), "--json"), "\"ring\": (\\d+),"));
            assertEquals(Long.parseLong(server.pid()), number(status(client.pid(), "--json"), "\"otherPid\": (\\d+),"));
            assertHas(status(client.pid()), ", 3000 bytes wait in a ring of 1024 KB");
            String totals = status("--prometheus");
            assertHas(totals, "jfs_waiting_bytes{pid=\"" + client.pid() + "\",program=\"Talk\",direction=\"in\"} 3000\n");
            assertHas(totals, "jfs_waiting_bytes{pid=\"" + server.pid() + "\",program=\"Echo\",direction=\"out\"} 3000\n");
            assertHas(totals, "jfs_ring_bytes{pid=\"" + client.pid() + "\",program=\"Talk\"} 1048576\n");
        }
    }

    @Test
    void waitsInASelector() throws Exception {
        try (Running server = new Running(classes, agent("jfs.upgrade.after=1"), "Echo");
                Running client = new Running(classes, agent("jfs.upgrade.after=1", "jfs.nio=on"), "Select", server.first)) {
            assertEventually(classes, client, "fast over sci");
            client.talk(100); // both directions switch
            long before = waits(client);
            client.talk(10_000);
            long more = waits(client) - before;
            assertTrue(more > 0 && more <= 10_000, "waits: " + more);
        }
    }

    private static long waits(Running client) throws Exception {
        String json = status(client.pid(), "--json");
        return number(json, "\"in\": \\{[^}]*\"polled\": (\\d+)") + number(json, "\"in\": \\{[^}]*\"slept\": (\\d+)");
    }

    /** Of many connections those with the most bytes are shown, and of the others the numbers. */
    @Test
    void manyConnections() throws Exception {
        try (Running program = new Running(classes, agent(), "Many", "15")) {
            String text = status(program.pid());
            assertHas(text, program.pid() + " Many: 30 connections, 0 fast\n");
            assertHas(text.lines().limit(5).toList().toString(), " 15 bytes");
            assertEquals(20, text.lines().filter(it -> it.contains(" Socket, ")).count(), text);
            assertHas(text, "  10 more connections with fewer bytes each, 0 bytes together: 0 fast, 10 over TCP (no reason so far);"
                    + " --all shows them\n");
            assertEquals(30, status(program.pid(), "--all").lines().filter(it -> it.contains(" Socket, ")).count());
        }
    }

    /** Of 6000 ends that the program forgets, a part has a row at any time. */
    @Test
    void connectionsThatTheProgramForgot() throws Exception {
        try (Running program = new Running(classes, agent(), "Forget")) {
            int rows = Integer.parseInt(program.first);
            assertTrue(rows >= 200 && rows <= 2_400, "rows: " + rows);
            assertHas(status(program.pid()), "so far 6000 connections, ");
        }
    }

    /** On a terminal, each look takes the place of the one before it, and an interrupt leaves the terminal as it was. */
    @Test
    void watchOnATerminal() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "there is no script(1), which makes a terminal");
        try (Running server = new Running(classes, agent("jfs.upgrade.after=1"), "Echo");
                Running client = new Running(classes, agent("jfs.upgrade.after=1"), "Talk", server.first)) {
            assertEventually(classes, client, "fast over sci");
            Process terminal = Programs.process(classes, Map.of(), List.of("script", "--quiet", "--return", "--command",
                    "stty rows 10; exec env --default-signal=INT " // a shell's background jobs ignore Ctrl-C, and their children do too
                            + Programs.tool("java") + " -jar " + Programs.JAR + " status " + client.pid() + " --watch=1",
                    "/dev/null")).start();
            StringBuilder seen = new StringBuilder();
            Reader out = terminal.inputReader();
            while (!seen.toString().contains(" waits, ")) { // the second look has the rates
                int next = out.read();
                assertTrue(next >= 0, seen::toString);
                if (next == '\n') {
                    client.talk(10);
                }
                seen.append((char) next);
            }
            terminal.outputWriter().write(3); // Ctrl-C
            terminal.outputWriter().flush();
            for (int next = out.read(); next >= 0; next = out.read()) {
                seen.append((char) next);
            }
            assertEquals(130, terminal.waitFor());
            String text = seen.toString();
            assertHas(text, "\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[H" + client.pid() + " Talk: 1 connection, 1 fast\u001b[K");
            assertTrue(text.endsWith("\u001b[?7h\u001b[?25h\u001b[?1049l"), text);
            assertFalse(text.contains("\u001b[2J"), text); // which flickers
            assertTrue(Pattern.compile(", [0-9.]+ (bytes|KB|MB)/s ").matcher(text).find(), text);
        }
    }

    /** Any process may have a pipe of that name. To open it would wait for a writer. */
    @Test
    void aPipeThatIsNamedAsATable() throws Exception {
        String pipe = "mkfifo jfs-connections-1 && exec 4<>jfs-connections-1 3<jfs-connections-1 4>&- && rm jfs-connections-1 && echo ready"
                + " && read -r end";
        Process holder = Programs.process(classes, Map.of(), List.of("sh", "-c", pipe)).start();
        try {
            assertEquals("ready", holder.inputReader().readLine());
            String all = status();
            assertFalse(all.startsWith(holder.pid() + " ") || all.contains("\n" + holder.pid() + " "), all);
        } finally {
            holder.outputWriter().close();
            assertTrue(holder.waitFor(30, TimeUnit.SECONDS));
        }
    }

    @ParameterizedTest
    @CsvSource({"java -cp a:b Main x, Main", "java -jar lib/app.jar, app.jar", "java -jar jfs.jar run -cp a Main, Main",
        "java --add-opens java.base/java.nio=ALL-UNNAMED Main, Main", "java --add-exports java.base/sun.nio.ch=m -m m/Main, Main",
        "java --add-modules java.sql --limit-modules java.base Main, Main", "java --enable-native-access ALL-UNNAMED Main, Main",
        "java --patch-module a=b --add-reads a=b --upgrade-module-path c Main, Main", "java @options Main, Main", "java @all, @all",
        "java -version, ?"})
    void theNameOfAProgram(String command, String name) {
        assertEquals(name, JfsProcess.program(List.of(command.split(" "))));
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, 127.0.0.1:80", "0:0:0:0:0:0:0:1, [::1]:80", "0:0:0:0:0:0:0:0, [::]:80",
        "fe80:0:0:0:1:0:0:2%eth0, [fe80::1:0:0:2%eth0]:80",
        "2001:db8:0:0:0:0:0:0, [2001:db8::]:80", "10:0:20:0:0:300:0:1, [10:0:20::300:0:1]:80", "1:2:3:4:5:6:7:8, [1:2:3:4:5:6:7:8]:80"})
    void anAddressWithItsPort(String address, String text) {
        assertEquals(text, Addresses.text(address, 80));
    }

    /** In a pipe whose reader has read enough. */
    @Test
    void nobodyReadsTheWatch() throws Exception {
        try (Running program = new Running(classes, agent(), "Idle")) {
            Process watch = Programs.process(classes, Map.of(),
                    List.of(Programs.tool("java"), "-jar", Programs.JAR, "status", program.pid(), "--watch=1")).start();
            try {
                assertHas(watch.inputReader().readLine(), program.pid() + " Idle: ");
                watch.inputReader().close();
                assertTrue(watch.waitFor(30, TimeUnit.SECONDS));
                assertEquals(0, watch.exitValue());
            } finally {
                watch.destroyForcibly();
            }
        }
    }

    @Test
    void whatATerminalIsTooSmallFor() {
        assertEquals("\u001b[Ha\u001b[K\nb\u001b[K\u001b[J", Screen.page("a\nb\n", 2));
        assertEquals("\u001b[Ha\u001b[K\n... 2 more lines\u001b[K\u001b[J", Screen.page("a\nb\nc\n", 2));
        assertEquals("\u001b[H... 3 more lines\u001b[K\u001b[J", Screen.page("a\nb\nc\n", 1));
    }

    /** The processes that are watched may end at any time. In a pipe the looks follow one another. */
    @Test
    void theWatchedProcessEnds() throws Exception {
        try (Running program = new Running(classes, agent(), "Idle")) {
            Process watch = Programs.process(classes, Map.of(),
                    List.of(Programs.tool("java"), "-jar", Programs.JAR, "status", program.pid(), "--watch=1")).start();
            assertHas(watch.inputReader().readLine(), program.pid() + " Idle: it has jfs.jar, and no table of connections: ");
            program.close();
            assertEquals("jfs: there is no process " + program.pid() + " here", watch.errorReader().readLine());
            assertEquals(1, watch.waitFor());
        }
    }
}
