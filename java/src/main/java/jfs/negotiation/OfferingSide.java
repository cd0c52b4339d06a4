package jfs.negotiation;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import jfs.nativelib.Posix;
import jfs.spi.NoResourcesException;
import jfs.spi.TcpDescriptor;
import jfs.spi.Transport;
import jfs.stat.Reason;
import jfs.steps.Step;
import jfs.wait.EventLoop;

/** The client's half of the rendezvous on one host, all of it on the event loop's thread. */
final class OfferingSide {

    private static final long ANSWER_MILLIS = 5_000;
    private static final long EARLY_ANSWER_MILLIS = 30_000;
    /** That a listener has not answered is remembered this long (NEG-4). */
    private static final long MEMORY_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** That a listener has no name is remembered this long at first: a server that reads a stream may take one soon. */
    private static final long NO_PEER_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    /** And longer each time that it is found again, up to this long. */
    private static final long NO_PEER_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);
    /** A listener whose backlog is full is tried again after this long, and this often. */
    private static final long BUSY_MILLIS = 20;
    private static final int BUSY_MAX = 50;

    private final EventLoop loop;
    private final Peers peers;
    private final Transport transport;
    /** Of listeners (address:port). */
    private final Failures failures = new Failures();
    /** The names under which listeners were found. */
    private final Found<String> found = new Found<>();
    private final Turns turns;

    OfferingSide(EventLoop loop, Peers peers, Transport transport) {
        this.loop = loop;
        this.peers = peers;
        this.transport = transport;
        this.turns = new Turns(loop);
    }

    /**
     * Tries to get a fast path for a connection.
     *
     * @param early the server program may not have accepted it yet
     */
    void offer(Endpoint endpoint, boolean early) {
        Tuple tuple = Tuple.of(endpoint.tcp());
        if (tuple == null) {
            endpoint.fallback(Reason.STALE, null);
            return;
        }
        if (!onThisHost(tuple)) {
            endpoint.fallback(Reason.OTHER_HOST, null);
            return;
        }
        String listener = Names.hex(tuple.remoteAddress()) + ":" + tuple.remotePort();
        Refusal inVain = failures.of(listener);
        if (inVain != null) {
            endpoint.defer(inVain.reason(), inVain.detail());
            return;
        }
        // Early ones may wait long for an accept: those who are accepted already don't wait for them.
        String queue = early ? listener + " early" : listener;
        Attempt attempt = new ByName(endpoint, tuple, listener, queue, early);
        if (!turns.await(queue, attempt.turn())) {
            endpoint.defer(Reason.PEER_BUSY, null);
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

    /** One connection's way through the names of its listener. */
    private final class ByName extends Attempt {
        private final String listener;
        private final String queue;
        private Names.Search names;
        /** The one that is asked now; null before the first and after the last. */
        private String name;
        private int busy;
        private boolean met;
        private boolean hungUp;
        /** Somebody who may not share memory has one of the names; somebody who may was asked. */
        private boolean foreign;
        private boolean asked;
        /** Somebody has joined, and nothing shows that it holds the other end. */
        private boolean unproven;
        private int fd = -1;
        private Token token;
        /** Where it is shown; held, so that no garbage collector closes that socket before it is hidden. */
        private TcpDescriptor shownAt;
        private long tag;
        private EventLoop.Timer deadline;
        private final Runnable answered = new Runnable() {
            @Override
            public void run() {
                answered();
            }
        };

        ByName(Endpoint endpoint, Tuple tuple, String listener, String queue, boolean early) {
            super(endpoint, tuple, early, transport);
            this.listener = listener;
            this.queue = queue;
        }

        /** Its turn has come, or comes again. What it waited for may have ended meanwhile. */
        @Override
        void begin() {
            Refusal inVain = failures.of(listener);
            if (isStale()) {
                end(Reason.STALE, null);
            } else if (inVain != null) {
                endUnasked(inVain);
            } else if (names == null) {
                names = new Names.Search(found.of(listener), Names.hex(tuple().remoteAddress()), tuple().remotePort());
                next();
            } else {
                ask();
            }
        }

        @Override
        void next() {
            name = names.next();
            ask();
        }

        @Override
        void sameAgain() {
            ask();
        }

        @Override
        String asked() {
            return name;
        }

        /** Connects to the name, or to the next one that somebody has. */
        private void ask() {
            token = Token.next();
            while (name != null) {
                int socket = Posix.unixConnect(token.name(), name);
                if (socket >= 0) {
                    met = true;
                    visit(socket);
                    return;
                }
                if (socket == -Posix.EAGAIN) {
                    if (busy++ < BUSY_MAX) {
                        loop.after(BUSY_MILLIS, turn());
                    } else {
                        end(Reason.PEER_BUSY, null);
                    }
                    return;
                }
                if (socket != -Posix.ECONNREFUSED && socket != -Posix.EPROTOTYPE) {
                    end(Reason.NO_RESOURCES, "connecting to a name: " + Posix.errorText(-socket));
                    return;
                }
                name = names.next(); // also after a gap: the listener that had this name may have closed
            }
            if (hungUp) {
                end(Reason.HUNG_UP, null);
                return;
            }
            if (!met) {
                failures.rememberLonger(listener, new Refusal(Reason.NO_PEER, null), NO_PEER_NANOS, NO_PEER_NANOS_MAX);
            }
            end(!met ? Reason.NO_PEER : unproven ? Reason.UNPROVEN : foreign && !asked ? Reason.FOREIGN_USER : Reason.NOT_MINE,
                    null);
        }

        private void visit(int socket) {
            fd = socket;
            Step.NAME_CONNECTED.reached();
            if (!peers.mayShare(fd)) { // before anything is sent (NEG-2)
                leave();
                foreign = true;
                next();
                return;
            }
            ByteBuffer out = offerMessage();
            if (out == null) {
                return;
            }
            Endpoint it = endpoint();
            if (it != null) {
                shownAt = it.tcp();
                token.show(shownAt);
            }
            try {
                tag = loop.watch(fd, Posix.POLLIN, new EventLoop.Handler() {
                    @Override
                    public void ready(int events) {
                        take(answered);
                    }
                });
            } catch (IllegalStateException e) { // the kernel won't
                leave();
                end(Reason.NO_RESOURCES, e.getMessage());
                return;
            }
            asked = true;
            int sent = Posix.send(fd, out.array(), out.limit());
            if (sent == -Posix.EPIPE) {
                hungUp();
            } else if (sent < 0) {
                leave();
                end(Reason.FAILED, "offer: " + Posix.errorText(-sent));
            } else {
                Step.OFFER_SENT.reached();
                await(early() ? EARLY_ANSWER_MILLIS : ANSWER_MILLIS);
            }
        }

        /** It was just closing, maybe, and somebody else listens there. */
        private void hungUp() {
            leave();
            hungUp = true;
            passOver();
        }

        /** The answer may take long, but is not waited for longer than the connection lives. */
        private void await(long millis) {
            deadline = loop.after(Math.min(millis, 1_000), new Runnable() {
                @Override
                public void run() {
                    take(new Runnable() {
                        @Override
                        public void run() {
                            awaitFurther(millis - 1_000);
                        }
                    });
                }
            });
        }

        private void awaitFurther(long millis) {
            boolean stale = isStale();
            if (!stale && millis > 0) {
                await(millis);
                return;
            }
            leave();
            if (!stale && !early()) { // those who wait for their turn need not all find out for themselves
                failures.remember(listener, new Refusal(Reason.NO_ANSWER, null), MEMORY_NANOS);
            }
            end(stale ? Reason.STALE : Reason.NO_ANSWER, null);
        }

        private void answered() {
            byte[] bytes = new byte[Message.MAX_BYTES];
            int n = Posix.receive(fd, bytes);
            if (n == -Posix.EAGAIN) {
                return;
            }
            if (n <= 0) {
                hungUp();
                return;
            }
            answered(ByteBuffer.wrap(bytes, 0, n));
        }

        @Override
        boolean isHolder() throws NoResourcesException {
            Peers.Holding holding = peers.holding(fd, tuple().reversed(), token);
            unproven |= holding == Peers.Holding.UNPROVEN;
            return holding == Peers.Holding.SHOWN;
        }

        /** The token is taken back while the kernel still keeps others from its name (NEG-7). */
        @Override
        void leave() {
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
        void found() {
            found.put(listener, name);
            failures.forget(listener);
        }

        /** All that there is to wait for is in the answer. */
        @Override
        void apart(Runnable slow, Runnable then) {
            slow.run();
            then.run();
        }

        @Override
        void notCompleted(Refusal why) {
            end(why.reason(), why.detail());
        }

        @Override
        void ended() {
            turns.ended(queue);
        }
    }
}
