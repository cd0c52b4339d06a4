package jfs.negotiation.handshake;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import jfs.negotiation.policy.Refusal;
import jfs.spi.FastPath;
import jfs.spi.NoResourcesException;
import jfs.spi.Transport;
import jfs.stat.Reason;
import jfs.stat.Stats;
import jfs.steps.Step;

/**
 * One connection's offer at the connecting end, from its turn in the {@link OfferQueue} to its outcome. A {@link ControlConnection} takes
 * its messages to the peer process. The offer asks one candidate after the other: processes that may hold the other end of the connection.
 *
 * <p>The event loop's thread calls all methods, but for the work that the control connection {@linkplain ControlConnection#runBlocking runs
 * elsewhere}.
 */
public final class OutgoingOffer implements Runnable {

    /**
     * How an offer reaches the processes that may hold the other end of its connection. Each offer has one. Only the event loop's thread
     * uses it.
     */
    public interface ControlConnection {

        /** @return why an offer would fail now, as other offers have found out; or null */
        Refusal knownFailure();

        /**
         * Connects to the present candidate, at first the likeliest one, and sends the offer to it. If that fails, it asks the next
         * candidate.
         */
        void ask();

        /** Moves on to the next candidate and {@linkplain #ask asks} it. If there is none, it ends the offer. */
        void askNext();

        /** @return what the present candidate is known by */
        String candidate();

        /** The present candidate has answered as one that holds the other end. */
        void found();

        /** @return whether the present candidate really holds the other end; if not, it gets no memory, and the next one is asked */
        boolean isHolder() throws NoResourcesException;

        /** Disconnects from the present candidate. Idempotent. */
        void disconnect();

        /**
         * Runs the part of the work that the peer process can make slow. Afterwards, also if that part has failed, the rest runs on the
         * event loop's thread.
         */
        void runBlocking(Runnable slow, Runnable then);

        /** The peer process has joined, but this process could not complete the path. Ends the offer. */
        void notCompleted(Refusal why);
    }

    private final WeakReference<Endpoint> endpoint;
    private final Tuple tuple;
    private final boolean early;
    private final Transport transport;
    private final OfferQueue queue;
    private final String listener;
    /** Its key in the queue. */
    private final String key;
    /** Random; 0 before it is needed. */
    private long nonce;
    private ControlConnection control;
    private int version = Versions.OURS.newest();
    private Transport.Offer offer;
    /** Whether the present candidate has had an offer that was stale. */
    private boolean again;
    private boolean over;

    /**
     * @param tuple the connection, from this end
     * @param early the server program may not have accepted it yet
     */
    public OutgoingOffer(Endpoint endpoint, Tuple tuple, boolean early, Transport transport, OfferQueue queue) {
        this.endpoint = new WeakReference<>(endpoint);
        this.tuple = tuple;
        this.early = early;
        this.transport = transport;
        this.queue = queue;
        // Early offers may wait long for an accept. Offers for connections that are accepted already don't wait behind them.
        this.listener = tuple.listener();
        this.key = early ? listener + " early" : listener;
    }

    /** Begins the offer when its turn comes, unless it is known that the offer would fail. The endpoint is told the outcome in any case. */
    public void start(ControlConnection by) {
        control = by;
        Refusal why = control.knownFailure();
        if (why == null && !queue.await(key, turn())) {
            why = new Refusal(Reason.PEER_BUSY, null);
        }
        Endpoint it = endpoint.get();
        if (why != null && it != null) {
            it.defer(why.reason(), why.detail());
        }
    }

    /** @return a task that asks the present candidate, if the connection is still there. If that throws, only this offer fails */
    public Runnable turn() {
        return new Runnable() {
            @Override
            public void run() {
                runStep(OutgoingOffer.this);
            }
        };
    }

    /** What {@link #turn} does. The connection, or the reason to ask, may have ended while the offer waited. */
    @Override
    public void run() {
        Refusal inVain = control.knownFailure();
        if (isStale()) {
            end(Reason.STALE, null);
        } else if (inVain != null) {
            endWithoutAsking(inVain);
        } else {
            control.ask();
        }
    }

    public Tuple tuple() {
        return tuple;
    }

    /** @return the listening socket's address and port ({@link Tuple#listener}) */
    public String listener() {
        return listener;
    }

    public boolean early() {
        return early;
    }

    /** @return null if the program has lost its socket */
    public Endpoint endpoint() {
        return endpoint.get();
    }

    /** @return whether the connection has ended */
    public boolean isStale() {
        Endpoint it = endpoint.get();
        return it == null || Tuple.of(it.tcp()) == null;
    }

    /** Runs a step of this offer. If the step throws, this offer ends and no other one. */
    public void runStep(Runnable step) {
        try {
            step.run();
        } catch (OutOfMemoryError e) {
            fail(Reason.NO_RESOURCES, e);
            throw e;
        } catch (RuntimeException | Error e) {
            fail(Reason.FAILED, e);
            throw e;
        }
    }

    private void fail(Reason reason, Throwable cause) {
        try {
            control.disconnect();
        } finally {
            end(reason, cause.getMessage());
        }
    }

    /** @return the message for the present candidate; null if it can't be made, and the offer has ended */
    public ByteBuffer message() {
        ByteBuffer description = ByteBuffer.allocate(64);
        try {
            if (offer == null) {
                nonce = nonce == 0 ? Nonces.next() : nonce;
                offer = transport.offer(version, nonce, again ? null : control.candidate());
                Stats.OFFERS.increment();
            }
            offer.describe(description);
        } catch (NoResourcesException | OutOfMemoryError e) {
            control.disconnect();
            end(Reason.NO_RESOURCES, e.getMessage());
            return null;
        } catch (IOException e) {
            control.disconnect();
            end(Reason.FAILED, e.getMessage());
            return null;
        }
        Versions versions = new Versions(Versions.OURS.oldest(), version);
        return new Message.Offer(versions, early, nonce, tuple, transport.name(), description.flip()).encode();
    }

