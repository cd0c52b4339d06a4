package jfs.benchmarks.processes;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Two hosts on one machine: two network namespaces that a veth pair joins (ip-netns(8), veth(4)). Needs root. {@link #close} deletes
 * the namespaces. When no process uses a deleted namespace any more, its network is removed with it.
 */
public final class Hosts implements AutoCloseable {
    /** One of the two hosts. */
    public enum Host {
        SERVER("198.18.0.1"), // reserved by RFC 2544 for benchmarks between hosts: no other network has it
        CLIENT("198.18.0.2");

        private final String address;

        Host(String address) {
            this.address = address;
        }

        public String address() {
            return address;
        }

        private String namespace() {
            return "jfs-bench-" + ProcessHandle.current().pid() + "-" + name().toLowerCase(Locale.ROOT);
        }
    }

    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final String DEVICE = "fabric";

    private final Thread atExit = new Thread(this::remove, "network-namespaces");

    public Hosts() throws ChildFailure, InterruptedException {
        Runtime.getRuntime().addShutdownHook(atExit);
        try {
            for (Host host : Host.values()) {
                ip("netns", "add", host.namespace());
            }
            ip("link", "add", DEVICE, "netns", Host.SERVER.namespace(), "type", "veth",
                    "peer", "name", DEVICE, "netns", Host.CLIENT.namespace());
            for (Host host : Host.values()) {
                ip("-n", host.namespace(), "address", "add", host.address() + "/30", "dev", DEVICE);
                ip("-n", host.namespace(), "link", "set", DEVICE, "up");
                ip("-n", host.namespace(), "link", "set", "lo", "up");
            }
            for (Host host : Host.values()) {
                awaitLink(host);
            }
        } catch (ChildFailure | InterruptedException e) {
            close();
            throw e;
        }
    }

    private static void ip(String... arguments) throws ChildFailure, InterruptedException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(Arrays.asList(arguments));
        try (Child ip = Child.start(String.join(" ", command), command, line -> {})) {
            ip.awaitSuccess(LIMIT);
        }
    }

    /**
     * Waits until the kernel reports the device as up. For about a second after its setup it takes connections, but is not reported
     * as up, and UCX does not use it then.
     */
    private void awaitLink(Host host) throws ChildFailure, InterruptedException {
        String up = "until grep -q up /sys/class/net/" + DEVICE + "/operstate; do sleep 0.01; done";
        try (Child waiting = Child.start("waiting for " + DEVICE, on(host, List.of("sh", "-c", up)), line -> {})) {
            waiting.awaitSuccess(LIMIT);
        }
    }

    /** The command line that runs a program on one of the hosts. */
    public List<String> on(Host host, List<String> command) {
        List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", host.namespace()));
        all.addAll(command);
        return all;
    }

    private void remove() {
        for (Host host : Host.values()) {
            try {
                // Not by Child, which starts no process while the JVM ends.
                new ProcessBuilder("ip", "netns", "delete", host.namespace())
                        .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
            } catch (IOException | InterruptedException e) {
                System.err.println("the network namespace " + host.namespace() + " may be left: " + e.getMessage());
            }
        }
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            return; // the JVM is ending: the shutdown hook removes them
        }
        remove();
    }
}
