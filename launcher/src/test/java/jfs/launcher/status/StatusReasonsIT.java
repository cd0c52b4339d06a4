package jfs.launcher.status;

import static jfs.launcher.status.StatusPrograms.agent;
import static jfs.launcher.status.StatusPrograms.assertEventually;
import static jfs.launcher.status.StatusPrograms.assertHas;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;
import jfs.launcher.Programs;
import jfs.launcher.status.StatusPrograms.Running;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command status names the reason, and what to do, at both ends, in situations that need other users, networks, limits or builds. */
class StatusReasonsIT {

    private static final String USER = "12345";
    private static final String SERVERS = "10.213.9.1";
    private static final Path VERSIONS = Path.of("../java/src/main/java/jfs/negotiation/handshake/Versions.java");

    @TempDir
    static Path classes;

    @BeforeAll
    static void compile() throws Exception {
        Files.setPosixFilePermissions(classes, PosixFilePermissions.fromString("rwxr-xr-x"));
        StatusPrograms.compile(classes);
    }

    private static String status(Running program) throws Exception {
        return StatusPrograms.status(classes, program.pid());
    }

    private static void assume(String why, String... command) throws Exception {
        assumeTrue(succeeds(command), why);
    }

    private static boolean succeeds(String... command) throws Exception {
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
    }

    private static List<String> at(Process namespace, String... command) {
        List<String> all = new ArrayList<>(List.of("nsenter", "--net", "--target", String.valueOf(namespace.pid())));
        all.addAll(List.of(command));
        return all;
    }

    private static void run(List<String> command) throws Exception {
        assertTrue(succeeds(command.toArray(String[]::new)), command::toString);
    }

    /** Precedes a command that another user is to run. */
    private static List<String> asUser() throws Exception {
        List<String> asUser = List.of("setpriv", "--reuid=" + USER, "--regid=" + USER, "--clear-groups");
        List<String> reads = new ArrayList<>(asUser);
        reads.addAll(List.of("test", "-r", Programs.JAR, "-a", "-r", classes.resolve("Echo.class").toString()));
        assume("another user needs root, and a folder that this user may read", reads.toArray(String[]::new));
        return asUser;
    }

    /** A process in a network namespace of its own, which ends with it. */
    private static Process namespace() throws Exception {
        assume("a network namespace needs root", "unshare", "--net", "true");
        Process made = new ProcessBuilder("unshare", "--net", "sh", "-c", "ip link set dev lo up && echo up && exec cat").start();
        assertEquals("up", made.inputReader().readLine());
        return made;
    }

    @Test
    void anotherUser() throws Exception {
        List<String> asUser = asUser();
        try (Running server = new Running(asUser, classes, agent("jfs.upgrade.after=1"), "Echo");
                Running client = new Running(classes, agent("jfs.upgrade.after=1"), "Talk", server.first)) {
            assertEventually(classes, client, "why: FOREIGN_USER: ");
            assertHas(status(client), "what to do: run both as one user, or name the other user's number in jfs.allow.uids at both ends,"
                    + " if that is the server's user\n");
            assertHas(status(server), "why: the other end, process " + client.pid() + ", says: FOREIGN_USER: ");
            assertHas(status(server), "what to do: at the other end: run both as one user, or name the other user's number in ");
        }
    }

    /** The other end belongs to a user into whose processes this one may not look. */
    @Test
    void anotherUserWhoMayNotLook() throws Exception {
        List<String> asUser = asUser();
        try (Running server = new Running(asUser, classes, agent("jfs.upgrade.after=1"), "Echo");
                Running client = new Running(classes, agent("jfs.upgrade.after=1"), "Talk", server.first)) {
            assertEventually(classes, client, "why: FOREIGN_USER: ");
            String text = Programs.java(classes, Map.of(), asUser, List.of("-jar", Programs.JAR, "status")).out();
            assertHas(text, server.pid() + " Echo: 1 connection, 0 fast\n");
            assertHas(text, "why: no offer of its client has come so far\n    what to do: ask status for its client's process, ");
            assertTrue(!text.contains(client.pid() + " Talk"), text);
        }
    }

    @Test
    void anotherNetworkNamespace() throws Exception {
        Process servers = namespace();
        Process clients = namespace();
        try {
            assume("a wire between two network namespaces is not possible here", "ip", "link", "add", "name", "jfs1", "netns",
                    String.valueOf(servers.pid()), "type", "veth", "peer", "name", "jfs1", "netns", String.valueOf(clients.pid()));
            run(at(servers, "ip", "address", "add", SERVERS + "/24", "dev", "jfs1"));
            run(at(clients, "ip", "address", "add", "10.213.9.2/24", "dev", "jfs1"));
            run(at(servers, "ip", "link", "set", "dev", "jfs1", "up"));
            run(at(clients, "ip", "link", "set", "dev", "jfs1", "up"));
            try (Running server = new Running(at(servers), classes, agent("jfs.upgrade.after=1"), "Echo", "0.0.0.0");
                    Running client = new Running(at(clients), classes, agent("jfs.upgrade.after=1"), "Talk", server.first, SERVERS)) {
                assertEventually(classes, client, "why: OTHER_HOST: ");
                assertHas(status(client), "what to do: on one machine run both in one network namespace, as the containers of a pod; ");
                assertHas(status(server), "  " + SERVERS + ":" + server.first + " <- 10.213.9.2:");
                assertHas(status(server), "why: the other end, process " + client.pid() + ", says: OTHER_HOST: ");
            }
        } finally {
            servers.destroyForcibly().waitFor();
            clients.destroyForcibly().waitFor();
        }
    }

