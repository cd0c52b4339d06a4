package jfs.nio;

import java.nio.channels.spi.JfsTcp;
import jfs.connection.Connection;
import jfs.connection.Environment;
import jfs.spi.FastPath;
import jfs.stat.Reason;

/** The connection of a program's channel. When it gets a path, the channel's selectors have to look at the path from then on. */
final class ChannelConnection extends Connection {

    private final JfsTcp channel;
    /** The process's first seconds, in which no path comes (NIO-5). Null if one may come at once. */
    private final WarmUp warmUp;
    /** No path is attached from now on. */
    private volatile boolean staysOnTcp;
    /** Guarded by the write lock. */
    private int partlyWritten;

    ChannelConnection(Environment environment, ChannelTcp tcp, JfsTcp channel, WarmUp warmUp) {
        super(environment, tcp, 0);
        this.channel = channel;
        this.warmUp = warmUp;
    }

    @Override
    protected boolean isOfChannel() {
        return true;
    }

    @Override
    protected boolean mayNegotiate() {
        return warmUp == null || warmUp.isOver(tcp().isAccepted());
    }

    /** A blocking write begins. Called under the write lock, as the next two methods. */
    void beginWrite() {
        partlyWritten = 0;
    }

    @Override
    protected void partlyWritten(int bytes) {
        partlyWritten = bytes;
    }

    /** How many bytes the path had taken when the last blocking write failed. */
    int partlyWritten() {
        return partlyWritten;
    }

    /** @see java.nio.channels.spi.JfsEnd#inOtherSelector */
    void inOtherSelector() {
        stayOnTcp(Reason.OTHER_SELECTOR);
    }

    /**
     * The kernel sends the program's files. With a path for the other direction only, their receiver would watch both TCP and the path for
     * each read.
     */
    void sendsFiles() {
        stayOnTcp(Reason.SENDFILE);
    }

    private void stayOnTcp(Reason why) {
        if (!staysOnTcp && !isAttached()) {
            staysOnTcp = true;
            fallback(why, null);
        }
    }

    @Override
    public boolean attach(FastPath fast) {
        boolean attached = !staysOnTcp && super.attach(fast);
        if (attached) {
            channel.tellSelectors();
        }
        return attached;
    }
}