    /** The present candidate has answered. The offer disconnects from it. */
    public void answered(ByteBuffer message) {
        Step.ANSWER_RECEIVED.reached();
        Message.Answer answer = Message.Answer.decode(version, message);
        boolean joins;
        try {
            joins = answer != null && answer.status() == Message.JOINED && control.isHolder();
        } catch (NoResourcesException e) {
            control.disconnect();
            end(Reason.NO_RESOURCES, e.getMessage());
            return;
        }
        control.disconnect();
        if (answer == null) {
            end(Reason.BAD_MESSAGE, null);
        } else if (answer.status() == Message.NOT_MINE) {
            askNextCandidate();
        } else if (answer.status() == Message.DECLINED) {
            control.found();
            declined(answer);
        } else if (answer.status() == Message.STALE_OFFER) {
            offerOnceMore();
        } else if (joins) {
            control.found();
            joined(answer.body());
        } else {
            askNextCandidate();
        }
    }

    /** Asks the next candidate, with new memory: the present one may have taken the memory of this offer. */
    public void askNextCandidate() {
        abandonOffer();
        again = false;
        control.askNext();
    }

    /** Offers the present candidate other memory, once: memory that it need not know from an offer before. */
    private void offerOnceMore() {
        if (again) {
            askNextCandidate();
            return;
        }
        again = true;
        offer.refused();
        abandonOffer();
        control.ask();
    }

    /** A peer process that speaks older versions only is offered the newest of them that this process speaks too. */
    private void declined(Message.Answer answer) {
        Versions spoken = answer.spoken(version);
        int older = spoken == null ? 0 : Versions.OURS.newestIn(spoken);
        if (older > 0 && older < version) {
            abandonOffer();
            version = older;
            control.ask();
        } else if (spoken != null && older == 0) {
            end(Reason.VERSION, spoken.besideOurs());
        } else {
            Reason reason = answer.reason();
            if (reason == Reason.FAILED || reason == Reason.NO_RESOURCES) {
                offer.refused();
            }
            end(reason, reason == Reason.DECLINED ? null : "the peer says: " + reason.text());
        }
    }

    /** The peer process has attached its end. It remains to check that this end still is that connection (NEG-1). */
    private void joined(ByteBuffer body) {
        if (!isSameConnection()) {
            end(Reason.STALE, null);
            return;
        }
        Completion it = new Completion(offer, body);
        offer = null;
        control.runBlocking(new Runnable() {
            @Override
            public void run() {
                it.begin();
            }
        }, new Runnable() {
            @Override
            public void run() {
                it.end();
            }
        });
    }

    private boolean isSameConnection() {
        Endpoint it = endpoint.get();
        return it != null && tuple.equals(Tuple.of(it.tcp()));
    }

    /** Completes the path of an offer that the peer process has joined. */
    private final class Completion {
        private final Transport.Offer offer;
        private final ByteBuffer body;
        private FastPath path;
        private Refusal why = new Refusal(Reason.FAILED, null);

        Completion(Transport.Offer offer, ByteBuffer body) {
            this.offer = offer;
            this.body = body;
        }

        void begin() {
            try {
                path = offer.complete(body);
            } catch (NoResourcesException | OutOfMemoryError e) {
                why = new Refusal(Reason.NO_RESOURCES, e.getMessage());
            } catch (IOException | RuntimeException e) {
                why = new Refusal(Reason.FAILED, e.getMessage());
            }
        }

        /**
         * The completion of the path may have taken a while. Therefore this end checks once more that it still has that connection (NEG-1).
         */
        void end() {
            if (path == null) {
                control.notCompleted(why);
                return;
            }
            Endpoint it = isSameConnection() ? endpoint() : null;
            if (it != null && it.attach(path)) {
                over = true;
                queue.ended(key);
                Step.ATTACHED.reached();
            } else {
                path.retireReceiver();
                path.retireSender();
                OutgoingOffer.this.end(Reason.STALE, null);
            }
        }
    }

    /** This offer would fail, as another offer has found out. What that offer has found need not stay true for long. */
    private void endWithoutAsking(Refusal why) {
        end(why.reason(), why.detail(), true);
    }

    /** Ends this offer without a path. Only the first call counts. */
    public void end(Reason reason, String detail) {
        end(reason, detail, reason.canPass());
    }

    private void end(Reason reason, String detail, boolean forNow) {
        if (over) {
            return;
        }
        over = true;
        abandonOffer();
        queue.ended(key);
        Endpoint it = endpoint.get();
        if (it != null && canBeCausedByAnEnd(reason) && Tuple.of(it.tcp()) == null) {
            it.fallback(Reason.STALE, null);
        } else if (it != null && forNow) {
            it.defer(reason, detail);
        } else if (it != null) {
            it.fallback(reason, detail);
        }
    }

    /** Idempotent. */
    private void abandonOffer() {
        if (offer != null) {
            offer.abandon();
            offer = null;
        }
    }

    /** @return whether a peer process that is closing the connection just now can be the cause of this reason */
    private static boolean canBeCausedByAnEnd(Reason reason) {
        return reason == Reason.NO_PEER || reason == Reason.NOT_MINE || reason == Reason.NO_ANSWER
                || reason == Reason.HUNG_UP || reason == Reason.TRANSLATED || reason == Reason.NO_RENDEZVOUS
                || reason == Reason.FAILED;
    }
}
