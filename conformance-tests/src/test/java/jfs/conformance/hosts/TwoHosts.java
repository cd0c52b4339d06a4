package jfs.conformance.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Commands;

/**
 * Two processes on two hosts, which are network namespaces without names. So the kernel removes them, and the wire between
 * them, with the last process that is in them, however it ends.
 */
final class TwoHosts {

    static final String CLIENTS = "10.213.8.2";
    static final String SERVERS = "10.213.8.1";
    static final String CLIENTS_6 = "fd00:213:8::2";
    static final String SERVERS_6 = "fd00:213:8::1";
    static final String WIRE = "jfs0";
    private static final int BITS = 24;

    private final Child client;
    private final Child server;

    /** Skips the test, and says why, if this machine can't make network namespaces or veth devices. */
    static void assume() throws Exception {
        Commands.assume("a network namespace", "unshare", "--net", "--mount", "mount", "-t", "sysfs", "none", "/sys");
        Commands.assume("a wire between two", "unshare", "--net", "ip", "link", "add", "name", WIRE, "type", "veth", "peer",
                "name", WIRE + "x");
    }

    /** A process on its own host. The host has its own /sys, because UCX finds the interfaces there. */
    static Child.Start alone(Child.Start start) {
        return start.under("unshare", "--net", "--mount", "sh", "-c",
                "mount -t sysfs none /sys && ip link set dev lo up && exec \"$@\"", "sh");
    }

    /** Joins the hosts of two processes that were started {@linkplain #alone}. With arguments it joins them by a {@link BadWire}. */
    TwoHosts(Child client, Child server, String... howBad) throws Exception {
        this.client = client;
        this.server = server;
        if (howBad.length == 0) {
            join(client, CLIENTS, server, SERVERS, WIRE);
        } else {
            awaitAlone(client, server);
            BadWire.between(client, server, howBad);
            address(client, CLIENTS, WIRE);
            address(server, SERVERS, WIRE);
        }
    }

    private static void awaitAlone(Child... hosts) {
        for (Child host : hosts) {
            host.tell("descriptors"); // an answer shows that it is in its namespace
        }
    }

    static void join(Child one, String address, Child other, String otherAddress, String wire) throws Exception {
        awaitAlone(one, other);
        Commands.run("ip", "link", "add", wire, "netns", "" + other.pid(), "type", "veth",
                "peer", "name", wire, "netns", "" + one.pid());
        address(one, address, wire);
        address(other, otherAddress, wire);
        for (Child host : List.of(one, other)) { // a new wire carries nothing for up to a second, and UCX ignores it then
            at(host, "sh", "-c", "until ip -oneline link show dev " + wire + " | grep -q 'state UP'; do :; done");
        }
    }

    private static void address(Child host, String address, String wire) throws Exception {
        at(host, "ip", "address", "add", address + "/" + BITS, "dev", wire);
        at(host, "ip", "link", "set", "dev", wire, "up");
        at(host, "ip", "link", "set", "dev", "lo", "up");
    }

    /** Gives each host an IPv6 address too. */
    TwoHosts andIPv6() throws Exception {
        at(client, "ip", "address", "add", CLIENTS_6 + "/64", "dev", WIRE, "nodad");
        at(server, "ip", "address", "add", SERVERS_6 + "/64", "dev", WIRE, "nodad");
        return this;
    }

    /** Gives each host an IPv6 address and takes away the other one. */
    TwoHosts onlyIPv6() throws Exception {
        andIPv6();
        at(client, "ip", "address", "del", CLIENTS + "/" + BITS, "dev", WIRE);
        at(server, "ip", "address", "del", SERVERS + "/" + BITS, "dev", WIRE);
        return this;
    }

    /** Runs a command on that host. */
    static void at(Child host, String... command) throws Exception {
        List<String> all = new ArrayList<>(List.of("nsenter", "--net", "--target", "" + host.pid()));
        all.addAll(List.of(command));
        Commands.run(all.toArray(String[]::new));
    }

    /** No packet gets through any more, and no end is told of it. */
    void cut() throws Exception {
        at(client, "ip", "link", "set", "dev", WIRE, "down");
    }

