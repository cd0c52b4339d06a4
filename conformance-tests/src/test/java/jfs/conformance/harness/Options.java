package jfs.conformance.harness;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import jdk.net.ExtendedSocketOptions;

/** Every option by both of {@code java.net}'s interfaces, with values that are allowed and values that are not. */
public final class Options {

    /** An option that no socket supports, with the name and the type of one that all sockets support. */
    record Unknown(String name, Class<Boolean> type) implements SocketOption<Boolean> {
    }

    /**
     * Integers on both sides of each limit of an option. None is a port that the kernel gives out: a transcript would take
     * the number for that port.
     */
    private static final List<Object> NUMBERS = Arrays.asList(Integer.MIN_VALUE, -1, 0, 1, 5, 127, 128, 255, 256,
            32_767, 65_535, 65_536, 100_000, Integer.MAX_VALUE, 70_000, null, "5", 5L, true);
    private static final List<Object> SWITCHES = Arrays.asList(true, null, "true", 1, false);

    /** All options of the JDK, and one that a program has made. */
    static final List<SocketOption<?>> ALL = List.of(StandardSocketOptions.IP_MULTICAST_IF,
            StandardSocketOptions.IP_MULTICAST_LOOP, StandardSocketOptions.IP_MULTICAST_TTL,
            StandardSocketOptions.IP_TOS, StandardSocketOptions.SO_BROADCAST, StandardSocketOptions.SO_KEEPALIVE,
            StandardSocketOptions.SO_LINGER, StandardSocketOptions.SO_RCVBUF, StandardSocketOptions.SO_REUSEADDR,
            StandardSocketOptions.SO_REUSEPORT, StandardSocketOptions.SO_SNDBUF, StandardSocketOptions.TCP_NODELAY,
            ExtendedSocketOptions.SO_INCOMING_NAPI_ID, ExtendedSocketOptions.SO_PEERCRED,
            ExtendedSocketOptions.TCP_KEEPCOUNT, ExtendedSocketOptions.TCP_KEEPIDLE,
            ExtendedSocketOptions.TCP_KEEPINTERVAL, ExtendedSocketOptions.TCP_QUICKACK,
            new Unknown("TCP_NODELAY", Boolean.class));

    private Options() {
    }

    /** What {@link Socket} and {@link ServerSocket} have in common. {@code java.net} has no type for that. */
    private interface Holder {

        Set<SocketOption<?>> supported();

        Object get(SocketOption<?> option) throws IOException;

        Object set(SocketOption<Object> option, Object value) throws IOException;
    }

    private static Holder holder(Socket socket) {
        return new Holder() {
            @Override
            public Set<SocketOption<?>> supported() {
                return socket.supportedOptions();
            }

            @Override
            public Object get(SocketOption<?> option) throws IOException {
                return socket.getOption(option);
            }

            @Override
            public Object set(SocketOption<Object> option, Object value) throws IOException {
                return socket.setOption(option, value) == socket;
            }
        };
    }

    private static Holder holder(ServerSocket listener) {
        return new Holder() {
            @Override
            public Set<SocketOption<?>> supported() {
                return listener.supportedOptions();
            }

            @Override
            public Object get(SocketOption<?> option) throws IOException {
                return listener.getOption(option);
            }

            @Override
            public Object set(SocketOption<Object> option, Object value) throws IOException {
                return listener.setOption(option, value) == listener;
            }
        };
    }

    /** Writes down the values of all options in one state of the socket. */
    public static void look(Transcript seen, String when, Socket socket) {
        look(seen, when, holder(socket));
        seen.see("getKeepAlive", socket::getKeepAlive);
        seen.see("getOOBInline", socket::getOOBInline);
        seen.see("getReceiveBufferSize", socket::getReceiveBufferSize);
        seen.see("getReuseAddress", socket::getReuseAddress);
        seen.see("getSendBufferSize", socket::getSendBufferSize);
        seen.see("getSoLinger", socket::getSoLinger);
        seen.see("getSoTimeout", socket::getSoTimeout);
        seen.see("getTcpNoDelay", socket::getTcpNoDelay);
        seen.see("getTrafficClass", socket::getTrafficClass);
    }

    /** Writes down the values of all options in one state of the listener. */
    public static void look(Transcript seen, String when, ServerSocket listener) {
        look(seen, when, holder(listener));
        seen.see("getReceiveBufferSize", listener::getReceiveBufferSize);
        seen.see("getReuseAddress", listener::getReuseAddress);
        seen.see("getSoTimeout", listener::getSoTimeout);
    }

    private static void look(Transcript seen, String when, Holder holder) {
        seen.line(when);
        seen.see("supported", holder::supported);
        seen.see("no option", () -> holder.get(null));
        for (SocketOption<?> option : ALL) {
            seen.see(option.name(), () -> isTheKernels(option, holder) ? "something" : holder.get(option));
        }
    }

