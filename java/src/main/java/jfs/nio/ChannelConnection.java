package jfs.nio;

import java.nio.channels.spi.JfsTcp;
import jfs.connection.Connection;
import jfs.connection.Environment;
import jfs.spi.FastPath;

/** The connection of a program's channel. When it gets a path, the channel's selectors have to look at the path from then on. */
final class ChannelConnection extends Connection {

    private final JfsTcp channel;

    ChannelConnection(Environment environment, ChannelTcp tcp, JfsTcp channel) {
        super(environment, tcp, 0);
        this.channel = channel;
    }

    @Override
    public boolean attach(FastPath fast) {
        boolean attached = super.attach(fast);
        if (attached) {
            channel.tellSelectors();
        }
        return attached;
    }
}
