package jfs.transport.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A channel's options as {@code java.net} has them: the set of options, the old numbers beside the new names, values and
 * errors. They differ from the channel's own options in two points:
 *
 * <ul>
 * <li>A listening channel has no IP_TOS, but a listening socket has. The option is meant for the accepted connections,
 * which inherit it. So its value is kept here and {@linkplain #inherit passed on}.
 * <li>SO_OOBINLINE has no public name. Only the channel's adaptor to {@link java.net.Socket} has it.
 * </ul>
 *
 * <p>Not thread-safe: the socket's state lock guards it.
 */
final class ChannelOptions {

    private static final Map<Integer, SocketOption<?>> NAMED = Map.of(
            SocketOptions.IP_TOS, StandardSocketOptions.IP_TOS,
            SocketOptions.SO_KEEPALIVE, StandardSocketOptions.SO_KEEPALIVE,
            SocketOptions.SO_LINGER, StandardSocketOptions.SO_LINGER,
            SocketOptions.SO_RCVBUF, StandardSocketOptions.SO_RCVBUF,
            SocketOptions.SO_REUSEADDR, StandardSocketOptions.SO_REUSEADDR,
            SocketOptions.SO_REUSEPORT, StandardSocketOptions.SO_REUSEPORT,
            SocketOptions.SO_SNDBUF, StandardSocketOptions.SO_SNDBUF,
            SocketOptions.TCP_NODELAY, StandardSocketOptions.TCP_NODELAY);

    private final NetworkChannel channel;
    private final Set<SocketOption<?>> supported;
    /** The IP_TOS of a listening channel. */
    private Integer trafficClass = 0;

    ChannelOptions(NetworkChannel channel) {
        this.channel = channel;
        Set<SocketOption<?>> options = new HashSet<>(channel.supportedOptions());
        options.removeIf(option -> option.name().equals("SO_OOBINLINE")); // the channel has a name for it, but one of sun.nio.ch
        options.add(StandardSocketOptions.IP_TOS);
        supported = Collections.unmodifiableSet(options);
    }

    Set<SocketOption<?>> supported() {
        return supported;
    }

    /** @param value of the option's type */
    <T> void set(SocketOption<T> option, T value) throws IOException {
        requireSupported(option);
        if (isKeptHere(option)) {
            int tos = (Integer) value;
            if (tos < 0 || tos > 255) {
                throw new IllegalArgumentException("Invalid IP_TOS value");
            }
            trafficClass = tos & ~3; // as on Linux, where a program can't set the two lowest bits
        } else {
            channel.setOption(option, value);
        }
    }

    @SuppressWarnings("unchecked")
    <T> T get(SocketOption<T> option) throws IOException {
        requireSupported(option);
        return isKeptHere(option) ? (T) trafficClass : channel.getOption(option);
    }

    static void requireType(SocketOption<?> option, Object value) {
        if (!option.type().isInstance(value)) {
            throw new IllegalArgumentException("Invalid value '" + value + "'");
        }
    }

    void requireSupported(SocketOption<?> option) {
        if (!supported.contains(option)) {
            throw new UnsupportedOperationException("'" + option + "' not supported");
        }
    }

    private boolean isKeptHere(SocketOption<?> option) {
        return option == StandardSocketOptions.IP_TOS && channel instanceof ServerSocketChannel;
    }

    /** Gives an accepted connection what it inherits from its listener, beside what the kernel gives it. */
    void inherit(SocketChannel accepted) throws IOException {
        if (trafficClass != 0) {
            accepted.setOption(StandardSocketOptions.IP_TOS, trafficClass);
        }
    }

    /** Sets an option by its number of {@link SocketOptions}, but not SO_TIMEOUT, which channels do not have. */
    void set(int option, Object value) throws SocketException {
        try {
            if (option == SocketOptions.SO_OOBINLINE) {
                adaptor(option).setOOBInline((Boolean) checked(value, Boolean.class, "SO_OOBINLINE"));
                return;
            }
            SocketOption<Object> named = named(option);
            boolean off = option == SocketOptions.SO_LINGER && Boolean.FALSE.equals(value);
            Object checked = off ? Integer.valueOf(-1) : checked(value, named.type(), named.name());
            boolean size = option == SocketOptions.SO_SNDBUF || option == SocketOptions.SO_RCVBUF;
            if (size && (Integer) checked <= 0) {
                throw new SocketException(named.name() + " <= 0");
            }
            set(named, checked);
        } catch (IOException | IllegalArgumentException | UnsupportedOperationException e) {
            throw asSocketException(e);
        }
    }

    private static Object checked(Object value, Class<?> type, String name) throws SocketException {
        if (!type.isInstance(value)) {
            throw new SocketException("Bad value for " + name);
        }
        return value;
    }

    /** Gets an option by its number of {@link SocketOptions}, but not SO_TIMEOUT. */
    Object get(int option) throws SocketException {
        try {
            switch (option) {
                case SocketOptions.SO_BINDADDR -> {
                    InetSocketAddress local = (InetSocketAddress) channel.getLocalAddress();
                    return (local != null ? local : new InetSocketAddress(0)).getAddress();
                }
                case SocketOptions.SO_OOBINLINE -> {
                    return adaptor(option).getOOBInline();
                }
                default -> {
                    Object value = get(named(option));
                    boolean off = option == SocketOptions.SO_LINGER && value.equals(-1);
                    return off ? Boolean.FALSE : value;
                }
            }
        } catch (IOException | IllegalArgumentException | UnsupportedOperationException e) {
            throw asSocketException(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static SocketOption<Object> named(int option) throws SocketException {
        SocketOption<?> named = NAMED.get(option);
        if (named == null) {
            throw unknown(option);
        }
        return (SocketOption<Object>) named;
    }

    private Socket adaptor(int option) throws SocketException {
        if (channel instanceof SocketChannel connection) {
            return connection.socket();
        }
        throw unknown(option);
    }

    private static SocketException unknown(int option) {
        return new SocketException("Unknown option " + option);
    }

    private static SocketException asSocketException(Exception e) {
        return NioSocket.asSocketException(e instanceof IOException io ? io : new IOException(e.getMessage(), e));
    }
}