    /** Whether the kernel changes this option's value by itself once there is a connection. */
    private static boolean isTheKernels(SocketOption<?> option, Holder holder) throws IOException {
        return option == ExtendedSocketOptions.TCP_QUICKACK && holder.get(option) instanceof Boolean;
    }

    /** Sets all options to all kinds of value. */
    public static void setAll(Transcript seen, Socket socket) {
        setAll(seen, holder(socket));
        for (boolean on : new boolean[] {true, false}) {
            seen.see("setKeepAlive " + on, () -> socket.setKeepAlive(on));
            seen.see("is", socket::getKeepAlive);
            seen.see("setOOBInline " + on, () -> socket.setOOBInline(on));
            seen.see("is", socket::getOOBInline);
            seen.see("setReuseAddress " + on, () -> socket.setReuseAddress(on));
            seen.see("is", socket::getReuseAddress);
            seen.see("setTcpNoDelay " + on, () -> socket.setTcpNoDelay(on));
            seen.see("is", socket::getTcpNoDelay);
        }
        for (Object value : NUMBERS) {
            if (value instanceof Integer number) {
                seen.see("setReceiveBufferSize " + number, () -> socket.setReceiveBufferSize(number));
                seen.see("is", socket::getReceiveBufferSize);
                seen.see("setSendBufferSize " + number, () -> socket.setSendBufferSize(number));
                seen.see("is", socket::getSendBufferSize);
                seen.see("setSoLinger " + number, () -> socket.setSoLinger(true, number));
                seen.see("is", socket::getSoLinger);
                seen.see("setSoLinger off, " + number, () -> socket.setSoLinger(false, number));
                seen.see("is", socket::getSoLinger);
                seen.see("setSoTimeout " + number, () -> socket.setSoTimeout(number));
                seen.see("is", socket::getSoTimeout);
                seen.see("setTrafficClass " + number, () -> socket.setTrafficClass(number));
                seen.see("is", socket::getTrafficClass);
            }
        }
        seen.see("setPerformancePreferences", () -> socket.setPerformancePreferences(-1, 0, 1));
    }

    /** Sets all options to all kinds of value. */
    public static void setAll(Transcript seen, ServerSocket listener) {
        setAll(seen, holder(listener));
        for (boolean on : new boolean[] {true, false}) {
            seen.see("setReuseAddress " + on, () -> listener.setReuseAddress(on));
            seen.see("is", listener::getReuseAddress);
        }
        for (Object value : NUMBERS) {
            if (value instanceof Integer number) {
                seen.see("setReceiveBufferSize " + number, () -> listener.setReceiveBufferSize(number));
                seen.see("is", listener::getReceiveBufferSize);
                seen.see("setSoTimeout " + number, () -> listener.setSoTimeout(number));
                seen.see("is", listener::getSoTimeout);
            }
        }
        seen.see("setPerformancePreferences", () -> listener.setPerformancePreferences(-1, 0, 1));
    }

    @SuppressWarnings("unchecked")
    private static void setAll(Transcript seen, Holder holder) {
        seen.see("no option", () -> holder.set(null, 1));
        for (SocketOption<?> option : ALL) {
            for (Object value : valuesOf(option)) {
                String what = option.name() + " to " + (value instanceof Integer ? "" : "what is no number, ") + value;
                seen.see(what, () -> holder.set((SocketOption<Object>) option, value));
                seen.see("is", () -> isTheKernels(option, holder) ? "something" : holder.get(option));
            }
        }
    }

    private static List<Object> valuesOf(SocketOption<?> option) {
        if (option.type() == NetworkInterface.class) {
            return Arrays.asList(null, InetAddress.getLoopbackAddress());
        }
        if (option == StandardSocketOptions.SO_LINGER) { // it is off at the end, since close might otherwise wait for so long
            return Arrays.asList(Integer.MIN_VALUE, 0, 1, 65_535, 65_536, Integer.MAX_VALUE, null, "1", false, -1);
        }
        return option.type() == Integer.class ? NUMBERS : SWITCHES;
    }

    /** Sets each supported option to a value that is not its default. */
    public static void change(Socket socket) throws IOException {
        change(holder(socket));
        socket.setOOBInline(true);
        socket.setSoTimeout(12_345);
    }

    /** Sets each supported option to a value that is not its default. */
    public static void change(ServerSocket listener) throws IOException {
        change(holder(listener));
        listener.setSoTimeout(12_345);
    }

    @SuppressWarnings("unchecked")
    private static void change(Holder holder) throws IOException {
        for (SocketOption<?> option : holder.supported()) {
            if (option == ExtendedSocketOptions.SO_INCOMING_NAPI_ID) {
                continue; // read-only
            }
            Object value = holder.get(option);
            Object other = value instanceof Boolean on ? !on : switch (option.name()) {
                case "IP_TOS" -> 0x10;
                case "SO_RCVBUF", "SO_SNDBUF" -> 30_000;
                default -> 7;
            };
            holder.set((SocketOption<Object>) option, other);
        }
    }
}
