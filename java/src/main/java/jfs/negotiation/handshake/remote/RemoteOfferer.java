package jfs.negotiation.handshake.remote;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import jfs.nativelib.Posix;
import jfs.negotiation.handshake.Endpoint;
import jfs.negotiation.handshake.IncomingOffer;
import jfs.negotiation.handshake.LastFound;
import jfs.negotiation.handshake.Nonces;
import jfs.negotiation.handshake.OfferQueue;
import jfs.negotiation.handshake.OutgoingOffer;
import jfs.negotiation.handshake.RecentFailures;
import jfs.negotiation.handshake.StreamPrefix;
import jfs.negotiation.handshake.Tuple;
import jfs.negotiation.policy.MappedAddress;
import jfs.negotiation.policy.Refusal;
import jfs.spi.Transport;
import jfs.stat.Reason;
import jfs.steps.Step;
import jfs.threads.EventLoop;

/**
 * The connecting end's half of the handshake between hosts. It asks the rendezvous ports of the peer's host, one after the other, for the
 * process that holds the other end of a connection. The process has to prove that it has the key. Then it gets the offer. All work is on
 * the event loop's thread, but for the part that the peer process can make slow.
 */
public final class RemoteOfferer {

    /** Long enough for TCP to send two lost packets again. */
    private static final long CONNECT_MILLIS = 4_000;
    private static final long ANSWER_MILLIS = 5_000;
    /** As long as the accepting end waits for an accept, and the time that its answer takes. */
    private static final long EARLY_ANSWER_MILLIS = IncomingOffer.ACCEPT_MILLIS + ANSWER_MILLIS;
    /**
     * For how long JFS does not ask a host that can't be reached, or where no process listens. The time gets longer with each such failure.
     */
    private static final long HOST_MEMORY_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long HOST_MEMORY_NANOS_MAX = TimeUnit.MINUTES.toNanos(5);
    /**
     * For how long JFS does not ask for a listener that no process there has. The time is short because the listener may just have been
     * opened or closed.
     */
    private static final long LISTENER_MEMORY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final EventLoop loop;
    private final Hosts hosts;
    private final BlockingTasks tasks;
    /** Of hosts (address) and of listeners (address:port). */
    private final RecentFailures failures = new RecentFailures();
    private final OfferQueue queue;
    /** The ports at which listeners were found. */
    private final LastFound<Integer> found = new LastFound<>();

    public RemoteOfferer(HandshakeResources resources) {
        this.loop = resources.loop();
        this.hosts = resources.hosts();
        this.tasks = resources.tasks();
        this.queue = new OfferQueue(loop);
    }

    /**
     * Tries to get a fast path for a connection for which a rule has chosen a transport between hosts.
     *
     * @param transport that transport
     * @param trusted whether that rule asks for no key
     * @param early the server program may not have accepted it yet
     */
    public void offer(Endpoint endpoint, Transport transport, boolean trusted, boolean early) {
        Tuple tuple = Tuple.of(endpoint.tcp());
        if (tuple == null) {
            endpoint.fallback(Reason.STALE, null);
        } else {
            OutgoingOffer offer = new OutgoingOffer(endpoint, tuple, early, transport, queue);
            offer.start(new ByPort(offer, trusted));
        }
    }

    private enum Expected {
        CHALLENGE, SEEN_OR_ANSWER, ANSWER
    }

    /** The control connection of one offer. It asks the rendezvous ports of the peer's host, one after the other. */
    private final class ByPort implements OutgoingOffer.ControlConnection, HostChannel.Listener {
        private final OutgoingOffer offer;
        private final String host;
        private final String listener;
        private final boolean trusted;
        /** The port at which the listener was found last, or null. It is asked first, then all other ports in turn. */
        private final Integer foundAt;
        /** The present candidate. */
        private int port;
        /** Why the connection stays on TCP if no process on that host turns out to hold it. */
        private Refusal why;
        private boolean reachedAny;

        private int fd = -1;
        private long tag;
        private EventLoop.Timer deadline;
        private HostChannel channel;
        private Expected expected;
        private Transcript transcript;

        ByPort(OutgoingOffer offer, boolean trusted) {
            this.offer = offer;
            this.host = MappedAddress.hex(offer.tuple().remoteAddress());
            this.listener = offer.listener();
            this.trusted = trusted;
            this.foundAt = found.of(listener);
            this.port = foundAt != null ? foundAt : hosts.firstPort();
        }

