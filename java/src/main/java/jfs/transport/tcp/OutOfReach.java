package jfs.transport.tcp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import jfs.procfs.Descriptors;
import jfs.procfs.TcpTable;

/**
 * The TCP connections of this process that are none of JFS's: those of SocketChannels, of native libraries, of sockets
 * made before JFS was there. Nobody counts those, so both questions are answered by looking: the kernel has what is
 * open now, the JVM knows whether a class was ever used. Neither costs anything until it is asked.
 */
public final class OutOfReach {

    private OutOfReach() {
    }

    /**
     * How many there are now. Takes as long as the lists of this process's descriptors and of its network namespace's
     * TCP sockets; a connection that is being made or closed meanwhile may be counted.
     *
     * @return -1 if that can't be known
     */
    public static int connections() {
        Map<Integer, Long> sockets = Descriptors.sockets();
        Set<Integer> ours = TcpEnd.descriptors();
        if (sockets == null || ours.contains(-1) && JdkAccess.unavailable() != null) {
            return -1; // no Linux, or there are channels of our own whose descriptors we can't know
        }
        ours.forEach(sockets::remove);
        Set<Long> others = new HashSet<>(sockets.values());
        int[] count = {0};
        TcpTable.find(row -> {
            if (row.state() == TcpTable.ESTABLISHED && others.remove(row.inode())) {
                count[0]++; // once: a list that changes while it is read may have a socket twice
            }
            return false;
        });
        return count[0];
    }

    /** Whether this process has ever made a SocketChannel; false as well if that can't be known. */
    public static boolean channelsWereUsed() {
        MethodHandles.Lookup lookup = JdkAccess.lookup();
        try {
            // Where JFS itself works on channels their class tells nothing of the program.
            return lookup != null && !isInitialized(NioSocket.class, lookup)
                    && isInitialized(Class.forName("sun.nio.ch.SocketChannelImpl", false, null), lookup);
        } catch (Throwable e) {
            return false; // this JDK is not as expected
        }
    }

    private static boolean isInitialized(Class<?> type, MethodHandles.Lookup lookup) throws Throwable {
        Class<?> unsafe = Class.forName("jdk.internal.misc.Unsafe");
        Object instance = lookup.findStatic(unsafe, "getUnsafe", MethodType.methodType(unsafe)).invoke();
        return !(boolean) lookup.findVirtual(unsafe, "shouldBeInitialized",
                MethodType.methodType(boolean.class, Class.class)).invoke(instance, type);
    }
}
