package jfs;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOption;
import jfs.transport.tcp.TcpSocket;

/**
 * The options of a TCP socket beside which there is a path: what the program has set is not always what the kernel has
 * ({@link NoDelay}, {@link KeepAlive}). Used under the socket's monitor; nothing blocks.
 */
final class PathOptions {

    private final TcpSocket tcp;
    /** Null where the kernel has what the program has set. */
    private NoDelay noDelay;
    private KeepAlive keepAlive;

    /** @throws IOException if the socket is closed */
    PathOptions(TcpSocket tcp) throws IOException {
        this.tcp = tcp;
        this.noDelay = NoDelay.begin(tcp);
    }

    /** It stays on TCP after all. */
    void endNoDelay() {
        try {
            noDelay.end(tcp);
            noDelay = null;
        } catch (IOException e) {
            // It is being closed.
        }
    }

    /**
     * The path is one to another host.
     *
     * @param idleSeconds how long there may be nothing on TCP; 0: for ever
     */
    void keepAlive(int idleSeconds) {
        keepAlive = KeepAlive.begin(tcp, idleSeconds);
    }

    <T> void set(SocketOption<T> option, T value) throws IOException {
        if (keepAlive != null && KeepAlive.has(option)) {
            keepAlive.set(tcp, option, value);
        } else if (noDelay != null && NoDelay.is(option)) {
            noDelay.set(tcp, option, value);
        } else {
            tcp.setOption(option, value);
        }
    }

    void set(int option, Object value) throws SocketException {
        if (keepAlive != null && KeepAlive.has(option)) {
            keepAlive.set(tcp, option, value);
        } else if (noDelay != null && NoDelay.is(option)) {
            noDelay.set(tcp, option, value);
        } else {
            tcp.setOption(option, value);
        }
    }

    <T> T get(SocketOption<T> option) throws IOException {
        if (keepAlive != null && KeepAlive.has(option)) {
            return keepAlive.get(tcp, option);
        }
        return noDelay != null && NoDelay.is(option) ? noDelay.get(tcp, option) : tcp.getOption(option);
    }

    Object get(int option) throws SocketException {
        if (keepAlive != null && KeepAlive.has(option)) {
            return keepAlive.get(tcp, option);
        }
        return noDelay != null && NoDelay.is(option) ? noDelay.get(tcp, option) : tcp.getOption(option);
    }
}
