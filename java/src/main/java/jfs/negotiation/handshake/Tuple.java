package jfs.negotiation.handshake;

import java.nio.ByteBuffer;
import java.util.Arrays;
import jfs.nativelib.Posix;
import jfs.negotiation.policy.MappedAddress;
import jfs.spi.TcpDescriptor;

/**
 * A TCP connection as the kernel knows it: the local end, then the remote end. Each end is an address (16 bytes, IPv4 as IPv4-mapped),
 * a scope id and a port. Only established connections have a tuple (NEG-1).
 */
public final class Tuple {

    public static final int BYTES = Posix.TUPLE_BYTES;
    private static final int END = BYTES / 2;
    private static final int PORT = 20;

    private final byte[] bytes;

    private Tuple(byte[] bytes) {
        this.bytes = bytes;
    }

    /** @return what the kernel says; null if the socket is closed or its connection is not established any more */
    public static Tuple of(TcpDescriptor tcp) {
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

    public static Tuple read(ByteBuffer in) {
        byte[] bytes = new byte[BYTES];
        in.get(bytes);
        return new Tuple(bytes);
    }

    void write(ByteBuffer out) {
        out.put(bytes);
    }

    /** @return the bytes that {@link #write} writes, for {@link Posix#tcpConnect} */
    public byte[] toBytes() {
        return bytes.clone();
    }

    /** The same connection seen from its other end. */
    public Tuple reversed() {
        byte[] other = new byte[BYTES];
        System.arraycopy(bytes, END, other, 0, END);
        System.arraycopy(bytes, 0, other, END, END);
        return new Tuple(other);
    }

    public int localPort() {
        return ByteBuffer.wrap(bytes).getInt(PORT);
    }

    public int remotePort() {
        return ByteBuffer.wrap(bytes).getInt(END + PORT);
    }

    /** @return the remote end's address and port, which are those of the listening socket if this end has connected */
    public String listener() {
        return MappedAddress.hex(remoteAddress()) + ":" + remotePort();
    }

    public byte[] localAddress() {
        return Arrays.copyOf(bytes, 16);
    }

    public byte[] remoteAddress() {
        return Arrays.copyOfRange(bytes, END, END + 16);
    }

    /** @return whether the connection is between these two ends; scope ids are not compared */
    public boolean connects(byte[] local, int localPort, byte[] remote, int remotePort) {
        return localPort == localPort() && remotePort == remotePort() && Arrays.equals(bytes, 0, 16, local, 0, 16)
                && Arrays.equals(bytes, END, END + 16, remote, 0, 16);
    }

    public boolean sameAddresses() {
        return Arrays.equals(bytes, 0, 16, bytes, END, END + 16);
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
