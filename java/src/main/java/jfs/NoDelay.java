package jfs;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.StandardSocketOptions;
import jfs.transport.tcp.TcpSocket;

/**
 * TCP_NODELAY on TCP beside a path (R26). Without the option the kernel holds a small write back until what was written before
 * is acknowledged. The acknowledgement rides on the peer's next bytes, and these go by the path as soon as the peer's
 * direction has switched; then it comes 40 ms later by itself. So the kernel has the option on for an end that has a path:
 * its direction may still be on TCP when the peer's is not any more. The program, which knows nothing of that, reads the option as
 * it has set it. Thread-safe; nothing blocks.
 */
final class NoDelay {

    /** As the program has set it; null while the kernel has the program's value. */
    private Boolean programs;

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
    synchronized void begin(TcpSocket tcp) throws IOException {
        Boolean found = tcp.getOption(StandardSocketOptions.TCP_NODELAY);
        tcp.setOption(StandardSocketOptions.TCP_NODELAY, true);
        programs = found;
    }

    /** Gives the kernel the program's value back. */
    synchronized void end(TcpSocket tcp) {
        if (programs == null) {
            return;
        }
        try {
            tcp.setOption(StandardSocketOptions.TCP_NODELAY, programs);
        } catch (IOException e) {
            return; // It is being closed.
        }
        programs = null;
    }

    /** What TCP refuses it refuses as ever. */
    @SuppressWarnings("unchecked")
    synchronized <T> void set(TcpSocket tcp, SocketOption<T> option, T value) throws IOException {
        tcp.setOption(option, (T) kernels(value));
        keep(value);
    }

    synchronized void set(TcpSocket tcp, int option, Object value) throws SocketException {
        tcp.setOption(option, kernels(value));
        keep(value);
    }

    private Object kernels(Object value) {
        return programs != null && Boolean.FALSE.equals(value) ? Boolean.TRUE : value;
    }

    private void keep(Object value) {
        if (programs != null) {
            programs = (Boolean) value;
        }
    }

    @SuppressWarnings("unchecked")
    synchronized <T> T get(TcpSocket tcp, SocketOption<T> option) throws IOException {
        T kernels = tcp.getOption(option); // which says whether it is closed
        return programs != null ? (T) programs : kernels;
    }

    synchronized Object get(TcpSocket tcp, int option) throws SocketException {
        Object kernels = tcp.getOption(option);
        return programs != null ? programs : kernels;
    }
}
