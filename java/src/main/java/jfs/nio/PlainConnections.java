package jfs.nio;

import java.nio.channels.SocketChannel;
import java.nio.channels.spi.JfsEnd;
import java.nio.channels.spi.JfsHook;
import java.util.concurrent.atomic.AtomicBoolean;
import jfs.stat.Stats;

/** The hook of a build that has no fast path for channels: all connections of channels stay plain, and are counted. */
final class PlainConnections implements JfsHook {

    /** Whether the log has said why an accepted channel is the JDK's. */
    private static final AtomicBoolean TOLD = new AtomicBoolean();

    @Override
    public JfsEnd end(SocketChannel channel, boolean accepted) {
        Stats.CHANNELS.increment();
        return null;
    }

    @Override
    public void keepsJdks(Throwable why) {
        Stats.CHANNELS.increment();
        if (TOLD.compareAndSet(false, true)) {
            try {
                Stats.channelKept(why.toString());
            } catch (RuntimeException | Error e) {
                // There may be no memory for a line of the log; the program gets its channel all the same.
            }
        }
    }
}
