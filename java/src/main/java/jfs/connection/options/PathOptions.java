package jfs.connection.options;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOption;
import jfs.transport.tcp.TcpEnd;

/**
 * The options of a TCP socket beside which there is a path. The kernel's value is not always the value that the program has set
 * ({@link NoDelay}, {@link KeepAlive}). The methods are called under the connection's monitor. None of them blocks.
 */
public final class PathOptions {

    private final TcpEnd tcp;
    /** Null while the kernel has the program's value. */
    private NoDelay noDelay;
    private KeepAlive keepAlive;

    /** @throws IOException if the socket is closed */
    public PathOptions(TcpEnd tcp) throws IOException {
        this.tcp = tcp;
        this.noDelay = NoDelay.begin(tcp);
    }

    /** Called when the connection stays on TCP after all. */
    public void endNoDelay() {
        try {
            noDelay.end(tcp);
            noDelay = null;
        } catch (IOException e) {
            // The socket is being closed.
        }
    }

    /**
     * Called when the path leads to another host.
     *
     * @param idleSeconds after how many silent seconds the kernel probes TCP; 0: JFS asks for no probes
     */
    public void keepAlive(int idleSeconds) {
        keepAlive = KeepAlive.begin(tcp, idleSeconds);
    }

    public <T> void set(SocketOption<T> option, T value) throws IOException {
        if (keepAlive != null && KeepAlive.has(option)) {
            keepAlive.set(tcp, option, value);
        } else if (noDelay != null && NoDelay.is(option)) {
            noDelay.set(tcp, option, value);
        } else {
            tcp.setOption(option, value);
        }
    }

    public void set(int option, Object value) throws SocketException {
        if (keepAlive != null && KeepAlive.has(option)) {
            keepAlive.set(tcp, option, value);
        } else if (noDelay != null && NoDelay.is(option)) {
            noDelay.set(tcp, option, value);
        } else {
            tcp.setOption(option, value);
        }
    }

    public <T> T get(SocketOption<T> option) throws IOException {
        if (keepAlive != null && KeepAlive.has(option)) {
            return keepAlive.get(tcp, option);
        }
        return noDelay != null && NoDelay.is(option) ? noDelay.get(tcp, option) : tcp.getOption(option);
    }

    public Object get(int option) throws SocketException {
        if (keepAlive != null && KeepAlive.has(option)) {
            return keepAlive.get(tcp, option);
        }
        return noDelay != null && NoDelay.is(option) ? noDelay.get(tcp, option) : tcp.getOption(option);
    }
}
