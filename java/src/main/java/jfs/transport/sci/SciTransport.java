package jfs.transport.sci;

import java.io.IOException;
import java.nio.ByteBuffer;
import jfs.memory.Shared;
import jfs.ring.Inbox;
import jfs.ring.InboxLayout;
import jfs.spi.FastPath;
import jfs.spi.Transport;

/**
 * Sets up {@link SciPath}s. The connecting end creates the segment and its description names it: node, segment id,
 * interrupt number, sizes. The accepting end connects to it, checks the nonce in it against the offer's, and answers
 * with its own node and interrupt number.
 */
public final class SciTransport implements Transport {

    public static final String NAME = "sci";

    private final Sizes sizes;

    /**
     * @param window bytes of the ring, rounded up to whole pages
     * @param overflow bytes of the overflow ring, a power of two
     * @param longMin border of the long protocol, bytes
     * @param pollMicros longest poll, microseconds
     */
    public record Sizes(int window, int overflow, int longMin, int pollMicros) {
        public Sizes {
            window = (window + InboxLayout.PAGE - 1) / InboxLayout.PAGE * InboxLayout.PAGE;
        }

        /** The creator decides about the memory; the rest each end decides for itself. */
        Sizes withMemory(int offeredWindow, int offeredOverflow) {
            return new Sizes(offeredWindow, offeredOverflow, longMin, pollMicros);
        }

        long bytes() {
            return 2L * InboxLayout.inboxBytes(window, overflow);
        }
    }

    public SciTransport(Sizes sizes) {
        this.sizes = sizes;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Offer offer(long nonce) throws IOException {
        SciPath.Disappearance disappearance = new SciPath.Disappearance();
        SciResources resources = SciResources.create(sizes.bytes(), disappearance);
        int inbox = InboxLayout.inboxBytes(sizes.window(), sizes.overflow());
        for (int i = 0; i < 2; i++) {
            new Inbox(new Shared(resources.memory(), i * inbox, inbox))
                    .initialise(sizes.window(), sizes.overflow(), nonce);
        }
        return new Offer() {
            @Override
            public void describe(ByteBuffer out) {
                try {
                    out.putInt(SciResources.localNode());
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
                out.putInt(resources.segmentId()).putInt(resources.interruptNumber());
                out.putInt(sizes.window()).putInt(sizes.overflow());
            }

            @Override
            public FastPath complete(ByteBuffer answer) throws IOException {
                try {
                    resources.closeDoor();
                    resources.connectPeer(answer.getInt(), answer.getInt());
                    return new SciPath(resources, disappearance, true, sizes);
                } catch (IOException | RuntimeException e) {
                    abandon();
                    throw e;
                }
            }

            @Override
            public void abandon() {
                resources.run();
            }
        };
    }

    @Override
    public Joined join(ByteBuffer description, long nonce) throws IOException {
        int node = description.getInt();
        int segmentId = description.getInt();
        int interrupt = description.getInt();
        int window = description.getInt();
        int overflow = description.getInt();
        if (!InboxLayout.valid(window, overflow)) {
            throw new IOException("an offer with impossible sizes: window " + window + ", overflow " + overflow);
        }
        Sizes agreed = sizes.withMemory(window, overflow);
        SciPath.Disappearance disappearance = new SciPath.Disappearance();
        SciResources resources = SciResources.connect(node, segmentId, agreed.bytes(), disappearance);
        try {
            int inbox = InboxLayout.inboxBytes(window, overflow);
            for (int i = 0; i < 2; i++) {
                if (!new Inbox(new Shared(resources.memory(), i * inbox, inbox)).matches(window, overflow, nonce)) {
                    throw new IOException("the offered segment is not the one that the offer describes");
                }
            }
            resources.connectPeer(node, interrupt);
            SciPath path = new SciPath(resources, disappearance, false, agreed);
            int localNode = SciResources.localNode();
            return new Joined() {
                @Override
                public FastPath path() {
                    return path;
                }

                @Override
                public void answer(ByteBuffer out) {
                    out.putInt(localNode).putInt(resources.interruptNumber());
                }
            };
        } catch (IOException | RuntimeException e) {
            resources.run();
            throw e;
        }
    }
}
