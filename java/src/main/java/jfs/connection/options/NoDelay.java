package jfs.connection.options;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.StandardSocketOptions;
import jfs.transport.tcp.TcpEnd;

/**
 * TCP_NODELAY of TCP beside a path (SWITCH-6). Without the option the kernel holds a small write back until the bytes before it are
 * acknowledged. The acknowledgement travels with the peer's next bytes. As soon as the peer's direction has switched, these bytes go by the
 * path, and the acknowledgement comes alone, 40 ms later. Therefore JFS sets the option in the kernel at each end that has a path: this
 * end's direction may still be on TCP when the peer's has switched. The program does not see this change: it reads the option as it has set
 * it. A connection has an instance only while JFS sets the option. The methods are called under the connection's monitor. None of them
 * blocks.
 */
final class NoDelay {

    /** The value that the program has set. */
    private Boolean programs;

    private NoDelay(Boolean programs) {
        this.programs = programs;
    }

    /** Whether the option is the one whose value in the kernel may differ from the program's. */
    static boolean is(SocketOption<?> option) {
        return option == StandardSocketOptions.TCP_NODELAY;
    }

    /** The same by the number of {@link SocketOptions}. */
    static boolean is(int option) {
        return option == SocketOptions.TCP_NODELAY;
    }

    /**
     * From now on the kernel holds no bytes back. It also sends the bytes that it has held back so far.
     *
     * @throws IOException if the socket is closed
     */
    static NoDelay begin(TcpEnd tcp) throws IOException {
        Boolean programs = tcp.getOption(StandardSocketOptions.TCP_NODELAY);
        tcp.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return new NoDelay(programs);
    }

    /**
     * Gives the kernel the program's value back.
     *
     * @throws IOException if the socket is closed
     */
    void end(TcpEnd tcp) throws IOException {
        tcp.setOption(StandardSocketOptions.TCP_NODELAY, programs);
    }

    /** Sets the option for the program. If TCP refuses the value, the call fails as it does without JFS. */
    @SuppressWarnings("unchecked")
    <T> void set(TcpEnd tcp, SocketOption<T> option, T value) throws IOException {
        tcp.setOption(option, (T) kernels(value));
        programs = (Boolean) value;
    }

    void set(TcpEnd tcp, int option, Object value) throws SocketException {
        tcp.setOption(option, kernels(value));
        programs = (Boolean) value;
    }

    private static Object kernels(Object value) {
        return Boolean.FALSE.equals(value) ? Boolean.TRUE : value;
    }

    @SuppressWarnings("unchecked")
    <T> T get(TcpEnd tcp, SocketOption<T> option) throws IOException {
        tcp.getOption(option); // throws if the socket is closed
        return (T) programs;
    }

    Object get(TcpEnd tcp, int option) throws SocketException {
        tcp.getOption(option);
        return programs;
    }
}
