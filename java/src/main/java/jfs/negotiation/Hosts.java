package jfs.negotiation;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import jfs.config.Settings;

/** How the processes of different hosts find each other and know whom they talk to. Immutable. */
public final class Hosts {

    private static final byte[] ANY = new byte[16];

    private final byte[] address;
    private final int firstPort;
    private final int lastPort;
    private final HostKey key;

    Hosts(byte[] mappedAddress, int firstPort, int lastPort, HostKey key) {
        this.address = mappedAddress;
        this.firstPort = firstPort;
        this.lastPort = lastPort;
        this.key = key;
    }

    /**
     * Takes what the settings say and reads the key.
     *
     * @throws IllegalArgumentException if the key or the address can't be used, or a rule asks for a key that there is not;
     *             the message is one line and says what is allowed
     */
    public static Hosts read(Settings settings, Rules rules) {
        HostKey key = settings.hostsKey() == null ? null : HostKey.read(settings.hostsKey());
        if (key == null) {
            rules.requireTrust(settings.rules());
        }
        return new Hosts(address(settings.hostsAddress()), settings.hostsPorts().first(), settings.hostsPorts().last(),
                key);
    }

    private static byte[] address(String literal) {
        if (literal == null) {
            return ANY;
        }
        try {
            if (Rules.isAddress(literal)) { // nobody is asked for a name
                InetAddress address = InetAddress.getByName(literal);
                return address.isAnyLocalAddress() && address.getAddress().length == 16 ? ANY : Tuple.mapped(address);
            }
        } catch (UnknownHostException e) {
            // falls through to the message
        }
        throw new IllegalArgumentException(
                "JFS: bad setting jfs.hosts.address=" + literal + "; allowed is an address of this host, in full");
    }

    /** Where this process's rendezvous listens: 16 bytes; zeros if on all addresses. */
    byte[] address() {
        return address.clone();
    }

    boolean isAnyAddress() {
        return Arrays.equals(address, ANY);
    }

    /** Where that is, for who reads it. */
    String place() {
        String ports = "jfs.hosts.ports " + firstPort + "-" + lastPort;
        try {
            return isAnyAddress() ? ports
                    : ports + " of jfs.hosts.address " + InetAddress.getByAddress(address).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The first of the ports on which a host's processes are found: each takes the first that is free. */
    int firstPort() {
        return firstPort;
    }

    int lastPort() {
        return lastPort;
    }

    /** What a peer has to prove to have. */
    HostKey key(boolean trusted) {
        return trusted ? HostKey.TRUSTED : key;
    }
}
