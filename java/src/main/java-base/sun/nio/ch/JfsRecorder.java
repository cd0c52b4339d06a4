package sun.nio.ch;

import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import jdk.internal.event.SocketReadEvent;
import jdk.internal.event.SocketWriteEvent;
import jdk.internal.misc.Unsafe;
import jdk.jfr.events.EventConfigurations;
import jdk.jfr.events.Handlers;
import jdk.jfr.internal.event.EventConfiguration;
import jdk.jfr.internal.handlers.EventHandler;

/**
 * The flight recorder's events {@code jdk.SocketRead} and {@code jdk.SocketWrite} of reads and writes by a path. They are the JDK's own
 * events, committed as the JDK's channels commit theirs. Each JDK has classes of its own for that, and none has all that are imported here:
 * the compiler gets declarations of them. The JVM looks for a class when the code that uses it first runs.
 *
 * <ul>
 *   <li>JDK 22 and later: the channels call event classes of {@code java.base}, whose methods the flight recorder replaces.
 *   <li>JDK 17 to 21: the flight recorder replaces methods of the channels. Its classes can be used only after it was started.
 * </ul>
 */
final class JfsRecorder {

    private static final boolean EVENTS_IN_BASE = Runtime.version().feature() >= 22;
    private static final boolean HANDLERS = Runtime.version().feature() < 19;

    /** Where {@code jdk.jfr.FlightRecorder.initialized} is, which JDK 17 to 21 have; null without the module {@code jdk.jfr}. */
    private static final Object STARTED_BASE;
    private static final long STARTED_OFFSET;

    static {
        Object base = null;
        long offset = 0;
        if (!EVENTS_IN_BASE) {
            try {
                Field started = Class.forName("jdk.jfr.FlightRecorder", false, null).getDeclaredField("initialized");
                base = Unsafe.getUnsafe().staticFieldBase(started);
                offset = Unsafe.getUnsafe().staticFieldOffset(started);
            } catch (ReflectiveOperationException e) {
                // This Java runtime has no flight recorder.
            }
        }
        STARTED_BASE = base;
        STARTED_OFFSET = offset;
    }

    private JfsRecorder() {
    }

    /** Whether the flight recorder was ever started. Does not initialise its class, so it costs a look at a field. */
    private static boolean isStarted() {
        return STARTED_BASE != null && JfsStream.UNSAFE.getBooleanVolatile(STARTED_BASE, STARTED_OFFSET);
    }

    /** @return the time at which a read begins; 0 if the flight recorder does not record reads now */
    static long startRead() {
        if (EVENTS_IN_BASE) {
            return SocketReadEvent.enabled() ? SocketReadEvent.timestamp() : 0;
        }
        if (!isStarted()) {
            return 0;
        }
        if (HANDLERS) {
            return Handlers.SOCKET_READ.isEnabled() ? EventHandler.timestamp() : 0;
        }
        return EventConfigurations.SOCKET_READ.isEnabled() ? EventConfiguration.timestamp() : 0;
    }

    /** The same for a write. */
    static long startWrite() {
        if (EVENTS_IN_BASE) {
            return SocketWriteEvent.enabled() ? SocketWriteEvent.timestamp() : 0;
        }
        if (!isStarted()) {
            return 0;
        }
        if (HANDLERS) {
            return Handlers.SOCKET_WRITE.isEnabled() ? EventHandler.timestamp() : 0;
        }
        return EventConfigurations.SOCKET_WRITE.isEnabled() ? EventConfiguration.timestamp() : 0;
    }

    /**
     * A read by the path is over.
     *
     * @param start what {@link #startRead} has returned; not 0
     * @param bytes as the read returns it; 0 if it throws
     * @param failed whether it throws. JDK 17 and 21 have an event then, too
     */
    static void finishRead(long start, long bytes, boolean failed, SocketAddress remote) {
        if (EVENTS_IN_BASE) {
            if (!failed) {
                SocketReadEvent.offer(start, bytes, remote, 0);
            }
            return;
        }
        long duration = (HANDLERS ? EventHandler.timestamp() : EventConfiguration.timestamp()) - start;
        if (HANDLERS ? Handlers.SOCKET_READ.shouldCommit(duration) : EventConfigurations.SOCKET_READ.shouldCommit(duration)) {
            InetAddress peer = ((InetSocketAddress) remote).getAddress();
            int port = ((InetSocketAddress) remote).getPort();
            if (HANDLERS) {
                Handlers.SOCKET_READ.write(start, duration, host(peer), peer.getHostAddress(), port, 0, Math.max(bytes, 0), bytes < 0);
            } else {
                jdk.jfr.events.SocketReadEvent.commit(start, duration, host(peer), peer.getHostAddress(), port, 0, Math.max(bytes, 0),
                        bytes < 0);
            }
        }
    }

    /** The same for a write. */
    static void finishWrite(long start, long bytes, boolean failed, SocketAddress remote) {
        if (EVENTS_IN_BASE) {
            if (!failed) {
                SocketWriteEvent.offer(start, bytes, remote);
            }
            return;
        }
        long duration = (HANDLERS ? EventHandler.timestamp() : EventConfiguration.timestamp()) - start;
        if (HANDLERS ? Handlers.SOCKET_WRITE.shouldCommit(duration) : EventConfigurations.SOCKET_WRITE.shouldCommit(duration)) {
            InetAddress peer = ((InetSocketAddress) remote).getAddress();
            int port = ((InetSocketAddress) remote).getPort();
            if (HANDLERS) {
                Handlers.SOCKET_WRITE.write(start, duration, host(peer), peer.getHostAddress(), port, bytes);
            } else {
                jdk.jfr.events.SocketWriteEvent.commit(start, duration, host(peer), peer.getHostAddress(), port, bytes);
            }
        }
    }

    /** The name of the host, if the address has one. No name is looked up. */
    private static String host(InetAddress peer) {
        String nameAndAddress = peer.toString();
        return nameAndAddress.substring(0, nameAndAddress.lastIndexOf('/'));
    }
}
