package jfs.transport.tcp;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jfs.procfs.Descriptors;
import jfs.procfs.MappedFiles;
import jfs.procfs.OutOfReach;
import jfs.procfs.TcpTable;
import jfs.stat.ChannelProvider;
import jfs.stat.Stats;

/**
 * The TCP connections of this process that are not JFS's: those of SocketChannels that are not of JFS's provider, of native libraries, and
 * of sockets that were made before JFS was there. They are not counted while the program runs. All methods look when they are called: the
 * kernel knows what is open and which libraries are loaded now, the JVM knows whether a class was ever used. None of them costs anything
 * before it is called.
 */
public final class OtherConnections extends OutOfReach {

    private OtherConnections() {
    }

    /** The one way to this class: with a constructor instead, the JVM would load this class together with its caller. */
    public static OutOfReach look() {
        return new OtherConnections();
    }

    /**
     * How many such connections there are now. The time for it grows with the lists of this process's descriptors and of its
     * network namespace's TCP sockets. A connection that is being made or closed meanwhile may be counted or not.
     *
     * @return -1 if that can't be known
     */
    @Override
    public int connections() {
        Map<Integer, Long> sockets = Descriptors.sockets();
        if (sockets == null || OwnDescriptors.UNKNOWN.get() > 0) {
            return -1; // not Linux, or JFS has channels whose descriptors can't be known
        }
        Map<Long, Integer> descriptors = new HashMap<>();
        sockets.forEach((descriptor, inode) -> descriptors.put(inode, descriptor));
        int[] count = {0};
        TcpTable.find(row -> {
            // Each descriptor is removed when it is found, because a list that changes while it is read may have a socket twice.
            Integer descriptor = row.state() == TcpTable.ESTABLISHED ? descriptors.remove(row.inode()) : null;
            if (descriptor != null && !OwnDescriptors.has(descriptor, row.localPort())) {
                count[0]++;
            }
            return false;
        });
        return count[0];
    }

    /** Whether this process has ever made a SocketChannel that JFS can't reach; false also if that can't be known. */
    @Override
    public boolean channelsWereUsed() {
        // The class of the JDK's channels serves Unix sockets too, and if JFS itself works over channels, it tells nothing of the program.
        return ChannelProvider.isInstalled() ? Stats.PLAIN_CHANNELS.sum() > 0 : wasUsed("SocketChannelImpl") && !isOverChannels();
    }

    @Override
    public List<String> others() {
        List<String> texts = new ArrayList<>(NettyLibraries.among(MappedFiles.names()));
        if (wasUsed("UnixAsynchronousSocketChannelImpl")) {
            texts.add("AsynchronousSocketChannel was used, which JFS can't reach");
        }
        return texts;
    }

    private static boolean isOverChannels() {
        try {
            return JdkAccess.isInitialized(NioSocket.class);
        } catch (Throwable e) {
            return true; // this JDK is not as expected
        }
    }

    /** Whether the JVM has initialised a class of the JDK's channels; false also if that can't be known. */
    private static boolean wasUsed(String name) {
        try {
            return JdkAccess.lookup() != null && JdkAccess.isInitialized(Class.forName("sun.nio.ch." + name, false, null));
        } catch (Throwable e) {
            return false; // this JDK is not as expected
        }
    }
}
