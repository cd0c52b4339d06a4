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
 * unanswered: every minute, after two hours, as the kernel does by default. A connection has an instance only beside a path between hosts.
 * Used under the socket's monitor; nothing blocks.
 */
final class KeepAlive {

    private static final String ON = "SO_KEEPALIVE";
    private static final String IDLE = "TCP_KEEPIDLE";
    private static final String INTERVAL = "TCP_KEEPINTERVAL";
    private static final String COUNT = "TCP_KEEPCOUNT";
    private static final Set<String> NAMES = Set.of(ON, IDLE, INTERVAL, COUNT);

    /** Probes without an answer: the most that the kernel takes. */
    private static final int UNANSWERED = 127;

    /** As the program has set them, by name. */
    private final Map<String, Object> programs;
    private final int seconds;

    private KeepAlive(Map<String, Object> programs, int seconds) {
        this.programs = programs;
        this.seconds = seconds;
    }

    /** Whether it is one of those that are not simply the kernel's. */
    static boolean has(SocketOption<?> option) {
        return NAMES.contains(option.name());
    }

    /** By the number of {@link SocketOptions}. */
    static boolean has(int option) {
        return option == SocketOptions.SO_KEEPALIVE;
    }

    /**
     * @param idleSeconds how long there may be nothing on TCP; 0: for ever
     * @return null if the options stay simply the kernel's
     */
    static KeepAlive begin(TcpSocket tcp, int idleSeconds) {
        if (idleSeconds == 0) {
            return null;
        }
        try {
            Map<String, Object> found = new HashMap<>();
            for (SocketOption<?> option : tcp.supportedOptions()) {
                if (has(option)) {
                    found.put(option.name(), tcp.getOption(option));
                }
            }
            if (found.size() < NAMES.size()) { // there is no module jdk.net, and no way to say how often
                return null;
            }
            KeepAlive it = new KeepAlive(found, idleSeconds);
            try {
                it.apply(tcp);
            } catch (IOException e) {
                // It is being closed, or the kernel refuses: what has been set before is not the program's, so it is needed all the same.
            }
            return it;
        } catch (IOException e) { // it is being closed
            return null;
        }
    }

    /** What the kernel refuses it refuses as ever. */
    <T> void set(TcpSocket tcp, SocketOption<T> option, T value) throws IOException {
        tcp.setOption(option, value);
        programs.put(option.name(), value);
        apply(tcp);
    }

    void set(TcpSocket tcp, int option, Object value) throws SocketException {
        tcp.setOption(option, value);
        programs.put(ON, value);
        try {
            apply(tcp);
        } catch (IOException e) {
            throw e instanceof SocketException it ? it : new SocketException(e.getMessage());
        }
    }

    @SuppressWarnings("unchecked")
    <T> T get(TcpSocket tcp, SocketOption<T> option) throws IOException {
        tcp.getOption(option); // which says whether it is closed
        return (T) programs.get(option.name());
    }

    Object get(TcpSocket tcp, int option) throws SocketException {
        tcp.getOption(option);
        return programs.get(ON);
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