    /** The command finds the kernel's list of the processes' own namespace. */
    @Test
    void bothInAnotherNetworkNamespace() throws Exception {
        Process namespace = namespace();
        try (Running server = new Running(at(namespace), classes, agent("jfs.upgrade.after=1"), "Echo");
                Running client = new Running(at(namespace), classes, agent("jfs.upgrade.after=1"), "Talk", server.first)) {
            assertEventually(classes, client, "fast over sci");
            assertHas(status(client), " -> 127.0.0.1:" + server.first + " Socket, ");
            assertHas(status(server), "  127.0.0.1:" + server.first + " <- 127.0.0.1:");
        } finally {
            namespace.destroyForcibly().waitFor();
        }
    }

    @Test
    void theLimitOfSharedMemory() throws Exception {
        try (Running server = new Running(classes, agent("jfs.upgrade.after=1", "jfs.memory.max=4K"), "Echo");
                Running client = new Running(classes, agent("jfs.upgrade.after=1"), "Talk", server.first)) {
            String why = "NO_RESOURCES: the connections of this process hold all the shared memory that is allowed, 4096 bytes";
            assertEventually(classes, client, "why: the other end, process " + server.pid() + ", says: " + why);
            assertHas(status(client), "what to do: at the other end: raise the limit that the reason names; ");
            assertHas(status(server), "why: " + why + " (jfs.memory.max)\n    what to do: raise the limit that the reason names; ");
        }
    }

    @Test
    void theLimitOfDescriptors() throws Exception {
        List<String> options = new ArrayList<>(agent("jfs.upgrade.after=1"));
        options.add("-XX:-MaxFDLimit"); // otherwise the JVM raises the limit
        try (Running server = new Running(classes, agent("jfs.upgrade.after=1"), "Echo");
                Running client = new Running(List.of("prlimit", "--nofile=20:4096"), classes, options, "Talk", server.first)) {
            String why = "NO_RESOURCES: more than 10 descriptors are in use, half of RLIMIT_NOFILE\n";
            assertEventually(classes, client, "why: " + why);
            assertHas(status(client), "what to do: raise the limit of descriptors of its process: ulimit -n 65536 ");
            assertHas(status(server), "why: the other end, process " + client.pid() + ", says: " + why);
        }
    }

    @Test
    void anotherVersion() throws Exception {
        Path made = Files.createDirectory(classes.resolve("version"));
        String text = Files.readString(VERSIONS);
        String ours = "OURS = new Versions(1, 3)";
        assertTrue(text.contains(ours), text);
        Path source = Files.writeString(made.resolve("Versions.java"), text.replace(ours, "OURS = new Versions(4, 5)"));
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, "--release", "17", "-proc:none", "-implicit:none", "-cp",
                Programs.JAR, "-d", made.toString(), source.toString()));
        Path jar = Files.copy(Path.of(Programs.JAR), made.resolve("jfs.jar"));
        run(List.of(Programs.tool("jar"), "--update", "--file", jar.toString(), "-C", made.toString(),
                "jfs/negotiation/handshake/Versions.class"));
        try (Running server = new Running(classes, List.of("-javaagent:" + jar + "=jfs.upgrade.after=1"), "Echo");
                Running client = new Running(classes, agent("jfs.upgrade.after=1"), "Talk", server.first)) {
            assertEventually(classes, client, "why: VERSION: the peer speaks versions 4 to 5 of JFS's protocol, this process"
                    + " versions 1 to 3\n    what to do: use the same jfs.jar at both ends\n");
            assertHas(status(server), "why: VERSION: the peer speaks versions 1 to 3 of JFS's protocol, this process versions 4 to 5\n"
                    + "    what to do: use the same jfs.jar at both ends\n");
        }
    }

    @Test
    void aProxyThatNeitherEndKnowsOf() throws Exception {
        try (Running server = new Running(classes, agent("jfs.upgrade.after=1"), "Echo");
                Running proxy = new Running(classes, List.of(), "Relay", server.first);
                Running client = new Running(classes, agent("jfs.upgrade.after=1"), "Talk", proxy.first)) {
            assertEventually(classes, client, "why: NO_PEER: ");
            assertHas(status(client), "to do: start the other program under JFS, in this network namespace, and connect without a proxy\n");
            assertHas(status(client), "; the other end is of process " + proxy.pid() + ", Relay\n");
            assertHas(status(server), "why: no offer of its client has come so far; the other end is of process " + proxy.pid()
                    + ", Relay\n");
            assertHas(status(server), "start it under JFS, and without a proxy between the two\n");
        }
    }

    @Test
    void aProxyOfTheClient() throws Exception {
        try (Running server = new Running(classes, agent("jfs.upgrade.after=1"), "Echo");
                Running proxy = new Running(classes, List.of(), "Relay", server.first, "socks")) {
            List<String> options = new ArrayList<>(agent("jfs.upgrade.after=1"));
            options.addAll(List.of("-DsocksProxyHost=127.0.0.1", "-DsocksProxyPort=" + proxy.first, "-DsocksNonProxyHosts="));
            try (Running client = new Running(classes, options, "Talk", server.first)) {
                client.talk(10);
                assertHas(status(client), "why: PROXIED: the connection goes through a SOCKS proxy\n    what to do: connect without ");
                assertHas(status(server), "why: no offer of its client has come so far; the other end is of process " + proxy.pid()
                        + ", Relay\n");
            }
        }
    }
}
