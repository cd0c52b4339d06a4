package jfs.nio;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.spi.JfsListener;
import jfs.negotiation.Negotiator;
import jfs.negotiation.policy.Refusal;
import jfs.spi.NoResourcesException;
import jfs.stat.Reason;

/** A listening channel of the program: how offers find its connections, or why they do not. */
final class ListeningChannel implements JfsListener {

    private final Negotiator.Listening listening;
    private final Refusal unlisted;

    private ListeningChannel(Negotiator.Listening listening, Refusal unlisted) {
        this.listening = listening;
        this.unlisted = unlisted;
    }

    static ListeningChannel of(Negotiator negotiator, ServerSocketChannel channel) throws IOException {
        InetSocketAddress local = (InetSocketAddress) channel.getLocalAddress();
        try {
            return new ListeningChannel(negotiator.listening(channel, local.getAddress(), local.getPort()),
                    new Refusal(Reason.NO_NAME, null));
        } catch (NoResourcesException e) {
            return new ListeningChannel(null, new Refusal(Reason.NO_RESOURCES, e.getMessage()));
        }
    }

    /** @return null if offers can't find the connections that the channel accepts */
    Negotiator.Listening listening() {
        return listening;
    }

    /** Why offers can't find them; not used otherwise. */
    Refusal unlisted() {
        return unlisted;
    }

    @Override
    public void closed() {
        if (listening != null) {
            listening.close();
        }
    }
}
