package jfs.negotiation;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import jfs.nativelib.Posix;
import jfs.spi.Transport;
import jfs.stat.Reason;
import jfs.steps.Step;
import jfs.wait.EventLoop;

/**
 * The client's half of the rendezvous between hosts: finds the process at the other end of a connection by the peer's ports
 * for that, one after the other, has it prove who it is, and makes the offer. All of it on the event loop's thread, but what the
 * peer may make slow.
 */
final class HostOfferingSide {

    /** Two lost packets are made good by then. */
    private static final long CONNECT_MILLIS = 4_000;
    private static final long ANSWER_MILLIS = 5_000;
    /** As long as an accepting end waits, and its answer's way. */
    private static final long EARLY_ANSWER_MILLIS = Visit.ACCEPT_MILLIS + ANSWER_MILLIS;
    /** A host that can't be reached, or has nobody there; longer each time that it is found so, up to the most. */
    private static final long HOST_MEMORY_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long HOST_MEMORY_NANOS_MAX = TimeUnit.MINUTES.toNanos(5);
    /** A listener that nobody there was found to have: it may just have come or gone. */
    private static final long LISTENER_MEMORY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final EventLoop loop;
    private final Hosts hosts;
    private final Helpers helpers;
    private final Transport transport;
    /** Of hosts (address) and of listeners (address:port). */
    private final Failures failures = new Failures();
    private final Turns turns;
    /** The ports at which listeners were found. */
    private final Found<Integer> found = new Found<>();

    HostOfferingSide(EventLoop loop, Hosts hosts, Helpers helpers, Transport transport) {
        this.loop = loop;
        this.hosts = hosts;
        this.helpers = helpers;
        this.transport = transport;
        this.turns = new Turns(loop);
    }

    /**
     * Tries to get a fast path for a connection for which a rule has chosen MX.
     *
     * @param trusted whether that rule asks for no key
     * @param early the server program may not have accepted it yet
     */
    void offer(Endpoint endpoint, boolean trusted, boolean early) {
        Tuple tuple = Tuple.of(endpoint.tcp());
        if (tuple == null) {
            endpoint.fallback(Reason.STALE, null);
            return;
        }
        ByPort attempt = new ByPort(endpoint, tuple, trusted, early);
        Refusal inVain = attempt.inVain();
        if (inVain != null) {
            endpoint.defer(inVain.reason(), inVain.detail());
        } else if (!turns.await(attempt.queue, attempt.turn())) {
            endpoint.defer(Reason.PEER_BUSY, null);
        }
    }

    private enum Expected {
        CHALLENGE, SEEN_OR_ANSWER, ANSWER
    }

    /** One connection's way through the ports of its peer's host. */
    private final class ByPort extends Attempt implements HostChannel.Listener {
        private final String host;
        private final String listener;
        private final String queue;
        private final boolean trusted;
        /** Where the listener was found last, or null; then all ports in turn, but for that one. */
        private final Integer foundAt;
        private boolean begun;
        private int at;
        /** What to say if nobody there turns out to have the connection. */
        private Refusal why;
        private boolean met;

        private int fd = -1;
        private long tag;
        private EventLoop.Timer deadline;
        private HostChannel channel;
        private Expected expected;
        private Transcript transcript;

        ByPort(Endpoint endpoint, Tuple tuple, boolean trusted, boolean early) {
            super(endpoint, tuple, early, transport);
            this.host = Names.hex(tuple.remoteAddress());
            this.listener = host + ":" + tuple.remotePort();
            this.queue = early ? listener + " early" : listener; // as OfferingSide's
            this.trusted = trusted;
            this.foundAt = found.of(listener);
        }

        Refusal inVain() {
            Refusal ofHost = failures.of(host);
            return ofHost != null ? ofHost : failures.of(listener);
        }

        @Override
        void begin() {
            Refusal inVain = inVain();
            if (isStale()) {
                end(Reason.STALE, null);
            } else if (inVain != null) {
                endUnasked(inVain);
            } else {
                next();
            }
        }

        @Override
        void next() {
            if (!begun) {
                begun = true;
                at = foundAt != null ? foundAt : hosts.firstPort();
            } else {
                at = isFoundAt(at) ? hosts.firstPort() : at + 1;
                at += isFoundAt(at) ? 1 : 0;
            }
            if (at > hosts.lastPort()) {
                nobody();
            } else {
                sameAgain();
            }
        }

