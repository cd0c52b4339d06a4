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
 * thread.
 */
abstract class Attempt {

    private final WeakReference<Endpoint> endpoint;
    private final Tuple tuple;
    private final boolean early;
    private final Transport transport;
    private final long nonce = Nonces.next();
    private int version = Versions.OURS.newest();
    private Transport.Offer offer;
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

    /** Lets go of the one who is being asked. Idempotent. */
    abstract void leave();

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
                offer = transport.offer(version, nonce);
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

    /** The peer has answered, and nobody is being asked any more. */
    final void answered(ByteBuffer message) {
        Step.ANSWER_RECEIVED.reached();
        Message.Answer answer = Message.Answer.decode(version, message);
        if (answer == null) {
            end(Reason.BAD_MESSAGE, null);
        } else if (answer.status() == Message.NOT_MINE) {
            next();
        } else if (answer.status() == Message.DECLINED) {
            declined(answer);
        } else {
            joined(answer.body());
        }
    }

    /** A peer that speaks older versions only is offered the newest of them, if it is one of ours. */
    private void declined(Message.Answer answer) {
        Versions spoken = answer.spoken(version);
        int older = spoken == null ? 0 : Versions.OURS.newestIn(spoken);
        if (older > 0 && older < version) {
            offer.abandon();
            offer = null;
            version = older;
            sameAgain();
        } else if (spoken != null && older == 0) {
            end(Reason.VERSION, spoken.besideOurs());
        } else {
            Reason reason = answer.reason();
            end(reason, reason == Reason.DECLINED ? null : "the peer says: " + reason.text());
        }
    }

    /** The peer has attached. What counts now is that this end is still that connection (R1). */
    private void joined(ByteBuffer body) {
        Endpoint it = endpoint.get();
        if (it == null || !tuple.equals(Tuple.of(it.tcp()))) {
            end(Reason.STALE, null);
            return;
        }
        FastPath path;
        try {
            Transport.Offer complete = offer;
            offer = null;
            path = complete.complete(body);
        } catch (NoResourcesException | OutOfMemoryError e) {
            end(Reason.NO_RESOURCES, e.getMessage());
            return;
        } catch (IOException | RuntimeException e) {
            end(Reason.FAILED, e.getMessage());
            return;
        }
        over = true;
        ended();
        if (!it.attach(path)) {
            path.retireReceiver();
            path.retireSender();
            return;
        }
        Step.ATTACHED.reached();
    }

    /** The first time counts. */
    final void end(Reason reason, String detail) {
        if (over) {
            return;
        }
        over = true;
        if (offer != null) {
            offer.abandon();
            offer = null;
        }
        ended();
        Endpoint it = endpoint.get();
        if (it != null && isOfTheEnd(reason) && Tuple.of(it.tcp()) == null) {
            it.fallback(Reason.STALE, null);
        } else if (it != null) {
            it.fallback(reason, detail);
        }
    }

    /** Whether it is what a peer looks like too that closes just now. */
    private static boolean isOfTheEnd(Reason reason) {
        return reason == Reason.NO_PEER || reason == Reason.NOT_MINE || reason == Reason.NO_ANSWER
                || reason == Reason.TRANSLATED || reason == Reason.NO_RENDEZVOUS || reason == Reason.FAILED;
    }
}
