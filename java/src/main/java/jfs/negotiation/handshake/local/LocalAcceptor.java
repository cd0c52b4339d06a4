package jfs.negotiation.handshake.local;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import jfs.nativelib.Posix;
import jfs.negotiation.handshake.AcceptedSockets;
import jfs.negotiation.handshake.ClientLimit;
import jfs.negotiation.handshake.Endpoint;
import jfs.negotiation.handshake.IncomingOffer;
import jfs.negotiation.handshake.ListeningSocket;
import jfs.negotiation.handshake.Message;
import jfs.negotiation.handshake.OpenTransports;
import jfs.negotiation.handshake.Proof;
import jfs.negotiation.handshake.Tuple;
import jfs.spi.NoResourcesException;
import jfs.stat.Reason;
import jfs.stat.Stats;
import jfs.steps.Step;
import jfs.threads.EventLoop;

/**
 * The accepting end's half of the handshake on one host: the names that peer processes connect to, and the visitors: connections to these
 * names. Any thread may call {@link #open}. All other work is on the event loop's thread.
 */
public final class LocalAcceptor {

    /** A visitor makes its offer at once, if its process has a core. This is as long as an offer waits for its answer. */
    private static final long MESSAGE_MILLIS = 5_000;
    /** The most visitors at the same time. Each further visitor makes another one leave (NEG-5). */
    private static final int VISITORS_MAX = 256;
    /** Processes that keep connecting must not keep the thread from the visitors that are there. */
    private static final int ADMITTED_AT_ONCE = 16;
    /** The most strangers of different users that the log has. */
    private static final int STRANGERS_LOGGED_MAX = 16;
    /** The time between two looks at a visitor that the kernel refused to watch. */
    private static final long LOOK_MILLIS = 10;

    private final EventLoop loop;
    private final PeerCredentials peers;
    private final IncomingOffer.Acceptor acceptor;
    private final ClientLimit<Visitor> visitors = new ClientLimit<>(VISITORS_MAX);
    /**
     * A descriptor to spare. It is given up to accept a visitor when no other descriptor is left, so that both ends hear why their
     * connection stays on TCP. Negative if there is none now.
     */
    private int spare = Posix.eventCreate();
    private boolean spareLent;
    /** What the log has about strangers. It has one line for each user, because any process of this host may visit as often as it likes. */
    private final Set<String> strangersLogged = new HashSet<>();

    /** @param transports those of this host */
    public LocalAcceptor(EventLoop loop, PeerCredentials peers, AcceptedSockets sockets, OpenTransports transports) {
        this.loop = loop;
        this.peers = peers;
        this.acceptor = new IncomingOffer.Acceptor(sockets, transports);
    }

    /**
     * A listening socket can be found from now on.
     *
     * @return ends that; null if no name is left for the socket
     * @throws NoResourcesException if the system refuses something else
     */
    public Runnable open(InetAddress address, int port) throws NoResourcesException {
        int fd = Names.take(address, port);
        if (fd == -Posix.EADDRINUSE) {
            return null;
        }
        if (fd < 0) {
            throw new NoResourcesException("name of a listening socket: " + Posix.errorText(-fd));
        }
        try {
            ListeningSocket listener = new ListeningSocket(loop, fd, new BooleanSupplier() {
                @Override
                public boolean getAsBoolean() {
                    return admit(fd);
                }
            });
            Runnable close = new Runnable() {
                @Override
                public void run() {
                    loop.execute(listener);
                }
            };
            listener.open();
            return close;
        } catch (IllegalStateException | OutOfMemoryError e) {
            Posix.close(fd);
            throw new NoResourcesException("name of a listening socket: " + e.getMessage());
        }
    }

    /** @return false if some visitors that wait can't be accepted now */
    private boolean admit(int listener) {
        for (int i = 0; i < ADMITTED_AT_ONCE; i++) {
            int fd = Posix.accept(listener);
            boolean onSpare = (fd == -Posix.EMFILE || fd == -Posix.ENFILE) && spare >= 0;
            if (onSpare) {
                Posix.close(spare);
                spare = -1;
                fd = Posix.accept(listener);
            }
            if (fd < 0) {
                keepSpare();
                return fd == -Posix.EAGAIN;
            }
            long party = peers.party(fd);
            if (party == PeerCredentials.STRANGER) {
                logStranger(fd);
                Posix.close(fd);
            } else {
                admit(fd, party, onSpare);
            }
            keepSpare();
        }
        return true;
    }

    private void logStranger(int fd) {
        if (strangersLogged.size() < STRANGERS_LOGGED_MAX) {
            String why = peers.whyStranger(fd); // names the user
            if (strangersLogged.add(why)) {
                Stats.refusedVisitor(why);
            }
        }
    }

