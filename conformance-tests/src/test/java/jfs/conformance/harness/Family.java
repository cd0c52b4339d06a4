package jfs.conformance.harness;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/** The addresses of a connection over the loopback interface. */
public enum Family {

    IPV4("IPv4", "127.0.0.1", "127.0.0.1"),
    IPV6("IPv6", "::1", "::1"),
    /** A listener of IPv6 that a client of IPv4 connects to: the descriptor has the client's address as a mapped one. */
    DUAL_STACK("dual stack", "::", "127.0.0.1");

    private static final List<Family> AVAILABLE = Arrays.stream(values()).filter(Family::isAvailable).toList();

    private final String name;
    private final InetAddress listensAt;
    private final InetAddress reachedAt;

    Family(String name, String listensAt, String reachedAt) {
        this.name = name;
        try {
            this.listensAt = InetAddress.getByName(listensAt);
            this.reachedAt = InetAddress.getByName(reachedAt);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    /** The families that this host has. */
    public static List<Family> available() {
        return AVAILABLE;
    }

    private boolean isAvailable() {
        try (ServerSocket listener = listener()) {
            return listener.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    /** A listener on any free port. It accepts ends of the kind that this JVM's servers have. */
    public ServerSocket listener() throws IOException {
        return EndKind.ofServers().listen(listensAt);
    }

    /** The address at which a client reaches the listener. */
    public InetAddress address() {
        return reachedAt;
    }

    @Override
    public String toString() {
        return name;
    }
}
