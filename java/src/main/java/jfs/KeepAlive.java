package jfs;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import jfs.transport.tcp.TcpSocket;

/**
 * Keep-alive on TCP under a path between hosts. Nothing goes over TCP while the program's bytes take the path, however many
 * they are, and what is on the way (NAT, a firewall, a load balancer) forgets a connection on which it sees nothing. So the
 * kernel probes it now and then, and the program, which knows nothing of that, still reads the options as it has set them.
 *
 * <p>If it wants probes as often itself then it has its own. Else a connection is given up when as many as possible are
 * unanswered: every minute, after two hours, as the kernel does by default. Thread-safe; nothing blocks.
 */
final class KeepAlive {

    private static final String ON = "SO_KEEPALIVE";
    private static final String IDLE = "TCP_KEEPIDLE";
    private static final String INTERVAL = "TCP_KEEPINTERVAL";
    private static final String COUNT = "TCP_KEEPCOUNT";
    private static final Set<String> NAMES = Set.of(ON, IDLE, INTERVAL, COUNT);

    /** Probes without an answer: the most that the kernel takes. */
    private static final int UNANSWERED = 127;

    /** As the program has set them, by name; null before {@link #begin}, while the kernel has them. */
    private Map<String, Object> programs;
    private int seconds;

    /** Whether it is one of those that are not simply the kernel's. */
    static boolean has(SocketOption<?> option) {
        return NAMES.contains(option.name());
    }

    /** By the number of {@link SocketOptions}. */
    static boolean has(int option) {
        return option == SocketOptions.SO_KEEPALIVE;
    }

    /** @param idleSeconds how long there may be nothing on TCP; 0: for ever */
    synchronized void begin(TcpSocket tcp, int idleSeconds) {
        if (idleSeconds == 0) {
            return;
        }
        try {
            Map<String, Object> found = new HashMap<>();
            for (SocketOption<?> option : tcp.supportedOptions()) {
                if (has(option)) {
                    found.put(option.name(), tcp.getOption(option));
                }
            }
            if (found.size() == NAMES.size()) { // else there is no module jdk.net, and no way to say how often
                seconds = idleSeconds;
                programs = found;
                apply(tcp);
            }
        } catch (IOException e) {
            // It is being closed.
        }
    }

    /** What the kernel refuses it refuses as ever. */
    synchronized <T> void set(TcpSocket tcp, SocketOption<T> option, T value) throws IOException {
        tcp.setOption(option, value);
        changed(tcp, option.name(), value);
    }

    synchronized void set(TcpSocket tcp, int option, Object value) throws SocketException {
        tcp.setOption(option, value);
        try {
            changed(tcp, ON, value);
        } catch (IOException e) {
            throw e instanceof SocketException it ? it : new SocketException(e.getMessage());
        }
    }

    private void changed(TcpSocket tcp, String name, Object value) throws IOException {
        if (programs != null) {
            programs.put(name, value);
            apply(tcp);
        }
    }

    @SuppressWarnings("unchecked")
    synchronized <T> T get(TcpSocket tcp, SocketOption<T> option) throws IOException {
        T kernels = tcp.getOption(option); // which says whether it is closed
        return programs != null ? (T) programs.get(option.name()) : kernels;
    }

    synchronized Object get(TcpSocket tcp, int option) throws SocketException {
        Object kernels = tcp.getOption(option);
        return programs != null ? programs.get(ON) : kernels;
    }

    private void apply(TcpSocket tcp) throws IOException {
        boolean own = (Boolean) programs.get(ON) && (Integer) programs.get(IDLE) <= seconds;
        Map<String, Object> values = own ? programs
                : Map.of(ON, true, IDLE, seconds, INTERVAL, seconds, COUNT, UNANSWERED);
        for (SocketOption<?> option : tcp.supportedOptions()) {
            if (has(option)) {
                set(tcp, option, values);
            }
        }
    }

    private static <T> void set(TcpSocket tcp, SocketOption<T> option, Map<String, Object> values) throws IOException {
        tcp.setOption(option, option.type().cast(values.get(option.name())));
    }
}