        @Override
        String asked() {
            return host + ":" + at;
        }

        private boolean isFoundAt(int port) {
            return foundAt != null && foundAt == port;
        }

        private void nobody() {
            if (!met) {
                endWithoutRendezvous(null);
            } else {
                endRemembering(listener, LISTENER_MEMORY_NANOS, why);
            }
        }

        private void endWithoutRendezvous(String how) {
            Refusal refusal = new Refusal(Reason.NO_RENDEZVOUS, how);
            if (!isStale()) {
                failures.rememberLonger(host, refusal, HOST_MEMORY_NANOS, HOST_MEMORY_NANOS_MAX);
            }
            end(refusal.reason(), refusal.detail());
        }

        private void endRemembering(String whom, long nanos, Refusal refusal) {
            if (!isStale()) {
                failures.remember(whom, refusal, nanos);
            }
            end(refusal.reason(), refusal.detail());
        }

        @Override
        void sameAgain() {
            int socket = Posix.tcpConnect(tuple().toBytes(), at);
            if (socket < 0) {
                notConnected(-socket);
                return;
            }
            fd = socket;
            try {
                tag = loop.watch(fd, Posix.POLLOUT | Posix.EPOLLONESHOT, events -> take(this::connected));
            } catch (IllegalStateException e) {
                leave();
                end(Reason.NO_RESOURCES, e.getMessage());
                return;
            }
            deadline = loop.after(CONNECT_MILLIS, () -> take(() -> {
                leave();
                unreachable("it takes no connection to port " + at);
            }));
        }

        /** Nobody is there: it may be another process's port. Anything else goes for the host. */
        private void notConnected(int errno) {
            leave();
            if (errno == Posix.ECONNREFUSED) {
                next();
            } else if (errno == Posix.EMFILE || errno == Posix.ENFILE) {
                end(Reason.NO_RESOURCES, "rendezvous: " + Posix.errorText(errno));
            } else {
                unreachable("port " + at + ": " + Posix.errorText(errno));
            }
        }

        private void unreachable(String how) {
            if (met) {
                nobody();
            } else {
                endWithoutRendezvous(how);
            }
        }

        private void connected() {
            if (Posix.tcpTuple(fd, new byte[Posix.TUPLE_BYTES]) != Posix.TCP_ESTABLISHED) {
                int error = Posix.receive(fd, new byte[1]);
                notConnected(error < 0 ? -error : Posix.ECONNREFUSED); // it came and went
                return;
            }
            Step.NAME_CONNECTED.reached();
            met = true;
            int socket = fd;
            stopConnecting();
            fd = -1;
            channel = new HostChannel(loop, socket, this);
            channel.open();
            ByteBuffer hello = new HostMessage.Hello(HostMessage.VERSION, !trusted, tuple().remotePort(),
                    Nonces.bytes(HostMessage.NONCE_BYTES)).encode();
            transcript = new Transcript(hosts.key(trusted), hello);
            expected = Expected.CHALLENGE;
            channel.send(hello);
            channel.expectWithin(ANSWER_MILLIS);
        }

        /** Another one may still hold the connection's other end. */
        private void notHim(Reason reason, String detail) {
            leave();
            boolean mayHaveHadIt = reason == Reason.HUNG_UP && why != null && why.reason() == Reason.TRANSLATED;
            if (why == null || why.reason() == Reason.NO_RENDEZVOUS || mayHaveHadIt) {
                why = new Refusal(reason, detail);
            }
            next();
        }

        @Override
        public void hungUp(Reason how) {
            take(() -> {
                if (expected == Expected.CHALLENGE) {
                    notHim(Reason.NO_RENDEZVOUS, "port " + at + " hung up, or did not answer in time");
                } else if (how == Reason.HUNG_UP && expected == Expected.SEEN_OR_ANSWER) {
                    notHim(how, null); // it was just ending, maybe, and never had the connection
                } else {
                    Reason why = how == Reason.HUNG_UP ? Reason.NO_ANSWER : how; // it has taken too long for itself
                    endRemembering(listener, LISTENER_MEMORY_NANOS, new Refusal(why, null));
                }
            });
        }

