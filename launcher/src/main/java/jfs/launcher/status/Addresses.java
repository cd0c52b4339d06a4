package jfs.launcher.status;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Addresses as the kernel's list of TCP sockets has them: 16 bytes, IPv4 as IPv4-mapped. */
final class Addresses {

    private Addresses() {
    }

    static byte[] mapped(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (!(address instanceof Inet4Address)) {
            return bytes;
        }
        byte[] mapped = new byte[16];
        mapped[10] = mapped[11] = (byte) 0xff;
        System.arraycopy(bytes, 0, mapped, 12, 4);
        return mapped;
    }

    static String text(byte[] address) {
        try {
            return InetAddress.getByAddress(address).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** As it is usual: an IPv6 address in brackets. */
    static String text(String address, int port) {
        return (address.indexOf(':') >= 0 ? "[" + address + "]:" : address + ":") + port;
    }
}
