package jfs.programs.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What JFS's log says of a program's connections. */
public final class Log {

    private static final Pattern CONNECTION = Pattern.compile("port=(\\d+),localport=(\\d+)\\]");
    private static final Pattern REASON = Pattern.compile("\\] ([A-Z_]+): ");

    /** A connection within this host. */
    public record Connection(int localPort, int remotePort) {
        public Connection reversed() {
            return new Connection(remotePort, localPort);
        }
    }

    private Log() {
    }

    /**
     * The connections of which both programs say that they send and receive on the fast path. They are given as the
     * first program sees them.
     */
    public static Set<Connection> fast(Program one, Program other) {
        Set<Connection> fast = switched(one);
        fast.retainAll(switched(other).stream().map(Connection::reversed).collect(Collectors.toSet()));
        return fast;
    }

    /** The connections on which the sender sends on the fast path. They are given as the sender sees them. */
    public static Set<Connection> oneWay(Program sender, Program receiver) {
        Set<Connection> way = connections(sender.log(), "switched out ");
        way.retainAll(connections(receiver.log(), "switched in ").stream().map(Connection::reversed)
                .collect(Collectors.toSet()));
        return way;
    }

    public static Set<Integer> remotePorts(Set<Connection> connections) {
        return connections.stream().map(Connection::remotePort).collect(Collectors.toSet());
    }

    private static Set<Connection> switched(Program program) {
        List<String> log = program.log();
        Set<Connection> both = connections(log, "switched out ");
        both.retainAll(connections(log, "switched in "));
        return both;
    }

    /** The connections that the program has attached to a fast path. */
    public static Set<Connection> attached(Program program) {
        return connections(program.log(), "attached ");
    }

    private static Set<Connection> connections(List<String> log, String event) {
        return log.stream().filter(line -> line.startsWith(event)).map(Log::connection)
                .collect(Collectors.toCollection(HashSet::new));
    }

    private static Connection connection(String line) {
        Matcher found = CONNECTION.matcher(line);
        if (!found.find()) {
            throw new AssertionError("no connection in: " + line);
        }
        return new Connection(Integer.parseInt(found.group(2)), Integer.parseInt(found.group(1)));
    }

    /** The reasons why connections to this port stay on TCP. */
    public static List<String> fallbacks(Program program, int remotePort) {
        return fallbacks(program, connection -> connection.remotePort() == remotePort).toList();
    }

    /** The reasons of all connections that stay on TCP. */
    public static Set<String> reasons(Program program) {
        return fallbacks(program, connection -> true).collect(Collectors.toSet());
    }

    /**
     * Asserts that no connection was fast, and that these are the reasons. A connection that ended early may have a
     * reason for that.
     */
    public static void assertOverTcp(Program program, String... reasons) {
        assertEquals(Set.of(), attached(program));
        Set<String> others = reasons(program);
        assertTrue(others.containsAll(Set.of(reasons)), program.toString());
        others.removeAll(Set.of(reasons));
        others.removeAll(Set.of("NOT_ASKED", "STALE"));
        assertEquals(Set.of(), others);
    }

    /** Asserts that each connection to this port that stayed on TCP has this reason, or one that a short life gives. */
    public static void assertFallbacks(Program program, int remotePort, String reason) {
        Set<String> others = new HashSet<>(fallbacks(program, remotePort));
        others.removeAll(Set.of("NOT_ASKED", "STALE", "NOT_MINE"));
        others.remove(reason);
        assertEquals(Set.of(), others);
    }

    /** JFS's counters at the end of the process. */
    public static String summary(Program program) {
        List<String> log = program.log();
        return log.get(log.size() - 1);
    }

    /**
     * Asserts that the summary counts so many connections, whether they became fast or not, and names nothing else that JFS can't
     * reach.
     *
     * @param others what the summary says behind its counts, with the "; " before it
     */
    public static void assertCounted(Program program, int connections, String others) {
        String counts = connections + " connections: \\d+ fast, \\d+ over TCP( \\([^;]*\\))?(; \\d+ tried again)?";
        assertTrue(summary(program).matches(counts + Pattern.quote(others)), program::toString);
    }

    private static Stream<String> fallbacks(Program program, Predicate<Connection> which) {
        return program.log().stream().filter(line -> line.startsWith("fallback ") && which.test(connection(line)))
                .map(line -> {
                    Matcher found = REASON.matcher(line);
                    return found.find() ? found.group(1) : line;
                });
    }
}
