package jfs.negotiation;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import jfs.spi.NoResourcesException;
import jfs.spi.OtherVersionException;
import jfs.spi.StaleOfferException;
import jfs.spi.Transport;
import jfs.stat.Reason;
import jfs.stat.Stats;
import jfs.steps.Step;

/**
 * An offer at the accepting end, from its receipt to its answer, whatever carries the two: its socket is found, or
 * waited for, the transport joins, and the socket gets its path. On the event loop's thread, but for {@link #key} and what is
 * done {@linkplain #apart apart}.
 */
abstract class Visit {

    /** An early offer waits this long for its connection to be accepted. */
    static final long ACCEPT_MILLIS = 30_000;

    private final AcceptedSockets sockets;
    private final Map<String, Transport> transports;
    private final boolean betweenHosts;
    private Message.Offer offer;
    private Tuple ours;
    private int key;

    /**
     * @param transports those that are offered by this carrier, by name
     * @param betweenHosts whether this carrier is for those connections for which a rule chose MX, or for the others
     */
    Visit(AcceptedSockets sockets, Map<String, Transport> transports, boolean betweenHosts) {
        this.sockets = sockets;
        this.transports = transports;
        this.betweenHosts = betweenHosts;
    }

    /** Whether the visitor holds that end of a connection, and so may speak for it. */
    abstract Peers.Holding holding(Tuple end) throws NoResourcesException;

    /** Whether it may join now; if not, it will {@link #tryJoin} again, or answer. */
    abstract boolean mayJoin(Endpoint endpoint);

    /** Whether it has made us wait too often. */
    abstract boolean isShunned();

    /** It has made us wait. */
    abstract void waited(long nanos);

    /** Does what it may make slow, then the rest on the event loop's thread, come what may. */
    abstract void apart(Runnable slow, Runnable then);

    /** Whether it waits for an answer. */
    abstract boolean isHere();

    /** Whether it can be this process that will accept a connection to that port of this host. */
    abstract boolean mayBeAccepted(int port);

    /** The accepting program may take its time. */
    abstract void awaitAccept();

    /** Something that it waits for may have come. */
    abstract void lookAgain();

    /** Sends the answer and ends the visit. */
    abstract void reply(Message.Answer answer);

    /** Once {@link #received} an offer. */
    final Message.Offer offer() {
        return offer;
    }

    /** By which its socket is looked up. */
    final int key() {
        return key;
    }

    /** @param received null if it was no offer */
    final void received(Message.Offer received) {
        if (received == null) {
            answer(Message.Answer.declined(Reason.BAD_MESSAGE));
            return;
        }
        Step.OFFER_RECEIVED.reached();
        offer = received;
        ours = received.tuple().reversed();
        key = AcceptedSockets.key(ours);
        tryJoin();
    }

    /** Waits first and looks then, as an accepted socket is entered first and looks for who waits then (NEG-1). */
    final void tryJoin() {
        boolean maybeLater = offer.early() && mayBeAccepted(ours.localPort());
        if (maybeLater && sockets.await(this)) {
            awaitAccept();
        }
        AcceptedSockets.Found found = sockets.find(ours);
        if (found == null && maybeLater) {
            return;
        }
        sockets.endWaiting(this);
        if (found == null) {
            answer(Message.Answer.notMine());
        } else if (isShunned()) {
            answer(Message.Answer.declined(Reason.PEER_BUSY));
        } else {
            tryJoin(found);
        }
    }

