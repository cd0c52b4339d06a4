package sun.nio.ch;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.JfsEnd;
import java.nio.channels.spi.SelectorProvider;

/**
 * The JDK's TCP channel, which tells its {@link JfsEnd} what the program does. A plain connection has no end: each method then loads a null
 * and does what the JDK does. {@code JdkClasses} of JFS checks that each method that is neither private nor static overrides one.
 */
final class JfsChannel extends SocketChannelImpl {

    /** Null for a plain connection. Volatile, because a program may hand the channel to another thread by a race. */
    private volatile JfsEnd end;

    JfsChannel(SelectorProvider provider) throws IOException {
        super(provider);
        end = JfsProvider.end(this, false);
    }

    JfsChannel(SelectorProvider provider, ProtocolFamily family) throws IOException {
        super(provider, family);
        end = JfsProvider.end(this, false);
    }

    /** Called once for an accepted channel, which no other thread knows yet. No constructor of this class has run for it. */
    static JfsChannel accepted(JfsChannel channel) {
        channel.end = JfsProvider.end(channel, true);
        return channel;
    }

    /** The end of a key's connection; null if that is plain or no TCP connection of JFS's provider. */
    static JfsEnd endOf(SelectionKeyImpl key) {
        return key.channel() instanceof JfsChannel channel ? channel.end : null;
    }

    /** @param bytes what a read of the JDK's has returned */
    private int received(int bytes) {
        JfsEnd it = end;
        if (it != null && bytes > 0) {
            it.received(bytes);
        }
        return bytes;
    }

    /** @param bytes what a write of the JDK's has returned */
    private int sent(int bytes) {
        JfsEnd it = end;
        if (it != null && bytes > 0) {
            it.sent(bytes);
        }
        return bytes;
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        return received(super.read(to));
    }

    @Override
    public long read(ByteBuffer[] to, int offset, int length) throws IOException {
        long bytes = super.read(to, offset, length);
        JfsEnd it = end;
        if (it != null && bytes > 0) {
            it.received(bytes);
        }
        return bytes;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        return sent(super.write(from));
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        long bytes = super.write(from, offset, length);
        JfsEnd it = end;
        if (it != null && bytes > 0) {
            it.sent(bytes);
        }
        return bytes;
    }

    /** A read by the adaptor's stream. */
    @Override
    int blockingRead(byte[] to, int offset, int length, long nanos) throws IOException {
        return received(super.blockingRead(to, offset, length, nanos));
    }

    /** A write by the adaptor's stream. If it fails, how many bytes TCP has taken is not known. */
    @Override
    void blockingWriteFully(byte[] from, int offset, int length) throws IOException {
        super.blockingWriteFully(from, offset, length);
        sent(length);
    }

    @Override
    int sendOutOfBandData(byte data) throws IOException {
        return sent(super.sendOutOfBandData(data));
    }

    @Override
    public int translateInterestOps(int ops) {
        JfsEnd it = end;
        int events = super.translateInterestOps(ops);
        return it == null ? events : it.interest(events);
    }

    @Override
    public boolean translateReadyOps(int events, int before, SelectionKeyImpl key) {
        JfsEnd it = end;
        return super.translateReadyOps(it == null ? events : it.ready(events), before, key);
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        try {
            JfsEnd it = end;
            if (it != null) {
                it.closing();
            }
        } finally {
            super.implCloseSelectableChannel();
        }
    }

    @Override
    public void kill() {
        try {
            super.kill();
        } finally {
            JfsEnd it = end;
            if (it != null) {
                it.killed();
            }
        }
    }

    /** The JDK's text begins with the name of the superclass, which it takes for {@link SocketChannel}. */
    @Override
    public String toString() {
        String text = super.toString();
        return SocketChannel.class.getName() + text.substring(text.indexOf('['));
    }
}
