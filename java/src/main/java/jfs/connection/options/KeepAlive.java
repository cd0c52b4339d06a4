package jfs.connection.options;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import jfs.transport.tcp.TcpEnd;

/**
 * Keep-alive of TCP beside a path between hosts. While the program's bytes take the path, nothing goes over TCP, however many bytes there
 * are. A device on the way (NAT, a firewall, a load balancer) forgets a connection on which it sees nothing. Therefore JFS makes the kernel
 * send probes. The program does not see this change: it still reads the options as it has set them.
 *
 * <p>If the program itself wants probes at least as early, its own options apply. Otherwise the kernel gives a connection up only after
 * the greatest possible number of unanswered probes. With one probe a minute that takes two hours, as by the kernel's default. A
 * connection has an instance only beside a path between hosts. The methods are called under the connection's monitor. None of them blocks.
 */
final class KeepAlive {

    private static final String ON = "SO_KEEPALIVE";
    private static final String IDLE = "TCP_KEEPIDLE";
    private static final String INTERVAL = "TCP_KEEPINTERVAL";
    private static final String COUNT = "TCP_KEEPCOUNT";
    private static final Set<String> NAMES = Set.of(ON, IDLE, INTERVAL, COUNT);

    /** The number of unanswered probes after which the kernel gives up: the most that it accepts. */
    private static final int UNANSWERED = 127;

    /** The values that the program has set, by the option's name. */
    private final Map<String, Object> programs;
    private final int seconds;

    private KeepAlive(Map<String, Object> programs, int seconds) {
        this.programs = programs;
        this.seconds = seconds;
    }

    /** Whether the option is one whose value in the kernel may differ from the program's. */
    static boolean has(SocketOption<?> option) {
        return NAMES.contains(option.name());
    }

    /** The same by the number of {@link SocketOptions}. */
    static boolean has(int option) {
        return option == SocketOptions.SO_KEEPALIVE;
    }

    /**
     * @param idleSeconds after how many silent seconds the kernel probes TCP; 0: JFS asks for no probes
     * @return null if the kernel keeps the program's values
     */
    static KeepAlive begin(TcpEnd tcp, int idleSeconds) {
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
            if (found.size() < NAMES.size()) { // without the module jdk.net there is no way to say how often
                return null;
            }
            KeepAlive it = new KeepAlive(found, idleSeconds);
            try {
                it.apply(tcp);
            } catch (IOException e) {
                // The socket is being closed, or the kernel refuses a value. The options set before are not the program's, so the
                // instance is needed all the same.
            }
            return it;
        } catch (IOException e) { // the socket is being closed
            return null;
        }
    }

    /** Sets an option for the program. If the kernel refuses a value, the call fails as it does without JFS. */
    <T> void set(TcpEnd tcp, SocketOption<T> option, T value) throws IOException {
        tcp.setOption(option, value);
        programs.put(option.name(), value);
        apply(tcp);
    }

    void set(TcpEnd tcp, int option, Object value) throws SocketException {
        tcp.setOption(option, value);
        programs.put(ON, value);
        try {
            apply(tcp);
        } catch (IOException e) {
            throw e instanceof SocketException it ? it : new SocketException(e.getMessage());
        }
    }

    @SuppressWarnings("unchecked")
    <T> T get(TcpEnd tcp, SocketOption<T> option) throws IOException {
        tcp.getOption(option); // throws if the socket is closed
        return (T) programs.get(option.name());
    }

    Object get(TcpEnd tcp, int option) throws SocketException {
        tcp.getOption(option);
        return programs.get(ON);
    }

    private void apply(TcpEnd tcp) throws IOException {
        boolean own = (Boolean) programs.get(ON) && (Integer) programs.get(IDLE) <= seconds;
        Map<String, Object> values = own ? programs
                : Map.of(ON, true, IDLE, seconds, INTERVAL, seconds, COUNT, UNANSWERED);
        for (SocketOption<?> option : tcp.supportedOptions()) {
            if (has(option)) {
                set(tcp, option, values);
            }
        }
    }

    private static <T> void set(TcpEnd tcp, SocketOption<T> option, Map<String, Object> values) throws IOException {
        tcp.setOption(option, option.type().cast(values.get(option.name())));
    }
}
