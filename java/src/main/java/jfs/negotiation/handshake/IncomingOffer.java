package jfs.negotiation.handshake;

import java.io.IOException;
import java.nio.ByteBuffer;
import jfs.negotiation.policy.Choice;
import jfs.negotiation.policy.Refusal;
import jfs.spi.NoResourcesException;
import jfs.spi.OtherVersionException;
import jfs.spi.StaleOfferException;
import jfs.spi.Transport;
import jfs.stat.Reason;
import jfs.stat.Stats;
import jfs.steps.Step;

/**
 * One offer at the accepting end, from its receipt to its answer. Both go by a {@link ControlConnection}. The offer looks for the accepted
 * socket, or waits for it. Then the transport joins, and the socket gets its path.
 *
 * <p>The event loop's thread calls all methods, but for {@link #key} and the work that the control connection {@linkplain
 * ControlConnection#runBlocking runs elsewhere}.
 */
public final class IncomingOffer {

    /** An early offer waits this long for its connection to be accepted. */
    public static final long ACCEPT_MILLIS = 30_000;

    /**
     * How the peer process that made the offer is reached, and what is known of it. Each offer has one. Only the event loop's thread uses
     * it.
     */
    public interface ControlConnection {

        /** @return whether the peer process holds that end of a connection, and so may speak for it */
        Proof proof(Tuple end) throws NoResourcesException;

        /**
         * @return true if the peer process may join now; false if the control connection will call {@link IncomingOffer#tryJoin} again, or
         *         has ended the offer
         */
        boolean mayJoin(Endpoint endpoint);

        /**
         * Runs the part of the work that the peer process can make slow. Afterwards, also if that part has failed, the rest runs on the
         * event loop's thread.
         */
        void runBlocking(Runnable slow, Runnable then);

        /** @return whether its joins count for its party ({@link JoinTimeLimit}) */
        boolean isLimited();

        /** @return whether the peer process still waits for an answer */
        boolean isConnected();

        /** @return whether a socket of this process may accept connections to that port */
        boolean mayBeAccepted(int port);

        /** The offer waits for its connection to be accepted. The control connection lets it wait for {@link #ACCEPT_MILLIS}. */
        void awaitAccept();

        /** Sends the answer and disconnects. */
        void reply(ByteBuffer answer);

        /** Idempotent. */
        void disconnect();
    }

    /**
     * What all offers that come by one kind of control connection share.
     *
     * @param transports those that are offered by this kind of control connection
     */
    public record Acceptor(AcceptedSockets sockets, OpenTransports transports, JoinTimeLimit limit) {

        public Acceptor(AcceptedSockets sockets, OpenTransports transports) {
            this(sockets, transports, new JoinTimeLimit());
        }
    }

    private final Acceptor acceptor;
    private final AcceptedSockets sockets;
    private final long party;
    private final ControlConnection control;
    private Message.Offer offer;
    private Tuple ours;
    private int key;

    /** @param party whose joins are counted together ({@link JoinTimeLimit}) */
    public IncomingOffer(Acceptor acceptor, long party, ControlConnection control) {
        this.acceptor = acceptor;
        this.sockets = acceptor.sockets();
        this.party = party;
        this.control = control;
    }

    /** @return whether the offer has been {@link #received} */
    public boolean isReceived() {
        return offer != null;
    }

    /** @return the ports by which its socket is looked up */
    int key() {
        return key;
    }

