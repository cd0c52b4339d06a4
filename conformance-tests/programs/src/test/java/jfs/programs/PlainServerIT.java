package jfs.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import jfs.programs.harness.How;
import jfs.programs.harness.Log;
import jfs.programs.harness.Program;
import jfs.programs.harness.Programs;
import jfs.programs.harness.ReservedPort;
import org.junit.jupiter.api.Test;

/** Java programs that talk to servers not written in Java: they behave as without JFS, and JFS's reason is NO_PEER. */
class PlainServerIT {

    /** The command for a client of the server at this port. */
    private interface Client {
        Program.Start start(How how, int port);
    }

    private static void converse(Programs programs, int port, Client client, String end) throws Exception {
        String oracle = run(programs, How.JDK, port, client);
        assertTrue(oracle.endsWith(end), oracle);
        assertEquals(oracle, run(programs, How.LAUNCHER, port, client));
        assertEquals(oracle, run(programs, How.AGENT, port, client));
    }

    private static String run(Programs programs, How how, int port, Client start) throws Exception {
        Program client = programs.start(start.start(how, port));
        client.awaitLine("again and again");
        if (how.hasJfs()) {
            client.await("no peer", () -> Log.fallbacks(client, port).contains("NO_PEER"));
        }
        client.tell();
        client.awaitEnd();
        assertEquals(Set.of(), Log.attached(client));
        if (how.hasJfs()) {
            Set<String> reasons = new HashSet<>(Log.fallbacks(client, port));
            reasons.removeAll(Set.of("NOT_ASKED", "STALE")); // Redis's subscriber only sends its subscription
            assertEquals(Set.of("NO_PEER"), reasons);
        }
        return client.transcript();
    }

    /** The command of a shell that runs a script, whose arguments are $1, $2 and so on. */
    private static List<String> sh(String script, String... arguments) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", script, "sh"));
        command.addAll(List.of(arguments));
        return command;
    }

    // ---- PostgreSQL ----

    /**
     * $1 is the folder of PostgreSQL's programs, $2 the port. The server runs until the script's standard input ends.
     * SIGINT is PostgreSQL's fast shutdown.
     */
    private static final String POSTGRES = """
            cd /tmp && folder=$(mktemp -d) || exit
            if "$1/initdb" -D "$folder/data" -U jfs -A trust -E UTF8 --locale=C --no-sync >"$folder/out" 2>&1; then
                "$1/postgres" -D "$folder/data" -h 127.0.0.1 -p "$2" -F -c unix_socket_directories='' 2>&1 &
                cat >/dev/null
                kill -INT $!
                wait $!
            else
                cat "$folder/out" >&2
            fi
            rm -rf "$folder"
            """;

    @Test
    void postgresql() throws Exception {
        Optional<Path> binaries = postgresBinaries();
        assumeTrue(binaries.isPresent(), "there is no PostgreSQL in /usr/lib/postgresql (package postgresql)");
        List<String> command = new ArrayList<>();
        if (isRoot()) { // PostgreSQL does not run as root
            assumeTrue(Files.readString(Path.of("/etc/passwd")).contains("\npostgres:"),
                    "PostgreSQL does not run as root, and there is no user postgres");
            command.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"));
        }
        try (Programs programs = new Programs(); ReservedPort port = new ReservedPort()) {
            command.addAll(sh(POSTGRES, binaries.get().toString(), "" + port.number()));
            Program server = programs.start("PostgreSQL", command);
            server.awaitLineWith("ready to accept connections");
            converse(programs, port.number(), (how, number) -> Program
                    .java(how, programs.jdbc.Client.class,
                            "jdbc:postgresql://127.0.0.1:" + number + "/postgres?user=jfs", "bytea")
                    .using("postgresql"), "\nclosed");
            server.end();
        }
    }

    private static Optional<Path> postgresBinaries() throws IOException {
        Path versions = Path.of("/usr/lib/postgresql");
        if (!Files.isDirectory(versions)) {
            return Optional.empty();
        }
        try (Stream<Path> all = Files.list(versions)) {
            return all.map(version -> version.resolve("bin")).filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                    .findFirst();
        }
    }

    private static boolean isRoot() throws IOException {
        return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
    }

    // ---- Redis ----

    /**
     * $1 is the server's program, $2 the port. Debian's package redis-tools has the server's program by the name of
     * redis-check-rdb, without a service that starts it. Called by the name redis-server it is the server.
     */
    private static final String REDIS = """
            folder=$(mktemp -d) && ln -s "$1" "$folder/redis-server" || exit
            "$folder/redis-server" --bind 127.0.0.1 --port "$2" --save "" --appendonly no --dir "$folder" &
            cat >/dev/null
            kill $!
            wait $!
            rm -rf "$folder"
            """;

    @Test
    void redis() throws Exception {
        Optional<Path> binary = Stream.of("/usr/bin/redis-server", "/usr/bin/redis-check-rdb").map(Path::of)
                .filter(Files::isExecutable).findFirst();
        assumeTrue(binary.isPresent(), "there is no Redis in /usr/bin (package redis-tools)");
        try (Programs programs = new Programs(); ReservedPort port = new ReservedPort()) {
            Program server = programs.start("Redis", sh(REDIS, binary.get().toString(), "" + port.number()));
            server.awaitLineWith("Ready to accept connections");
            converse(programs, port.number(), (how, number) -> Program
                    .java(how, programs.redis.Client.class, "" + number)
                    .using("jedis", "slf4j", "commons-pool2", "gson", "json"), "\nclosed");
            server.end();
        }
    }
}