        @Override
        public Refusal knownFailure() {
            Refusal ofHost = failures.of(host);
            return ofHost != null ? ofHost : failures.of(listener);
        }

        @Override
        public void askNext() {
            port = isFoundAt(port) ? hosts.firstPort() : port + 1;
            port += isFoundAt(port) ? 1 : 0;
            if (port > hosts.lastPort()) {
                endAsNoneHoldsIt();
            } else {
                ask();
            }
        }

        @Override
        public String candidate() {
            return host + ":" + port;
        }

        private boolean isFoundAt(int port) {
            return foundAt != null && foundAt == port;
        }

        private void endAsNoneHoldsIt() {
            if (!reachedAny) {
                endWithoutRendezvous(null);
            } else {
                endRemembering(listener, LISTENER_MEMORY_NANOS, why);
            }
        }

        private void endWithoutRendezvous(String how) {
            Refusal refusal = new Refusal(Reason.NO_RENDEZVOUS, how);
            if (!offer.isStale()) {
                failures.rememberWithBackoff(host, refusal, HOST_MEMORY_NANOS, HOST_MEMORY_NANOS_MAX);
            }
            offer.end(refusal.reason(), refusal.detail());
        }

        private void endRemembering(String whom, long nanos, Refusal refusal) {
            if (!offer.isStale()) {
                failures.remember(whom, refusal, nanos);
            }
            offer.end(refusal.reason(), refusal.detail());
        }

        @Override
        public void ask() {
            int socket = Posix.tcpConnect(offer.tuple().toBytes(), port);
            if (socket < 0) {
                notConnected(-socket);
                return;
            }
            fd = socket;
            try {
                tag = loop.watch(fd, Posix.POLLOUT | Posix.EPOLLONESHOT, events -> offer.runStep(this::connected));
            } catch (IllegalStateException e) {
                disconnect();
                offer.end(Reason.NO_RESOURCES, e.getMessage());
                return;
            }
            deadline = loop.after(CONNECT_MILLIS, () -> offer.runStep(() -> {
                disconnect();
                unreachable("it takes no connection to port " + port);
            }));
        }

        /** Where no process listens, the next port is asked. Any other error goes for the whole host. */
        private void notConnected(int errno) {
            disconnect();
            if (errno == Posix.ECONNREFUSED) {
                askNext();
            } else if (errno == Posix.EMFILE || errno == Posix.ENFILE) {
                offer.end(Reason.NO_RESOURCES, "rendezvous: " + Posix.errorText(errno));
            } else {
                unreachable("port " + port + ": " + Posix.errorText(errno));
            }
        }

        private void unreachable(String how) {
            if (reachedAny) {
                endAsNoneHoldsIt();
            } else {
                endWithoutRendezvous(how);
            }
        }

        private void connected() {
            if (Posix.tcpTuple(fd, new byte[Posix.TUPLE_BYTES]) != Posix.TCP_ESTABLISHED) {
                int error = Posix.receive(fd, new byte[1]);
                notConnected(error < 0 ? -error : Posix.ECONNREFUSED); // connected, and closed at once
                return;
            }
            Step.NAME_CONNECTED.reached();
            reachedAny = true;
            int socket = fd;
            stopConnecting();
            fd = -1;
            channel = new HostChannel(loop, socket, this);
            channel.open();
            ByteBuffer hello = new HostMessage.Hello(HostMessage.VERSION, !trusted, offer.tuple().remotePort(),
                    Nonces.bytes(HostMessage.NONCE_BYTES)).encode();
            transcript = new Transcript(hosts.key(trusted), hello);
            expected = Expected.CHALLENGE;
            channel.send(hello);
            channel.expectWithin(ANSWER_MILLIS);
        }

        /** The present candidate does not hold the other end, or can't prove it. Another one may still hold it. */
        private void rejectCandidate(Reason reason, String detail) {
            disconnect();
            boolean mayHaveHadIt = reason == Reason.HUNG_UP && why != null && why.reason() == Reason.TRANSLATED;
            if (why == null || why.reason() == Reason.NO_RENDEZVOUS || mayHaveHadIt) {
                why = new Refusal(reason, detail);
            }
            askNext();
        }