    private void admit(int fd, long party, boolean onSpare) {
        Visitor visitor = null;
        try {
            Step.VISITOR_ADMITTED.reached();
            visitor = new Visitor(fd, party, onSpare);
        } finally {
            if (visitor == null) {
                Posix.close(fd);
            }
        }
        visitor.begin();
        Visitor tooMany = visitors.tooMany();
        if (tooMany != null) {
            tooMany.runStep(new Runnable() {
                @Override
                public void run() {
                    tooMany.offer.answer(Message.Answer.declined(Reason.PEER_BUSY));
                }
            });
        }
    }

    private void keepSpare() {
        if (spare < 0 && !spareLent) {
            spare = Posix.eventCreate();
        }
    }

    /** A process that has connected to a name. */
    private final class Visitor implements IncomingOffer.ControlConnection, EventLoop.Handler {
        private final IncomingOffer offer;
        private int fd;
        private final long party;
        private final boolean onSpare;
        /** Null if it has none. */
        private final Token token;
        private long tag;
        private EventLoop.Timer deadline;
        private EventLoop.Timer nextLook;

        /** @param onSpare whether its descriptor is the one that was to spare */
        Visitor(int fd, long party, boolean onSpare) {
            this.fd = fd;
            this.party = party;
            this.onSpare = onSpare;
            this.token = Token.ofPeer(fd);
            this.offer = new IncomingOffer(acceptor, party, this);
        }

        void begin() {
            visitors.add(party, this);
            spareLent |= onSpare;
            runStep(new Runnable() {
                @Override
                public void run() {
                    awaitMessage();
                }
            });
        }

        private void awaitMessage() {
            deadline = loop.after(MESSAGE_MILLIS, new Runnable() {
                @Override
                public void run() {
                    disconnect();
                }
            });
            try {
                tag = loop.watch(fd, Posix.POLLIN, this);
            } catch (IllegalStateException e) { // the kernel refuses: the visitor gets no fast path, but a reason
                lookLater();
            }
        }

        @Override
        public void ready(int events) {
            runStep(new Runnable() {
                @Override
                public void run() {
                    read();
                }
            });
        }

        private void lookLater() {
            nextLook = loop.after(LOOK_MILLIS, new Runnable() {
                @Override
                public void run() {
                    runStep(new Runnable() {
                        @Override
                        public void run() {
                            lookLater();
                            read();
                        }
                    });
                }
            });
        }

        /**
         * Runs a step. If the step throws, this process disconnects this visitor and no other. The peer process sees that, and both ends
         * stay on TCP.
         */
        void runStep(Runnable step) {
            boolean done = false;
            try {
                step.run();
                done = true;
            } finally {
                if (!done) {
                    disconnect();
                }
            }
        }

        private void read() {
            byte[] bytes = new byte[Message.MAX_BYTES];
            int n = Posix.receive(fd, bytes);
            if (n == -Posix.EAGAIN) {
                return;
            }
            if (n <= 0 || offer.isReceived()) {
                disconnect(); // the peer process has gone, or talks out of turn
                return;
            }
            offer.received(Message.Offer.decode(ByteBuffer.wrap(bytes, 0, n)));
        }

        @Override
        public Proof proof(Tuple end) throws NoResourcesException {
            return peers.proof(fd, end, token);
        }

        /** Before this process joins, it shows the visitor that it holds its own end (NEG-7). */
        @Override
        public boolean mayJoin(Endpoint endpoint) {
            if (token != null) {
                token.show(endpoint.tcp());
            }
            return true;
        }

        /** A join takes half a second at most. A process whose joins take so long is soon not served (NEG-5). */
        @Override
        public void runBlocking(Runnable slow, Runnable then) {
            slow.run();
            then.run();
        }

        /** Joins of this process with itself are not limited, because a process does not attack itself. */
        @Override
        public boolean isLimited() {
            return !peers.isOurselves(party);
        }

        /** A visitor that waits for its answer sends nothing. */
        @Override
        public boolean isConnected() {
            return fd >= 0 && Posix.receive(fd, new byte[1]) == -Posix.EAGAIN;
        }

        /** The visitor has come by the listener's name. */
        @Override
        public boolean mayBeAccepted(int port) {
            return true;
        }

        @Override
        public void awaitAccept() {
            deadline.cancel();
            deadline = loop.after(IncomingOffer.ACCEPT_MILLIS, new Runnable() {
                @Override
                public void run() {
                    runStep(new Runnable() {
                        @Override
                        public void run() {
                            offer.answer(Message.Answer.notMine());
                        }
                    });
                }
            });
        }

        @Override
        public void reply(ByteBuffer answer) {
            Posix.send(fd, answer.array(), answer.limit()); // that a visitor has gone shows on TCP
            disconnect();
        }

        @Override
        public void disconnect() {
            if (fd < 0) {
                return;
            }
            if (deadline != null) {
                deadline.cancel();
            }
            if (nextLook != null) {
                nextLook.cancel();
            }
            offer.endWaiting();
            loop.unwatch(fd, tag);
            Posix.close(fd);
            fd = -1;
            if (onSpare) {
                spareLent = false;
                keepSpare();
            }
            visitors.remove(party, this);
        }
    }
}
