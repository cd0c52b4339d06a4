package jfs.transport.sci;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import jfs.memory.Shared;
import jfs.nativelib.Sisci;
import jfs.ring.Inbox;
import jfs.ring.InboxLayout;
import jfs.sisci.SciBell;
import jfs.spi.FastPath;
import jfs.spi.Transport;
import jfs.steps.Step;
import jfs.wait.Deadline;

/**
 * Sets up {@link SciPath}s. The connecting end takes a place in a region that it has made. Its description names the region:
 * node, segment id, interrupt number, sizes. Then come the process with which the region is shared, how many places it has, and
 * which one this is: zeros if it is the only one. The accepting end connects to the region unless it is connected already, and
 * checks the nonce in the place against the offer's. It answers with its own node and interrupt number, 0, and its instance
 * ({@link Regions}). With a card ({@link TwoSegments}) each end makes a segment, with the same nonce. The id of the accepting
 * end's segment is the third number of the answer. The connecting end connects to that segment and checks it likewise (CARD-1).
 *
 * <p>The two ways have different names in offers, so that an end that supports only the other one declines.
 */
public final class SciTransport implements Transport {

    /** The name in settings, rules and counters, and in offers of memory that both processes share. */
    public static final String NAME = "sci";
    /** The name in offers of a segment behind a card. */
    private static final String CARD = "sci.card";
    /** How long a peer process may make one call last. The call connects to a segment and to an interrupt, and both share this time. */
    private static final int CONNECT_MILLIS = 500;

    private final Sizes sizes;
    private final MemoryBudget memory;
    private final Regions regions = new Regions();

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

        /** The end that makes the memory decides about its sizes. Each end decides about the other values for itself. */
        Sizes withMemory(int offeredWindow, int offeredOverflow) {
            return new Sizes(offeredWindow, offeredOverflow, longMin, pollMicros);
        }
    }

    /**
     * The transport of this process. Its type is that of the interface: otherwise the JVM would load more classes with the provider.
     *
     * @param memoryMax how much shared memory all connections of this process may keep resident, bytes
     * @param allowedUsers other users whose processes may connect to this one's memory
     */
    public static Transport of(Sizes sizes, long memoryMax, Set<Integer> allowedUsers) {
        int[] users = new int[allowedUsers.size()];
        int i = 0;
        for (int user : allowedUsers) {
            users[i++] = user;
        }
        Sisci.allowUsers(users);
        return new SciTransport(sizes, memoryMax);
    }

    /** @param memoryMax how much shared memory all connections of this process may keep resident, bytes */
    public SciTransport(Sizes sizes, long memoryMax) {
        this.sizes = sizes;
        this.memory = new MemoryBudget(memoryMax);
    }

    @Override
    public String name() {
        return Sisci.sharesMemory() ? NAME : CARD;
    }

    @Override
    public Offer offer(int version, long nonce, String peer) throws IOException {
        int inbox = InboxLayout.inboxBytes(sizes.window(), sizes.overflow());
        SciResources resources = SciResources.create(regions, peer, inbox, nonce, memory.share(inbox));
        try {
            layOut(resources, version, sizes, nonce);
            return offer(resources, version, nonce, SciBell.localNode(), peer);
        } catch (Throwable e) { // an OutOfMemoryError too
            resources.run();
            throw e;
        }
    }

    /** Fills in the inboxes that this end made. Then a peer may connect to them. */
    private static void layOut(SciResources resources, int version, Sizes sizes, long nonce) throws IOException {
        for (Shared inbox : resources.made()) {
            new Inbox(inbox).initialise(version, sizes.window(), sizes.overflow(), nonce);
        }
        resources.makeAvailable();
    }

    /** Checks that the peer's segment holds what the negotiation has promised. */
    private static void prove(SciResources resources, int version, Sizes sizes, long nonce) throws IOException {
        for (Shared inbox : resources.found()) {
            if (!new Inbox(inbox).matches(version, sizes.window(), sizes.overflow(), nonce)) {
                throw new IOException("the peer's segment is not the one that the offer describes");
            }
        }
    }

    private Offer offer(SciResources resources, int version, long nonce, int node, String peer) {
        return new Offer() {
            @Override
            public void describe(ByteBuffer out) {
                out.putInt(node).putInt(resources.segmentId()).putInt(resources.interruptNumber());
                out.putInt(sizes.window()).putInt(sizes.overflow());
                resources.describe(out);
            }

            @Override
            public FastPath complete(ByteBuffer answer) throws IOException {
                try {
                    resources.admitPeer();
                    int peersNode = answer.getInt();
                    int interrupt = answer.getInt();
                    int peersSegment = answer.hasRemaining() ? answer.getInt() : 0;
                    resources.connectPeer(peersNode, interrupt, peersSegment, Deadline.in(CONNECT_MILLIS));
                    prove(resources, version, sizes, nonce);
                    if (peer != null && resources.place() != null) {
                        regions.met(peer, resources.place(), answer);
                    }
                    Step.OFFER_COMPLETED.reached();
                    return new SciPath(resources, sizes, memory, version);
                } catch (Throwable e) { // an OutOfMemoryError too
                    abandon();
                    throw e;
                }
            }

            @Override
            public void refused() {
                if (peer != null && resources.place() != null) {
                    regions.missed(peer, resources.place());
                }
            }

            @Override
            public void abandon() {
                resources.run();
            }
        };
    }

    @Override
    public Joined join(int version, ByteBuffer description, long nonce) throws IOException {
        int node = description.getInt();
        int segmentId = description.getInt();
        int interrupt = description.getInt();
        int window = description.getInt();
        int overflow = description.getInt();
        if (!InboxLayout.valid(window, overflow)) {
            throw new IOException("invalid sizes in an offer: window " + window + ", overflow " + overflow);
        }
        Sizes agreed = sizes.withMemory(window, overflow);
        int inbox = InboxLayout.inboxBytes(window, overflow);
        long deadline = Deadline.in(CONNECT_MILLIS);
        SciResources resources =
                SciResources.connect(regions, node, segmentId, inbox, nonce, description, memory.share(inbox), deadline);
        try {
            prove(resources, version, agreed, nonce);
            Step.NONCE_PROVED.reached();
            resources.connectPeer(node, interrupt, segmentId, deadline);
            layOut(resources, version, agreed, nonce);
            int localNode = SciBell.localNode();
            SciPath path = new SciPath(resources, agreed, memory, version);
            return new Joined() {
                @Override
                public FastPath path() {
                    return path;
                }

                @Override
                public void answer(ByteBuffer out) {
                    out.putInt(localNode).putInt(resources.interruptNumber()).putInt(resources.segmentId());
                    if (resources.place() != null) {
                        regions.introduce(out);
                    }
                }
            };
        } catch (Throwable e) { // an OutOfMemoryError too
            resources.run();
            throw e;
        }
    }
}