        @Override
        public void hungUp(Reason how) {
            offer.runStep(() -> {
                if (expected == Expected.CHALLENGE) {
                    rejectCandidate(Reason.NO_RENDEZVOUS, "port " + port + " hung up, or did not answer in time");
                } else if (how == Reason.HUNG_UP && expected == Expected.SEEN_OR_ANSWER) {
                    rejectCandidate(how, null); // that process may have been ending, and need not have held the connection
                } else {
                    // A peer process that hangs up this late has taken too long itself.
                    Reason why = how == Reason.HUNG_UP ? Reason.NO_ANSWER : how;
                    endRemembering(listener, LISTENER_MEMORY_NANOS, new Refusal(why, null));
                }
            });
        }

        @Override
        public void received(ByteBuffer frame) {
            offer.runStep(() -> {
                try {
                    switch (expected) {
                        case CHALLENGE -> challenged(frame);
                        case SEEN_OR_ANSWER, ANSWER -> seenOrAnswered(frame);
                    }
                } catch (BufferUnderflowException e) {
                    disconnect();
                    offer.end(Reason.BAD_MESSAGE, null);
                }
            });
        }

        private void challenged(ByteBuffer frame) {
            Reason refusal = HostMessage.refusal(frame);
            if (refusal != null) {
                rejectCandidate(refusal, "the peer says: " + refusal.text());
                return;
            }
            if (!HostMessage.isProof(transcript, frame)) { // before the candidate hears anything of the connection
                rejectCandidate(Reason.WRONG_KEY, null);
                return;
            }
            Step.PEER_PROVED.reached();
            StreamPrefix prefix = streamPrefix();
            if (prefix == null) {
                return;
            }
            ByteBuffer message = offer.message();
            if (message == null) {
                return;
            }
            ByteBuffer payload = ByteBuffer.allocate(HostMessage.MAX_BYTES);
            HostMessage.put(payload, prefix.seen(transcript::digest));
            channel.send(transcript.seal(Transcript.Speaker.OFFERER, payload.put(message).flip()));
            Step.OFFER_SENT.reached();
            expected = Expected.SEEN_OR_ANSWER;
            channel.expectWithin(offer.early() ? EARLY_ANSWER_MILLIS : ANSWER_MILLIS);
        }

        /** @return null if the connection has been closed, and the offer has ended */
        private StreamPrefix streamPrefix() {
            Endpoint it = offer.endpoint();
            StreamPrefix prefix = it == null ? null : it.streamPrefix();
            if (prefix == null) {
                disconnect();
                offer.end(Reason.STALE, null);
            }
            return prefix;
        }

        private void seenOrAnswered(ByteBuffer frame) {
            ByteBuffer payload = transcript.open(Transcript.Speaker.ACCEPTOR, frame);
            if (payload == null) {
                disconnect();
                offer.end(Reason.BAD_MESSAGE, null);
                return;
            }
            byte kind = payload.get();
            if (kind == HostMessage.ANSWER) {
                outcome(payload.slice());
            } else if (kind == HostMessage.SEEN && expected == Expected.SEEN_OR_ANSWER) {
                compare(HostMessage.seen(payload));
            } else {
                disconnect();
                offer.end(Reason.BAD_MESSAGE, null);
            }
        }

        private void outcome(ByteBuffer message) {
            if (why == null || why.reason() != Reason.HUNG_UP) { // a process that hung up may have held it
                why = new Refusal(Reason.TRANSLATED, null); // if neither this process nor another one holds it
            }
            offer.answered(message);
        }

        /** The peer process says that it holds the connection. Both compare the streams before anything is attached (NEG-6). */
        private void compare(StreamPrefix.Seen seen) {
            StreamPrefix prefix = streamPrefix();
            if (prefix == null) {
                return;
            }
            byte same = (byte) (prefix.isWhatWasSent(seen, transcript::digest) ? 1 : 0);
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

        /** The peer process has proved that it has the key. The rest is checked by the comparison of the streams (NEG-6). */
        @Override
        public boolean isHolder() {
            return true;
        }

        @Override
        public void found() {
            found.put(listener, port);
            failures.forget(host);
        }

        @Override
        public void disconnect() {
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
        public void runBlocking(Runnable slow, Runnable then) {
            tasks.run(host, slow, () -> offer.runStep(then));
        }

        /**
         * The failed attempt may have taken a second, and one offer at a time connects to a host. Therefore the next offers do not try for
         * a while.
         */
        @Override
        public void notCompleted(Refusal why) {
            if (why.reason() == Reason.FAILED) {
                endRemembering(listener, HOST_MEMORY_NANOS, why);
            } else {
                offer.end(why.reason(), why.detail());
            }
        }
    }
}