    private void tryJoin(AcceptedSockets.Found found) {
        Peers.Holding holding;
        try {
            holding = holding(offer.tuple());
        } catch (NoResourcesException e) {
            decline(found, new Refusal(Reason.NO_RESOURCES, e.getMessage()));
            return;
        }
        if (holding == Peers.Holding.REFUTED) {
            answer(Message.Answer.notMine());
            return;
        }
        if (holding == Peers.Holding.UNPROVEN) { // the one who does hold it may still come
            found.endpoint().defer(Reason.UNPROVEN, null);
            answer(Message.Answer.declined(Reason.UNPROVEN));
            return;
        }
        Step.TUPLE_FOUND.reached();
        Transport transport = transports.get(offer.transport());
        Choice choice = found.entry().choice();
        if (choice.refusal() != null) {
            decline(found, choice.refusal());
        } else if (choice.betweenHosts() != betweenHosts) {
            decline(found, new Refusal(Reason.OTHER_TRANSPORT, null));
        } else if (!Versions.OURS.include(offer.version())) {
            declineVersion(found);
        } else if (transport == null) {
            decline(found, new Refusal(Reason.OTHER_FABRIC, null));
        } else if (!isHere()) { // it came while this process did not look, and has gone: the next one is not in vain
            answer(Message.Answer.declined(Reason.STALE));
        } else if (mayJoin(found.endpoint())) {
            Join join = new Join(transport);
            apart(new Runnable() {
                @Override
                public void run() {
                    join.begin();
                }
            }, new Runnable() {
                @Override
                public void run() {
                    join.end();
                }
            });
        }
    }

    /** What comes of an offer that is good. */
    private final class Join {
        private final Transport transport;
        private long nanos;
        private Transport.Joined joined;
        private Refusal why = new Refusal(Reason.FAILED, null);
        private boolean stale;

        Join(Transport transport) {
            this.transport = transport;
        }

        void begin() {
            long start = System.nanoTime();
            try {
                joined = transport.join(offer.version(), offer.description(), offer.nonce());
            } catch (NoResourcesException | OutOfMemoryError e) {
                why = new Refusal(Reason.NO_RESOURCES, e.getMessage());
            } catch (OtherVersionException e) {
                why = new Refusal(Reason.VERSION, e.getMessage());
            } catch (StaleOfferException e) {
                stale = true;
            } catch (IOException | RuntimeException e) {
                why = new Refusal(Reason.FAILED, e.getMessage());
            } finally {
                nanos = System.nanoTime() - start;
            }
        }

        /** Much may have happened meanwhile: the socket is looked for again, and who has gone was not told of a path. */
        void end() {
            waited(nanos);
            AcceptedSockets.Found found = sockets.find(ours);
            if (stale) {
                answer(Message.Answer.staleOffer());
            } else if (joined == null && found != null && isHere()) { // if it has gone, that is why there was nothing to join
                decline(found, why);
            } else if (joined == null) {
                answer(Message.Answer.declined(why.reason()));
            } else {
                attach(found);
            }
        }

        private void attach(AcceptedSockets.Found found) {
            ByteBuffer body = ByteBuffer.allocate(64);
            joined.answer(body);
            if (found != null && isHere() && found.endpoint().attach(joined.path())) {
                Step.ATTACHED.reached();
                Stats.JOINED.increment();
                answer(Message.Answer.joined(body.flip()));
            } else {
                joined.path().retireReceiver();
                joined.path().retireSender();
                answer(Message.Answer.declined(Reason.STALE));
            }
        }
    }

    /** An offerer that has an older version too, which is one of ours, comes again. */
    private void declineVersion(AcceptedSockets.Found found) {
        if (Versions.OURS.newestIn(offer.versions()) == 0) {
            found.entry().forget();
            found.endpoint().fallback(Reason.VERSION, offer.versions().besideOurs());
        }
        answer(Message.Answer.otherVersion());
    }

    /** Both ends know now why it stays on TCP: for good, or until another offer finds it. */
    private void decline(AcceptedSockets.Found found, Refusal why) {
        if (why.reason().canPass()) {
            found.endpoint().defer(why.reason(), why.detail());
        } else {
            found.entry().forget();
            found.endpoint().fallback(why.reason(), why.detail());
        }
        answer(Message.Answer.declined(why.reason()));
    }

    /** As {@link #decline(AcceptedSockets.Found, Refusal)}, if the socket is still there. */
    final void decline(Reason reason) {
        AcceptedSockets.Found found = sockets.find(ours);
        if (found == null) {
            answer(Message.Answer.notMine());
        } else {
            decline(found, new Refusal(reason, null));
        }
    }

    final void answer(Message.Answer answer) {
        reply(answer);
        Step.ANSWER_SENT.reached();
    }

    /** It waits for nothing any more. */
    final void endWaiting() {
        sockets.endWaiting(this);
    }

    /** The version that an answer is in. */
    final int version() {
        return offer == null ? Versions.OURS.newest() : offer.version();
    }
}
