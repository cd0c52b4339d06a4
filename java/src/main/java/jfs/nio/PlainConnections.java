package jfs.nio;

import java.nio.channels.SocketChannel;
import java.nio.channels.spi.JfsEnd;
import java.nio.channels.spi.JfsHook;
import jfs.stat.Stats;

/** The hook of a build that has no fast path for channels: all connections of channels stay plain, and are counted. */
final class PlainConnections implements JfsHook {

    @Override
    public JfsEnd end(SocketChannel channel, boolean accepted) {
        Stats.CHANNELS.increment();
        return null;
    }
}
