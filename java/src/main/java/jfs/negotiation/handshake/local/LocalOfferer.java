package jfs.negotiation.handshake.local;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import jfs.nativelib.Posix;
import jfs.negotiation.handshake.Endpoint;
import jfs.negotiation.handshake.LastFound;
import jfs.negotiation.handshake.Message;
import jfs.negotiation.handshake.OfferQueue;
import jfs.negotiation.handshake.OutgoingOffer;
import jfs.negotiation.handshake.Proof;
import jfs.negotiation.handshake.RecentFailures;
import jfs.negotiation.handshake.Tuple;
import jfs.negotiation.policy.MappedAddress;
import jfs.negotiation.policy.Refusal;
import jfs.spi.NoResourcesException;
import jfs.spi.TcpDescriptor;
import jfs.spi.Transport;
import jfs.stat.Reason;
import jfs.steps.Step;
import jfs.threads.EventLoop;

/** The connecting end's half of the handshake on one host. All of it is on the event loop's thread. */
public final class LocalOfferer {

    private static final long ANSWER_MILLIS = 5_000;
    private static final long EARLY_ANSWER_MILLIS = 30_000;
    /** That a listener has not answered is remembered this long (NEG-4). */
    private static final long MEMORY_NANOS = TimeUnit.SECONDS.toNanos(1);
    /**
     * That a listener has no name is remembered this long at first. The time is short because a server that reads a stream may take a name
     * soon.
     */
    private static final long NO_PEER_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    /** Each time that the same is found again, it is remembered for longer, up to this time. */
    private static final long NO_PEER_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);
    /** A listener whose backlog is full is tried again after this long, and this often. */
    private static final long BUSY_MILLIS = 20;
    private static final int BUSY_MAX = 50;

    private final EventLoop loop;
    private final PeerCredentials peers;
    /** Of listeners (address:port). */
    private final RecentFailures failures = new RecentFailures();
    /** The names under which listeners were found. */
    private final LastFound<String> found = new LastFound<>();
    private final OfferQueue queue;

    public LocalOfferer(EventLoop loop, PeerCredentials peers) {
        this.loop = loop;
        this.peers = peers;
        this.queue = new OfferQueue(loop);
    }

    /**
     * Tries to get a fast path for a connection.
     *
     * @param transport makes the path
     * @param early the server program may not have accepted it yet
     */
    public void offer(Endpoint endpoint, Transport transport, boolean early) {
        Tuple tuple = Tuple.of(endpoint.tcp());
        if (tuple == null) {
            endpoint.fallback(Reason.STALE, null);
        } else if (!onThisHost(tuple)) {
            endpoint.fallback(Reason.OTHER_HOST, null);
        } else {
            OutgoingOffer offer = new OutgoingOffer(endpoint, tuple, early, transport, queue);
            offer.start(new ByName(offer));
        }
    }

    /** The remote address is one of this host's (NEG-3); both ends being equal is the usual and cheapest proof. */
    private static boolean onThisHost(Tuple tuple) {
        if (tuple.sameAddresses()) {
            return true;
        }
        try {
            InetAddress remote = InetAddress.getByAddress(tuple.remoteAddress());
            return remote.isLoopbackAddress() || NetworkInterface.getByInetAddress(remote) != null;
        } catch (UnknownHostException | SocketException e) {
            return false;
        }
    }

    /** The control connection of one offer. It asks the names that the offer's listener may have, one after the other. */
    private final class ByName implements OutgoingOffer.ControlConnection {
        private final OutgoingOffer offer;
        private final String listener;
        private Names.Search names;
        /** The present candidate; null before the first one is asked, and after the last one. */
        private String name;
        private int busy;
        /** Whether a process listens at one of the names, and whether one of these processes hung up. */
        private boolean reachedAny;
        private boolean hungUp;
        /** What is known about why it did, in words; may be null. */
        private String whyHungUp;
        /** Why this process may not share memory with a process that has one of the names, in words; null if there is none. */
        private String foreign;
        /** Whether another process was asked. */
        private boolean asked;
        /** A process has joined, and nothing shows that it holds the other end. */
        private boolean unproven;
        private int fd = -1;
        private Token token;
        /** Where the token is shown. This reference keeps a garbage collector from closing that socket before the token is hidden. */
        private TcpDescriptor shownAt;
        private long tag;
        private EventLoop.Timer deadline;
        private final Runnable readAnswer = new Runnable() {
            @Override
            public void run() {
                readAnswer();
            }
        };

        ByName(OutgoingOffer offer) {
            this.offer = offer;
            this.listener = offer.listener();
        }

        @Override
        public Refusal knownFailure() {
            return failures.of(listener);
        }

        @Override
        public void askNext() {
            name = names.next();
            ask();
        }

        @Override
        public String candidate() {
            return name;
        }

        /** Connects to the name, or to the next one at which a process listens. */
        @Override
        public void ask() {
            if (names == null) {
                names = new Names.Search(found.of(listener), MappedAddress.hex(offer.tuple().remoteAddress()), offer.tuple().remotePort());
                name = names.next();
            }
            token = Token.next();
            while (name != null) {
                int socket = Posix.unixConnect(token.name(), name);
                if (socket >= 0) {
                    reachedAny = true;
                    connected(socket);
                    return;
                }
                if (socket == -Posix.EAGAIN) {
                    if (busy++ < BUSY_MAX) {
                        loop.after(BUSY_MILLIS, offer.turn());
                    } else {
                        offer.end(Reason.PEER_BUSY, null);
                    }
                    return;
                }
                if (socket != -Posix.ECONNREFUSED && socket != -Posix.EPROTOTYPE) {
                    offer.end(Reason.NO_RESOURCES, "connecting to a name: " + Posix.errorText(-socket));
                    return;
                }
                name = names.next(); // also after a gap: the listener that had this name may have closed
            }
            endAsNoneHoldsIt();
        }

        private void endAsNoneHoldsIt() {
            if (hungUp) {
                offer.end(Reason.HUNG_UP, whyHungUp);
                return;
            }
            if (!reachedAny) {
                failures.rememberWithBackoff(listener, new Refusal(Reason.NO_PEER, null), NO_PEER_NANOS, NO_PEER_NANOS_MAX);
            }
            if (foreign != null && !asked && !unproven) {
                offer.end(Reason.FOREIGN_USER, foreign);
                return;
            }
            Reason among = unproven ? Reason.UNPROVEN : Reason.NOT_MINE;
            offer.end(reachedAny ? among : Reason.NO_PEER, null);
        }

        private void connected(int socket) {
            fd = socket;
            Step.NAME_CONNECTED.reached();
            if (!peers.mayShare(fd)) { // before anything is sent (NEG-2)
                foreign = peers.whyForeign(fd);
                disconnect();
                askNext();
                return;
            }
            ByteBuffer out = offer.message();
            if (out == null) {
                return;
            }
            Endpoint it = offer.endpoint();
            if (it != null) {
                shownAt = it.tcp();
                token.show(shownAt);
            }
            try {
                tag = loop.watch(fd, Posix.POLLIN, new EventLoop.Handler() {
                    @Override
                    public void ready(int events) {
                        offer.runStep(readAnswer);
                    }
                });
            } catch (IllegalStateException e) { // the kernel refuses
                disconnect();
                offer.end(Reason.NO_RESOURCES, e.getMessage());
                return;
            }
            asked = true;
            int sent = Posix.send(fd, out.array(), out.limit());
            if (sent == -Posix.EPIPE) {
                hungUp();
            } else if (sent < 0) {
                disconnect();
                offer.end(Reason.FAILED, "offer: " + Posix.errorText(-sent));
            } else {
                Step.OFFER_SENT.reached();
                await(offer.early() ? EARLY_ANSWER_MILLIS : ANSWER_MILLIS);
            }
        }

        /** The process that listened there may have been closing, and another one may hold the connection. */
        private void hungUp() {
            whyHungUp = peers.whyHungUp(fd);
            disconnect();
            hungUp = true;
            offer.askNextCandidate();
        }

        /** Waits for the answer, which may take long, but not longer than the connection lives. */
        private void await(long millis) {
            deadline = loop.after(Math.min(millis, 1_000), new Runnable() {
                @Override
                public void run() {
                    offer.runStep(new Runnable() {
                        @Override
                        public void run() {
                            awaitFurther(millis - 1_000);
                        }
                    });
                }
            });
        }

        private void awaitFurther(long millis) {
            boolean stale = offer.isStale();
            if (!stale && millis > 0) {
                await(millis);
                return;
            }
            disconnect();
            if (!stale && !offer.early()) { // so that the offers that wait for their turn need not all find out
                failures.remember(listener, new Refusal(Reason.NO_ANSWER, null), MEMORY_NANOS);
            }
            offer.end(stale ? Reason.STALE : Reason.NO_ANSWER, null);
        }

        private void readAnswer() {
            byte[] bytes = new byte[Message.MAX_BYTES];
            int n = Posix.receive(fd, bytes);
            if (n == -Posix.EAGAIN) {
                return;
            }
            if (n <= 0) {
                hungUp();
                return;
            }
            offer.answered(ByteBuffer.wrap(bytes, 0, n));
        }

        @Override
        public boolean isHolder() throws NoResourcesException {
            Proof proof = peers.proof(fd, offer.tuple().reversed(), token);
            unproven |= proof == Proof.UNPROVEN;
            return proof == Proof.SHOWN;
        }

        /** The token is taken back while the kernel still keeps others from its name (NEG-7). */
        @Override
        public void disconnect() {
            if (deadline != null) {
                deadline.cancel();
                deadline = null;
            }
            if (tag != 0) {
                loop.unwatch(fd, tag);
                tag = 0;
            }
            if (fd >= 0) {
                if (shownAt != null) {
                    Token.hide(shownAt);
                    shownAt = null;
                }
                Posix.close(fd);
                fd = -1;
            }
        }

        @Override
        public void found() {
            found.put(listener, name);
            failures.forget(listener);
        }

        /** On one host the completion of an offer does not wait for the peer: all that it needs is in the answer. */
        @Override
        public void runBlocking(Runnable slow, Runnable then) {
            slow.run();
            then.run();
        }

        @Override
        public void notCompleted(Refusal why) {
            offer.end(why.reason(), why.detail());
        }
    }
}