        @Override
        public void received(ByteBuffer frame) {
            take(() -> {
                try {
                    switch (expected) {
                        case CHALLENGE -> challenged(frame);
                        case SEEN_OR_ANSWER, ANSWER -> seenOrAnswered(frame);
                    }
                } catch (BufferUnderflowException e) {
                    leave();
                    end(Reason.BAD_MESSAGE, null);
                }
            });
        }

        private void challenged(ByteBuffer frame) {
            Reason refusal = HostMessage.refusal(frame);
            if (refusal != null) {
                notHim(refusal, "the peer says: " + refusal.text());
                return;
            }
            if (!HostMessage.isProof(transcript, frame)) { // before it hears anything of the connection
                notHim(Reason.WRONG_KEY, null);
                return;
            }
            Step.PEER_PROVED.reached();
            Opening opening = opening();
            if (opening == null) {
                return;
            }
            ByteBuffer message = offerMessage();
            if (message == null) {
                return;
            }
            ByteBuffer payload = ByteBuffer.allocate(HostMessage.MAX_BYTES);
            HostMessage.put(payload, opening.seen(transcript));
            channel.send(transcript.seal(Transcript.Speaker.OFFERER, payload.put(message).flip()));
            Step.OFFER_SENT.reached();
            expected = Expected.SEEN_OR_ANSWER;
            channel.expectWithin(early() ? EARLY_ANSWER_MILLIS : ANSWER_MILLIS);
        }

        /** What its streams began with; null if it has been closed, and this is the end. */
        private Opening opening() {
            Endpoint it = endpoint();
            Opening opening = it == null ? null : it.opening();
            if (opening == null) {
                leave();
                end(Reason.STALE, null);
            }
            return opening;
        }

        private void seenOrAnswered(ByteBuffer frame) {
            ByteBuffer payload = transcript.open(Transcript.Speaker.ACCEPTOR, frame);
            if (payload == null) {
                leave();
                end(Reason.BAD_MESSAGE, null);
                return;
            }
            byte kind = payload.get();
            if (kind == HostMessage.ANSWER) {
                outcome(payload.slice());
            } else if (kind == HostMessage.SEEN && expected == Expected.SEEN_OR_ANSWER) {
                compare(HostMessage.seen(payload));
            } else {
                leave();
                end(Reason.BAD_MESSAGE, null);
            }
        }

        private void outcome(ByteBuffer message) {
            if (why == null || why.reason() != Reason.HUNG_UP) { // or that one may have had it
                why = new Refusal(Reason.TRANSLATED, null); // what it is if this one has it not, and nobody else
            }
            answered(message);
        }

        /** This is the process that has the connection. Both compare before anything is attached (NEG-6). */
        private void compare(Opening.Seen seen) {
            Opening opening = opening();
            if (opening == null) {
                return;
            }
            byte same = (byte) (opening.isWhatWasSent(seen, transcript) ? 1 : 0);
            channel.send(transcript.seal(Transcript.Speaker.OFFERER, ByteBuffer.wrap(new byte[] {same})));
            Step.OPENING_COMPARED.reached();
            expected = Expected.ANSWER;
            channel.expectWithin(ANSWER_MILLIS);
        }

        private void stopConnecting() {
            if (deadline != null) {
                deadline.cancel();
                deadline = null;
            }
            if (tag != 0) {
                loop.unwatch(fd, tag);
                tag = 0;
            }
        }

        /** It has proved that it has the key (NEG-6 tells the rest). */
        @Override
        boolean isHolder() {
            return true;
        }

        @Override
        void found() {
            found.put(listener, at);
            failures.forget(host);
        }

        @Override
        void leave() {
            stopConnecting();
            if (fd >= 0) {
                Posix.close(fd);
                fd = -1;
            }
            if (channel != null) {
                channel.close();
                channel = null;
            }
        }

        @Override
        void apart(Runnable slow, Runnable then) {
            helpers.run(host, slow, () -> take(then));
        }

        /** It may have taken a second, and one at a time connects to a host: others need not all find out for themselves. */
        @Override
        void notCompleted(Refusal why) {
            if (why.reason() == Reason.FAILED) {
                endRemembering(listener, HOST_MEMORY_NANOS, why);
            } else {
                end(why.reason(), why.detail());
            }
        }

        @Override
        void ended() {
            turns.ended(queue);
        }
    }
}
