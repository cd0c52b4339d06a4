package jfs.negotiation;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import jfs.nativelib.Posix;
import jfs.spi.TcpDescriptor;

/**
 * A TCP connection as the kernel knows it: local end, then remote end, each address (16 bytes, IPv4 as IPv4-mapped),
 * scope id and port. Only established connections have one (NEG-1).
 */
final class Tuple {

    static final int BYTES = Posix.TUPLE_BYTES;
    /** With which an IPv4 address begins here: ::ffff:0:0/96. */
    static final byte[] IPV4_PREFIX = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff};
    private static final int END = BYTES / 2;
    private static final int PORT = 20;

    private final byte[] bytes;

    private Tuple(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Asks the kernel; null if the socket is closed or its connection is not established any more. */
    static Tuple of(TcpDescriptor tcp) {
        int fd = tcp.acquire();
        if (fd < 0) {
            return null;
        }
        try {
            byte[] bytes = new byte[BYTES];
            return Posix.tcpTuple(fd, bytes) == Posix.TCP_ESTABLISHED ? new Tuple(bytes) : null;
        } finally {
            tcp.release();
        }
    }

    static Tuple read(ByteBuffer in) {
        byte[] bytes = new byte[BYTES];
        in.get(bytes);
        return new Tuple(bytes);
    }

    void write(ByteBuffer out) {
        out.put(bytes);
    }

    /** As it is written, for {@link Posix#tcpConnect}. */
    byte[] toBytes() {
        return bytes.clone();
    }

    /** The same connection seen from its other end. */
    Tuple reversed() {
        byte[] other = new byte[BYTES];
        System.arraycopy(bytes, END, other, 0, END);
        System.arraycopy(bytes, 0, other, END, END);
        return new Tuple(other);
    }

    int localPort() {
        return ByteBuffer.wrap(bytes).getInt(PORT);
    }

    int remotePort() {
        return ByteBuffer.wrap(bytes).getInt(END + PORT);
    }

    byte[] localAddress() {
        return Arrays.copyOf(bytes, 16);
    }

    byte[] remoteAddress() {
        return Arrays.copyOfRange(bytes, END, END + 16);
    }

    /** Whether it is between these two; scope ids aside. */
    boolean connects(byte[] local, int localPort, byte[] remote, int remotePort) {
        return localPort == localPort() && remotePort == remotePort() && Arrays.equals(bytes, 0, 16, local, 0, 16)
                && Arrays.equals(bytes, END, END + 16, remote, 0, 16);
    }

    boolean sameAddresses() {
        return Arrays.equals(bytes, 0, 16, bytes, END, END + 16);
    }

    /** The 16 bytes that the kernel would show for this address. */
    static byte[] mapped(InetAddress address) {
        byte[] raw = address.getAddress();
        if (raw.length == 16) {
            return raw;
        }
        byte[] mapped = Arrays.copyOf(IPV4_PREFIX, 16);
        System.arraycopy(raw, 0, mapped, 12, 4);
        return mapped;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Tuple that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}
