package jfs.conformance.hosts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jfs.conformance.processes.Child;
import jfs.conformance.processes.Commands;

/**
 * A host between two others that routes what belongs to a connection which it has seen begin, and drops the rest, as a
 * firewall does: the kernel's connection tracking, set up by nft.
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

    /** One of its connections, both ports; whoever began it is first. */
    record Connection(int from, int to) {
    }

    /** What it knows of one: seconds until it forgets that if nothing comes, and packets seen of who began it. */
    record Entry(long left, long packets) {
    }

    private final Child middle;

    /** Skips the test, and says why, where there is no such thing. */
    static void assume() throws Exception {
        Commands.assume("tracking of connections (package nftables)", "unshare", "--net", "sh", "-c",
                "nft 'table ip t { chain c { ct state new; }; }' && echo 0 >/proc/sys/net/netfilter/nf_conntrack_tcp_loose"
                + " && test -r /proc/net/nf_conntrack");
    }

    /** @param middle all three are {@linkplain TwoHosts#alone alone} still */
    Tracker(Child client, Child middle, Child server) throws Exception {
        this.middle = middle;
        TwoHosts.join(client, CLIENTS, middle, TO_CLIENTS, "jfs0");
        TwoHosts.join(middle, TO_SERVERS, server, SERVERS, "jfs1");
        TwoHosts.at(client, "ip", "route", "add", "default", "via", TO_CLIENTS);
        TwoHosts.at(server, "ip", "route", "add", "default", "via", TO_SERVERS);
        TwoHosts.at(middle, "nft", RULES);
        set("netfilter/nf_conntrack_tcp_loose", 0); // it takes no connection up in its midst
        set("netfilter/nf_conntrack_acct", 1);
        set("ipv4/ip_forward", 1);
    }

    private void set(String name, int value) throws Exception {
        TwoHosts.at(middle, "sh", "-c", "echo " + value + " > /proc/sys/net/" + name);
    }

    /** From the next packet of each connection on. */
    void forgetsAfter(int seconds) throws Exception {
        set("netfilter/nf_conntrack_tcp_timeout_established", seconds);
    }

    /** Forgets it at once, as if another tracker had come in its place: what comes of it is of no connection that it knows. */
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

    /** Whether that host has an end of it which is open. */
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
