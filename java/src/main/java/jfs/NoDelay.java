package jfs;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.StandardSocketOptions;
import jfs.transport.tcp.TcpSocket;

/**
 * TCP_NODELAY on TCP beside a path (SWITCH-6). Without the option the kernel holds a small write back until what was written before
 * is acknowledged. The acknowledgement rides on the peer's next bytes, and these go by the path as soon as the peer's
 * direction has switched; then it comes 40 ms later by itself. So the kernel has the option on for an end that has a path:
 * its direction may still be on TCP when the peer's is not any more. The program, which knows nothing of that, reads the option as
 * it has set it. A connection has an instance only while JFS sets the option. Used under the socket's monitor; nothing blocks.
 */
final class NoDelay {

    /** As the program has set it. */
    private Boolean programs;

    private NoDelay(Boolean programs) {
        this.programs = programs;
    }

    /** Whether it is the option that is not simply the kernel's. */
    static boolean is(SocketOption<?> option) {
        return option == StandardSocketOptions.TCP_NODELAY;
    }

    /** By the number of {@link SocketOptions}. */
    static boolean is(int option) {
        return option == SocketOptions.TCP_NODELAY;
    }

    /**
     * From now on the kernel holds nothing back, and sends what it has held back.
     *
     * @throws IOException if the socket is closed
     */
    static NoDelay begin(TcpSocket tcp) throws IOException {
        Boolean programs = tcp.getOption(StandardSocketOptions.TCP_NODELAY);
        tcp.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return new NoDelay(programs);
    }

    /**
     * Gives the kernel the program's value back.
     *
     * @throws IOException if the socket is closed
     */
    void end(TcpSocket tcp) throws IOException {
        tcp.setOption(StandardSocketOptions.TCP_NODELAY, programs);
    }

    /** What TCP refuses it refuses as ever. */
    @SuppressWarnings("unchecked")
    <T> void set(TcpSocket tcp, SocketOption<T> option, T value) throws IOException {
        tcp.setOption(option, (T) kernels(value));
        programs = (Boolean) value;
    }

    void set(TcpSocket tcp, int option, Object value) throws SocketException {
        tcp.setOption(option, kernels(value));
        programs = (Boolean) value;
    }

    private static Object kernels(Object value) {
        return Boolean.FALSE.equals(value) ? Boolean.TRUE : value;
    }

    @SuppressWarnings("unchecked")
    <T> T get(TcpSocket tcp, SocketOption<T> option) throws IOException {
        tcp.getOption(option); // which says whether it is closed
        return (T) programs;
    }

    Object get(TcpSocket tcp, int option) throws SocketException {
        tcp.getOption(option);
        return programs;
    }
}