    /**
     * The client's host vanishes. The server's host gets a fixed link address for it. Otherwise it would ask for one, and
     * report the missing answer as another error.
     */
    void vanish() throws Exception {
        at(server, "ip", "neighbor", "replace", CLIENTS, "lladdr", "02:00:00:00:00:01", "nud", "permanent", "dev", WIRE);
        cut();
    }

    /** The server's host gives connections up after seconds, not after a quarter of an hour. */
    TwoHosts impatient() throws Exception {
        for (String each : List.of("tcp_retries2=2", "tcp_keepalive_intvl=1", "tcp_keepalive_probes=2")) {
            String[] setting = each.split("=");
            at(server, "sh", "-c", "echo " + setting[1] + " >/proc/sys/net/ipv4/" + setting[0]);
        }
        return this;
    }

    /** Undoes {@link #cut}. */
    void mend() throws Exception {
        at(client, "ip", "link", "set", "dev", WIRE, "up");
    }

    /** @return the listener's port */
    static long connect(Child client, Child server) {
        long port = server.ask("listen 0.0.0.0 0");
        connect(client, server, SERVERS, port);
        return port;
    }

    static long connectByIPv6(Child client, Child server) {
        long port = server.ask("listen :: 0");
        connect(client, server, SERVERS_6, port);
        return port;
    }

    static void connect(Child client, Child server, String address, long port) {
        Child.Order accept = server.begin("accept");
        assertEquals("done", client.tell("connect " + address + " " + port));
        accept.isDone();
    }

    /** TCP connections that were ever made to this host. */
    static long connectionsTo(Child host) throws IOException {
        return tcpCounter(host, "PassiveOpens");
    }

    /** TCP connections that were ever begun from this host. */
    static long connectionsFrom(Child host) throws IOException {
        return tcpCounter(host, "ActiveOpens");
    }

    /** Segments that this host has sent again. */
    static long retransmissions(Child host) throws IOException {
        return tcpCounter(host, "RetransSegs");
    }

    /** Bytes that this host has received over its wire. */
    static long bytesReceived(Child host) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + host.pid() + "/net/dev"))) { // "jfs0: bytes packets ..."
            String counters = lines.map(String::strip).filter(line -> line.startsWith(WIRE + ":")).findFirst().get();
            return Long.parseLong(counters.substring(WIRE.length() + 1).strip().split(" +")[0]);
        }
    }

    /** A process on the host of another one. */
    static Child.Start beside(Child host, Child.Start start) {
        return start.under("nsenter", "--net", "--mount", "--target", "" + host.pid());
    }

    /** Keep-alive probes that this host has sent on idle TCP connections. */
    static long keepAlives(Child host) throws IOException {
        return counter(host, "netstat", "TcpExt:", "TCPKeepAlive");
    }

    /**
     * The time until this host sends the next probe on its connection to or from this port, in hundredths of a second; -1
     * for never.
     */
    static long nextKeepAlive(Child host, long port) throws IOException {
        List<String> all = new ArrayList<>();
        for (String table : List.of("tcp", "tcp6")) {
            all.addAll(Files.readAllLines(Path.of("/proc/" + host.pid() + "/net/" + table)));
        }
        // Number, local and remote address, state (01: ESTABLISHED), queues, which timer (02: keep-alive) and when it is due.
        String end = String.format(":%04X", port);
        String timer = all.stream().map(line -> line.strip().split(" +"))
                .filter(it -> it[3].equals("01") && (it[1].endsWith(end) || it[2].endsWith(end))).findFirst().get()[5];
        return timer.startsWith("02:") ? Long.parseLong(timer.substring(3), 16) : -1;
    }

    private static long tcpCounter(Child host, String name) throws IOException {
        return counter(host, "snmp", "Tcp:", name);
    }

    /** A counter in a file of /proc/net, which has a line of names, then one of values. */
    private static long counter(Child host, String file, String group, String name) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + host.pid() + "/net/" + file))) {
            List<String> tcp = lines.filter(line -> line.startsWith(group)).toList();
            List<String> names = List.of(tcp.get(0).split(" "));
            return Long.parseLong(tcp.get(1).split(" ")[names.indexOf(name)]);
        }
    }
}
