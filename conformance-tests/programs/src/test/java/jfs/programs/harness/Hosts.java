package jfs.programs.harness;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Two hosts for programs: two network namespaces with a wire between them. An idle process keeps each namespace. The
 * kernel removes a namespace with the last process that is in it.
 */
public final class Hosts implements AutoCloseable {

    public static final String CLIENTS = "10.214.8.2";
    public static final String SERVERS = "10.214.8.1";
    private static final String WIRE = "jfs0";

    private final Programs programs = new Programs();
    private final Program clients;
    private final Program servers;
    private final Path rules;
    private final boolean badWire;

    /** Skips the test, and says why, if this machine can't make network namespaces or veth devices, or has no UCX. */
    public static void assume() throws Exception {
        assumeWorks("unshare", "--net", "--mount", "mount", "-t", "sysfs", "none", "/sys");
        assumeWorks("unshare", "--net", "ip", "link", "add", "name", WIRE, "type", "veth", "peer", "name", WIRE + "x");
        assumeWorks("sh", "-c", "ldconfig -p | grep -q 'libucp[.]so[.]0'");
    }

    /** The same check, and a check for the TAP devices that a bad wire needs. */
    public static void assumeBadWire() throws Exception {
        assume();
        assumeWorks("unshare", "--net", "ip", "tuntap", "add", "dev", WIRE, "mode", "tap");
    }

    private static void assumeWorks(String... command) throws InterruptedException {
        String failure = failure(command);
        assumeTrue(failure == null, failure);
    }

    private static String failure(String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes()).strip();
            boolean ended = process.waitFor(Program.LIMIT.toSeconds(), TimeUnit.SECONDS);
            return ended && process.exitValue() == 0 ? null : List.of(command) + " does not work here: " + output;
        } catch (IOException e) {
            return e.getMessage();
        }
    }

    private static void run(String... command) throws InterruptedException {
        String failure = failure(command);
        if (failure != null) {
            throw new AssertionError(failure);
        }
    }

    /** @param howBad how bad the wire is, in the words of conformance-tests/wire/wire.c; empty for a good wire */
    public Hosts(String... howBad) throws Exception {
        badWire = howBad.length > 0;
        // This file lies outside the programs' folder, which has to be empty at the end.
        rules = Files.write(Files.createTempFile("hosts-", ".rules"), List.of("connect 10.214.8.0/24 * mx trusted forced",
                "accept 10.214.8.0/24 * mx trusted forced"));
        clients = host();
        servers = host();
        clients.awaitLine("here");
        servers.awaitLine("here");
        if (badWire) {
            joinBy(howBad);
        } else {
            run("ip", "link", "add", WIRE, "netns", "" + servers.pid(), "type", "veth", "peer", "name", WIRE, "netns",
                    "" + clients.pid());
        }
        address(clients, CLIENTS);
        address(servers, SERVERS);
        if (!badWire) {
            for (Program host : List.of(clients, servers)) { // UCX ignores an interface that is not up yet
                at(host, "until ip -oneline link show dev " + WIRE + " | grep -q 'state UP'; do :; done");
            }
        }
    }

    private void joinBy(String[] howBad) throws Exception {
        List<String> command = new ArrayList<>(List.of(System.getProperty("test.wire"), "" + servers.pid(), "" + clients.pid()));
        command.addAll(List.of(howBad));
        programs.start("a wire", command).awaitLine("ready");
    }

    /** Starts the process that keeps a host. The host has its own /sys, because UCX finds the interfaces there. */
    private Program host() throws IOException {
        return programs.start("a host", List.of("unshare", "--net", "--mount", "sh", "-c",
                "mount -t sysfs none /sys && echo here && exec cat"));
    }

    public boolean haveABadWire() {
        return badWire;
    }

    private static void address(Program host, String address) throws InterruptedException {
        at(host, "ip address add " + address + "/24 dev " + WIRE + " && ip link set dev " + WIRE
                + " up && ip link set dev lo up");
    }

    private static void at(Program host, String script) throws InterruptedException {
        run("nsenter", "--net", "--target", "" + host.pid(), "sh", "-c", script);
    }

    public Program client(Program.Start how) throws IOException {
        return start(clients, CLIENTS, how);
    }

    public Program server(Program.Start how) throws IOException {
        return start(servers, SERVERS, how);
    }

    /**
     * Starts a program on a host, with rules for MX if it has JFS. The two programs use no shared memory, by which UCX
     * would find out that they run on one machine.
     */
    private Program start(Program host, String address, Program.Start how) throws IOException {
        return programs.start(how.under(List.of("nsenter", "--net", "--mount", "--target", "" + host.pid(), "env",
                "UCX_TLS=tcp,self")).with("-Dprograms.address=" + SERVERS).with("-Djava.rmi.server.hostname=" + address)
                .with("-Djfs.rules=" + rules));
    }

    @Override
    public void close() throws Exception {
        Files.delete(rules);
        programs.close();
    }
}
