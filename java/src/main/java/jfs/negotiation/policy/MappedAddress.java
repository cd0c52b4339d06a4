package jfs.negotiation.policy;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * IP addresses as the 16 bytes in which the kernel shows them to an IPv6 socket: an IPv4 address as an IPv4-mapped one (RFC 4291, section
 * 2.5.5.2). One comparison then serves both kinds.
 */
public final class MappedAddress {

    /** The first 12 bytes of each IPv4-mapped address: ::ffff:0:0/96. */
    static final byte[] IPV4_PREFIX = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff};
    private static final int BYTES = 16;

    private MappedAddress() {
    }

    /** @return 16 bytes, which may be those of the address itself */
    public static byte[] of(InetAddress address) {
        byte[] raw = address.getAddress();
        if (raw.length == BYTES) {
            return raw;
        }
        byte[] mapped = anyIpv4();
        System.arraycopy(raw, 0, mapped, IPV4_PREFIX.length, raw.length);
        return mapped;
    }

    static boolean isIpv4(byte[] mappedAddress) {
        return Arrays.equals(mappedAddress, 0, IPV4_PREFIX.length, IPV4_PREFIX, 0, IPV4_PREFIX.length);
    }

    /** @return 0.0.0.0, IPv4's wildcard address */
    public static byte[] anyIpv4() {
        return Arrays.copyOf(IPV4_PREFIX, BYTES);
    }

    /** @return 32 hex digits */
    public static String hex(byte[] mappedAddress) {
        return HexFormat.of().formatHex(mappedAddress);
    }
}
