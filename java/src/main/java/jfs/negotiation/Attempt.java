package jfs.negotiation;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import jfs.spi.FastPath;
import jfs.spi.NoResourcesException;
import jfs.spi.Transport;
import jfs.stat.Reason;
import jfs.stat.Stats;
import jfs.steps.Step;

/**
 * One connection's offer at the connecting end, from its turn to its outcome, whatever carries it. On the event loop's
 * thread, but for what is done {@linkplain #apart apart}.
 */
abstract class Attempt implements Runnable {

    private final WeakReference<Endpoint> endpoint;
    private final Tuple tuple;
    private final boolean early;
    private final Transport transport;
    private final long nonce = Nonces.next();
    private int version = Versions.OURS.newest();
    private Transport.Offer offer;
    /** Whether the one who is being asked has had an offer that was stale. */
    private boolean again;
    private boolean over;

    Attempt(Endpoint endpoint, Tuple tuple, boolean early, Transport transport) {
        this.endpoint = new WeakReference<>(endpoint);
        this.tuple = tuple;
        this.early = early;
        this.transport = transport;
    }

    /** Its turn has come. */
    abstract void begin();

    /** Asks the next one, who may hold the other end. */
    abstract void next();

    /** Asks once more the one who has just answered. */
    abstract void sameAgain();

    /** What the one who is being asked is known by. */
    abstract String asked();

    /** The one who has just answered says that it holds the other end. */
    abstract void found();

    /** Whether the one who is being asked does hold the other end; if not it gets no memory, and the next one is asked. */
    abstract boolean isHolder() throws NoResourcesException;

    /** Lets go of the one who is being asked. Idempotent. */
    abstract void leave();

    /** Does what the peer may make slow, then the rest on the event loop's thread, come what may. */
    abstract void apart(Runnable slow, Runnable then);

    /** The peer has joined, but there is no path to it; ends this. */
    abstract void notCompleted(Refusal why);

    /** It is over, and the next one's turn. */
    abstract void ended();

    final Tuple tuple() {
        return tuple;
    }

    final boolean early() {
        return early;
    }

    /** Null if the program has lost its socket. */
    final Endpoint endpoint() {
        return endpoint.get();
    }

    /** Whether there is no such connection any more. */
    final boolean isStale() {
        Endpoint it = endpoint.get();
        return it == null || Tuple.of(it.tcp()) == null;
    }

    /** Whatever goes wrong on the way ends this attempt alone. */
    final void take(Runnable step) {
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
            leave();
        } finally {
            end(reason, cause.getMessage());
        }
    }

    /** The message to send; null if there is none to be had, and this is the end. */
    final ByteBuffer offerMessage() {
        ByteBuffer description = ByteBuffer.allocate(64);
        try {
            if (offer == null) {
                offer = transport.offer(version, nonce, again ? null : asked());
                Stats.OFFERS.increment();
            }
            offer.describe(description);
        } catch (NoResourcesException | OutOfMemoryError e) {
            leave();
            end(Reason.NO_RESOURCES, e.getMessage());
            return null;
        } catch (IOException e) {
            leave();
            end(Reason.FAILED, e.getMessage());
            return null;
        }
        Versions versions = new Versions(Versions.OURS.oldest(), version);
        return new Message.Offer(versions, early, nonce, tuple, transport.name(), description.flip()).encode();
    }

    /** The one who is being asked has answered; it is left with that. */
    final void answered(ByteBuffer message) {
        Step.ANSWER_RECEIVED.reached();
        Message.Answer answer = Message.Answer.decode(version, message);
        boolean joins;
        try {
            joins = answer != null && answer.status() == Message.JOINED && isHolder();
        } catch (NoResourcesException e) {
            leave();
            end(Reason.NO_RESOURCES, e.getMessage());
            return;
        }
        leave();
        if (answer == null) {
            end(Reason.BAD_MESSAGE, null);
        } else if (answer.status() == Message.NOT_MINE) {
            passOver();
        } else if (answer.status() == Message.DECLINED) {
            found();
            declined(answer);
        } else if (answer.status() == Message.STALE_OFFER) {
            offerAgain();
        } else if (joins) {
            found();
            joined(answer.body());
        } else {
            passOver();
        }
    }

    /** Asks the next one, with another offer: the one who was asked may have taken the memory of this one. */
    final void passOver() {
        abandonOffer();
        again = false;
        next();
    }

    /** Another offer to the same one, once, of memory that it need not know. */
    private void offerAgain() {
        if (again) {
            passOver();
            return;
        }
        again = true;
        offer.refused();
        abandonOffer();
        sameAgain();
    }

    /** A peer that speaks older versions only is offered the newest of them, if it is one of ours. */
    private void declined(Message.Answer answer) {
        Versions spoken = answer.spoken(version);
        int older = spoken == null ? 0 : Versions.OURS.newestIn(spoken);
        if (older > 0 && older < version) {
            abandonOffer();
            version = older;
            sameAgain();
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

    /** The peer has attached. What counts now is that this end is still that connection (NEG-1). */
    private void joined(ByteBuffer body) {
        if (!isStillThatOne()) {
            end(Reason.STALE, null);
            return;
        }
        Completion it = new Completion(offer, body);
        offer = null;
        apart(new Runnable() {
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

    /** {@link #begin}, as a step that {@link #take} takes. */
    @Override
    public final void run() {
        begin();
    }

    /** What {@link Turns} runs when its turn has come: it begins. If that throws, this attempt fails and no other. */
    final Runnable turn() {
        return new Runnable() {
            @Override
            public void run() {
                take(Attempt.this);
            }
        };
    }

    private boolean isStillThatOne() {
        Endpoint it = endpoint.get();
        return it != null && tuple.equals(Tuple.of(it.tcp()));
    }

    /** What comes of an offer that the peer has joined. */
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

        /** That may have taken a while: it is looked once more whether this is the connection (NEG-1). */
        void end() {
            if (path == null) {
                notCompleted(why);
                return;
            }
            Endpoint it = isStillThatOne() ? endpoint() : null;
            if (it != null && it.attach(path)) {
                over = true;
                ended();
                Step.ATTACHED.reached();
            } else {
                path.retireReceiver();
                path.retireSender();
                Attempt.this.end(Reason.STALE, null);
            }
        }
    }

    /** It is in vain to ask, as another connection has found: what that one has found need not be so for long. */
    final void endUnasked(Refusal why) {
        end(why.reason(), why.detail(), true);
    }

    /** The first time counts. */
    final void end(Reason reason, String detail) {
        end(reason, detail, reason.canPass());
    }

    private void end(Reason reason, String detail, boolean forNow) {
        if (over) {
            return;
        }
        over = true;
        abandonOffer();
        ended();
        Endpoint it = endpoint.get();
        if (it != null && isOfTheEnd(reason) && Tuple.of(it.tcp()) == null) {
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

    /** Whether it is what a peer looks like too that closes just now. */
    private static boolean isOfTheEnd(Reason reason) {
        return reason == Reason.NO_PEER || reason == Reason.NOT_MINE || reason == Reason.NO_ANSWER
                || reason == Reason.HUNG_UP || reason == Reason.TRANSLATED || reason == Reason.NO_RENDEZVOUS
                || reason == Reason.FAILED;
    }
}
