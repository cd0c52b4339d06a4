package jfs.negotiation.handshake.remote;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import jfs.config.Settings;
import jfs.negotiation.policy.MappedAddress;
import jfs.negotiation.policy.Rules;

/** Where the processes of different hosts find each other, and the key by which they know each other. Immutable. */
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
     * Takes the address and the ports from the settings, and reads the key.
     *
     * @throws IllegalArgumentException if the key or the address can't be used, or if a rule asks for a key and there is none. The
     *             message is one line and says what is allowed
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
            if (Rules.isAddress(literal)) { // no name server is asked
                InetAddress address = InetAddress.getByName(literal);
                return address.isAnyLocalAddress() && address.getAddress().length == 16 ? ANY : MappedAddress.of(address);
            }
        } catch (UnknownHostException e) {
            // falls through to the message
        }
        throw new IllegalArgumentException(
                "jfs: bad setting jfs.hosts.address=" + literal + "; allowed is an address of this host, in full");
    }

    /** @return the address that this process's rendezvous listens on: 16 bytes, zeros if on all addresses of this host */
    byte[] address() {
        return address.clone();
    }

    boolean isAnyAddress() {
        return Arrays.equals(address, ANY);
    }

    /** @return where the rendezvous listens; for people */
    String place() {
        String ports = "jfs.hosts.ports " + firstPort + "-" + lastPort;
        try {
            return isAnyAddress() ? ports
                    : ports + " of jfs.hosts.address " + InetAddress.getByAddress(address).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @return the first of the rendezvous ports of every host; each process takes the first that is free */
    int firstPort() {
        return firstPort;
    }

    int lastPort() {
        return lastPort;
    }

    /** @return the key that a peer process has to prove to have */
    HostKey key(boolean trusted) {
        return trusted ? HostKey.TRUSTED : key;
    }
}