    /** @param received null if what came was no offer */
    public void received(Message.Offer received) {
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

    /** A socket for which the offer waits may have been accepted. */
    void socketAccepted() {
        boolean done = false;
        try {
            tryJoin();
            done = true;
        } finally {
            if (!done) {
                control.disconnect();
            }
        }
    }

    /**
     * Joins, if the socket is there. The offer first enters itself among those that wait and then looks for its socket. An accepted socket
     * is first entered in the table and then looks for offers that wait. One of the two always finds the other (NEG-1).
     */
    public void tryJoin() {
        boolean maybeLater = offer.early() && control.mayBeAccepted(ours.localPort());
        if (maybeLater && sockets.await(this)) {
            control.awaitAccept();
        }
        AcceptedSockets.Found found = sockets.find(ours);
        if (found == null && maybeLater) {
            return;
        }
        sockets.endWaiting(this);
        if (found == null) {
            answer(Message.Answer.notMine());
        } else if (acceptor.limit().isExceededBy(party)) {
            answer(Message.Answer.declined(Reason.PEER_BUSY));
        } else {
            tryJoin(found);
        }
    }

    private void tryJoin(AcceptedSockets.Found found) {
        Proof proof;
        try {
            proof = control.proof(offer.tuple());
        } catch (NoResourcesException e) {
            decline(found, new Refusal(Reason.NO_RESOURCES, e.getMessage()));
            return;
        }
        if (proof == Proof.REFUTED) {
            answer(Message.Answer.notMine());
            return;
        }
        if (proof == Proof.UNPROVEN) { // the process that holds it may still make an offer
            found.endpoint().defer(Reason.UNPROVEN, null);
            answer(Message.Answer.declined(Reason.UNPROVEN));
            return;
        }
        Step.TUPLE_FOUND.reached();
        Choice choice = found.entry().choice();
        Transport chosen = acceptor.transports().chosenBy(choice);
        Transport offered = acceptor.transports().offered(offer.transport());
        Refusal failure = acceptor.transports().failureOf(choice);
        if (choice.refusal() != null) {
            decline(found, choice.refusal());
        } else if (failure != null) {
            decline(found, failure);
        } else if (chosen == null) { // one that reaches other peers, which another kind of control connection offers
            decline(found, new Refusal(Reason.OTHER_TRANSPORT, null));
        } else if (!Versions.OURS.include(offer.version())) {
            declineVersion(found);
        } else if (offered == null) {
            decline(found, new Refusal(Reason.OTHER_FABRIC, null));
        } else if (offered != chosen) {
            decline(found, new Refusal(Reason.OTHER_TRANSPORT, null));
        } else if (!control.isConnected()) { // it gave up while this thread was busy; the peer's next offer is not in vain
            answer(Message.Answer.declined(Reason.STALE));
        } else if (control.mayJoin(found.endpoint())) {
            join(offered);
        }
    }

    private void join(Transport transport) {
        Join join = new Join(transport);
        control.runBlocking(new Runnable() {
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

    /** Joins an offer that is good. */
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

        /** The join may have taken long. Therefore this looks for the socket again. A peer process that has gone was not told of a path. */
        void end() {
            if (control.isLimited()) {
                acceptor.limit().joined(party, nanos);
            }
            AcceptedSockets.Found found = sockets.find(ours);
            if (stale) {
                answer(Message.Answer.staleOffer());
            } else if (joined == null && found != null && control.isConnected()) {
                decline(found, why);
            } else if (joined == null) { // a peer process that has gone is itself the cause
                answer(Message.Answer.declined(why.reason()));
            } else {
                attach(found);
            }
        }

        private void attach(AcceptedSockets.Found found) {
            ByteBuffer body = ByteBuffer.allocate(64);
            joined.answer(body);
            if (found != null && control.isConnected() && found.endpoint().attach(joined.path())) {
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

    /** A peer process that also speaks an older version, which is one of ours, makes another offer. */
    private void declineVersion(AcceptedSockets.Found found) {
        if (Versions.OURS.newestIn(offer.versions()) == 0) {
            found.entry().forget();
            found.endpoint().fallback(Reason.VERSION, offer.versions().besideOurs());
        }
        answer(Message.Answer.otherVersion());
    }

    /** Both ends know now why the connection stays on TCP: for good, or until another offer finds it. */
    private void decline(AcceptedSockets.Found found, Refusal why) {
        if (why.reason().canPass()) {
            found.endpoint().defer(why.reason(), why.detail());
        } else {
            found.entry().forget();
            found.endpoint().fallback(why.reason(), why.detail());
        }
        answer(Message.Answer.declined(why.reason()));
    }

    /** Declines the offer for that reason, if its socket is still there. */
    public void decline(Reason reason) {
        AcceptedSockets.Found found = sockets.find(ours);
        if (found == null) {
            answer(Message.Answer.notMine());
        } else {
            decline(found, new Refusal(reason, null));
        }
    }

    /** Sends the answer in the version of the offer, so that the peer process can read it. */
    public void answer(Message.Answer answer) {
        control.reply(answer.encode(offer == null ? Versions.OURS.newest() : offer.version()));
        Step.ANSWER_SENT.reached();
    }

    /** The peer process has gone: the offer waits for no socket any more. Idempotent. */
    public void endWaiting() {
        sockets.endWaiting(this);
    }
}
