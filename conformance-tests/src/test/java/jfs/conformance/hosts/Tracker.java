package jfs.conformance.hosts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Commands;

/**
 * A host between two others that works as a firewall. It routes the packets of connections whose beginning it has seen, and
 * drops all others. It is the kernel's connection tracking, set up by nft.
 */
final class Tracker {

    static final String CLIENTS = "10.213.8.2";
    static final String SERVERS = "10.213.9.2";
    private static final String TO_CLIENTS = "10.213.8.1";
    private static final String TO_SERVERS = "10.213.9.1";

    private static final String RULES = """
            table ip tracker {
                chain tables { type filter hook prerouting priority raw; }
                chain forward {
                    type filter hook forward priority filter; policy drop;
                    ct state established,related accept
                    ct state new tcp flags & (fin|syn|rst|ack) == syn accept
                }
            }""";

    /** A connection, by its two ports. The port of the end that connected is first. */
    record Connection(int from, int to) {
    }

    /**
     * What the tracker knows of a connection: seconds until it forgets it if no packet comes, and packets of the end that
     * connected.
     */
    record Entry(long left, long packets) {
    }

    private final Child middle;

    /** Skips the test, and says why, if this machine can't track connections. */
    static void assume() throws Exception {
        Commands.assume("tracking of connections (package nftables)", "unshare", "--net", "sh", "-c",
                "nft 'table ip t { chain c { ct state new; }; }' && echo 0 >/proc/sys/net/netfilter/nf_conntrack_tcp_loose"
                + " && test -r /proc/net/nf_conntrack");
    }

    /** @param middle the host of the tracker. All three hosts are still {@linkplain TwoHosts#alone alone} */
    Tracker(Child client, Child middle, Child server) throws Exception {
        this.middle = middle;
        TwoHosts.join(client, CLIENTS, middle, TO_CLIENTS, "jfs0");
        TwoHosts.join(middle, TO_SERVERS, server, SERVERS, "jfs1");
        TwoHosts.at(client, "ip", "route", "add", "default", "via", TO_CLIENTS);
        TwoHosts.at(server, "ip", "route", "add", "default", "via", TO_SERVERS);
        TwoHosts.at(middle, "nft", RULES);
        set("netfilter/nf_conntrack_tcp_loose", 0); // it takes up no connection whose beginning it has not seen
        set("netfilter/nf_conntrack_acct", 1);
        set("ipv4/ip_forward", 1);
    }

    private void set(String name, int value) throws Exception {
        TwoHosts.at(middle, "sh", "-c", "echo " + value + " > /proc/sys/net/" + name);
    }

    /** Sets the time after which the tracker forgets. It applies from each connection's next packet on. */
    void forgetsAfter(int seconds) throws Exception {
        set("netfilter/nf_conntrack_tcp_timeout_established", seconds);
    }

    /**
     * Forgets a connection at once, as if another tracker had taken this one's place: later packets belong to no connection
     * that it knows.
     */
    void forget(Connection connection) throws Exception {
        String ports = "{ " + connection.from + ", " + connection.to + " }";
        TwoHosts.at(middle, "nft", "add rule ip tracker tables tcp sport " + ports + " tcp dport " + ports + " ct zone set 1");
    }

    /** The established connections in its table. */
    Map<Connection, Entry> table() throws IOException {
        // ipv4 2 tcp 6 LEFT STATE src= dst= sport= dport= packets= bytes= src= ...
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + middle.pid() + "/net/nf_conntrack"))) {
            return lines.map(line -> line.split(" +")).filter(it -> it[5].equals("ESTABLISHED")).collect(Collectors.toMap(
                    it -> new Connection((int) number(it[8]), (int) number(it[9])),
                    it -> new Entry(Long.parseLong(it[4]), number(it[10]))));
        }
    }

    /** Whether this host has an open end of the connection. */
    static boolean has(Child host, Connection connection) {
        String from = String.format(":%04X ", connection.from);
        String to = String.format(":%04X ", connection.to);
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + host.pid() + "/net/tcp"))) {
            return lines.anyMatch(line -> line.contains(from) && line.contains(to) && line.contains(" 01 ")); // ESTABLISHED
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long number(String nameAndValue) {
        return Long.parseLong(nameAndValue.substring(nameAndValue.indexOf('=') + 1));
    }
}
