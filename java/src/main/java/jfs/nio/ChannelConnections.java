package jfs.nio;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.JfsEnd;
import java.nio.channels.spi.JfsHook;
import java.nio.channels.spi.JfsListener;
import java.nio.channels.spi.JfsTcp;
import java.nio.channels.spi.JfsWaiting;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import jfs.connection.Environment;
import jfs.nativelib.Posix;
import jfs.stat.Stats;

/** Makes the ends of the connections of channels. The environment is made for the first one. */
final class ChannelConnections implements JfsHook, Executor {

    /** Whether the log has said why a channel is plain. */
    private static final AtomicBoolean TOLD = new AtomicBoolean();

    private final Supplier<? extends Environment> environment;
    private final WarmUp warmUp = new WarmUp();

    ChannelConnections(Supplier<? extends Environment> environment) {
        this.environment = environment;
    }

    @Override
    public JfsEnd connected(SocketChannel channel) {
        return end(channel, null);
    }

    @Override
    public JfsEnd accepted(SocketChannel channel, JfsListener listener) {
        return end(channel, (ListeningChannel) listener);
    }

    /** A failure leaves the channel plain: it is connected, and the program can use it. */
    private JfsEnd end(SocketChannel channel, ListeningChannel acceptedBy) {
        try {
            ChannelTcp tcp = new ChannelTcp(channel, this);
            Environment here = environment.get();
            ChannelConnection connection = new ChannelConnection(here, tcp, (JfsTcp) channel, here.settings().nioAtOnce() ? null : warmUp);
            return new ChannelEnd(connection, tcp, (JfsTcp) channel, acceptedBy);
        } catch (IOException | RuntimeException | Error e) {
            staysPlain(e);
            return null;
        }
    }

    @Override
    public JfsListener listening(ServerSocketChannel channel) {
        try {
            return ListeningChannel.of(environment.get().negotiator(), channel);
        } catch (IOException | RuntimeException | Error e) {
            staysPlain(e);
            return null;
        }
    }

    /** Runs what is left of a close, by the negotiation's thread. */
    @Override
    public void execute(Runnable task) {
        environment.get().negotiator().execute(task);
    }

    @Override
    public JfsWaiting newWaiting(int epoll, Runnable kernelNews) {
        try {
            return new SelectorWaiting(epoll, kernelNews, environment.get().settings().pollMicros());
        } catch (RuntimeException | Error e) { // for want of memory
            return null;
        }
    }

    /** The negotiation's loop has an epoll, to which nothing can be written, and which is open as long as the process. */
    @Override
    public int unsendable() {
        try {
            return environment.get().negotiator().loop().descriptor();
        } catch (RuntimeException | Error e) { // nothing was negotiated yet, and there is no memory or thread for that now
            return Posix.epollCreate();
        }
    }

    @Override
    public void keepsJdks(Throwable why) {
        staysPlain(why);
    }

    private static void staysPlain(Throwable why) {
        Stats.PLAIN_CHANNELS.increment();
        if (TOLD.compareAndSet(false, true)) {
            try {
                Stats.channelIsPlain(why.toString());
            } catch (RuntimeException | Error e) {
                // There may be no memory for a line of the log; the program gets its channel all the same.
            }
        }
    }
}
