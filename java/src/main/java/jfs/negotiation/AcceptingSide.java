package jfs.negotiation;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.BooleanSupplier;
import jfs.nativelib.Posix;
import jfs.spi.NoResourcesException;
import jfs.spi.Transport;
import jfs.stat.Reason;
import jfs.steps.Step;
import jfs.wait.EventLoop;

/**
 * The server's half of the rendezvous on one host: names that clients connect to, and those who have. But for
 * {@link #open} everything happens on the event loop's thread.
 */
final class AcceptingSide {

    /** A client that has connected says what it wants at once, if it has a core: as long as it waits for its answer. */
    private static final long MESSAGE_MILLIS = 5_000;
    /** Offers under way at once; beyond it one of them is turned away for each that comes (NEG-5). */
    private static final int VISITORS_MAX = 256;
    /** Who keeps connecting must not keep the thread from those who are there. */
    private static final int ADMITTED_AT_ONCE = 16;
    /** Between looks at a client that the kernel refused to watch. */
    private static final long LOOK_MILLIS = 10;

    private final EventLoop loop;
    private final Peers peers;
    private final AcceptedSockets sockets;
    private final Map<String, Transport> transports;

    private final Crowd<Visitor> visitors = new Crowd<>(VISITORS_MAX);
    private final Patience patience = new Patience();
    /**
     * Given up to take a client when no other descriptor is left, so that it hears why it stays on TCP, and its end here
     * too. Negative if there is none now.
     */
    private int spare = Posix.eventCreate();
    private boolean spareLent;

    AcceptingSide(EventLoop loop, Peers peers, AcceptedSockets sockets, Map<String, Transport> transports) {
        this.loop = loop;
        this.peers = peers;
        this.sockets = sockets;
        this.transports = transports;
    }

    /**
     * A listening socket can be found from now on, until what is returned runs; null if there is no name left for it.
     *
     * @throws NoResourcesException if the system refuses something else
     */
    Runnable open(InetAddress address, int port) throws NoResourcesException {
        int fd = Names.take(address, port);
        if (fd == -Posix.EADDRINUSE) {
            return null;
        }
        if (fd < 0) {
            throw new NoResourcesException("name of a listening socket: " + Posix.errorText(-fd));
        }
        try {
            Door door = new Door(loop, fd, new BooleanSupplier() {
                @Override
                public boolean getAsBoolean() {
                    return admit(fd);
                }
            });
            Runnable close = new Runnable() {
                @Override
                public void run() {
                    loop.execute(door);
                }
            };
            door.open();
            return close;
        } catch (IllegalStateException | OutOfMemoryError e) {
            Posix.close(fd);
            throw new NoResourcesException("name of a listening socket: " + e.getMessage());
        }
    }

    /** @return false if some who wait can't be taken now */
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
            if (party == Peers.STRANGER) {
                Posix.close(fd);
            } else {
                admit(fd, party, onSpare);
            }
            keepSpare();
        }
        return true;
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
            tooMany.take(new Runnable() {
                @Override
                public void run() {
                    tooMany.answer(Message.Answer.declined(Reason.PEER_BUSY));
                }
            });
        }
    }

    private void keepSpare() {
        if (spare < 0 && !spareLent) {
            spare = Posix.eventCreate();
        }
    }

    /** One client that has connected to a name. */
    private final class Visitor extends Visit implements EventLoop.Handler {
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
            super(sockets, transports, false);
            this.fd = fd;
            this.party = party;
            this.onSpare = onSpare;
            this.token = Token.ofPeer(fd);
        }

        void begin() {
            visitors.add(party, this);
            spareLent |= onSpare;
            take(new Runnable() {
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
                    leave();
                }
            });
            try {
                tag = loop.watch(fd, Posix.POLLIN, this);
            } catch (IllegalStateException e) { // the kernel refuses: it won't get a fast path, but a reason
                lookLater();
            }
        }

        @Override
        public void ready(int events) {
            take(new Runnable() {
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
                    take(new Runnable() {
                        @Override
                        public void run() {
                            lookLater();
                            read();
                        }
                    });
                }
            });
        }

        /** Whatever goes wrong on the way ends this visit alone: the client sees it hang up, and both stay on TCP. */
        void take(Runnable step) {
            boolean done = false;
            try {
                step.run();
                done = true;
            } finally {
                if (!done) {
                    leave();
                }
            }
        }

        private void read() {
            byte[] bytes = new byte[Message.MAX_BYTES];
            int n = Posix.receive(fd, bytes);
            if (n == -Posix.EAGAIN) {
                return;
            }
            if (n <= 0 || offer() != null) {
                leave(); // gone, or talking out of turn
                return;
            }
            received(Message.Offer.decode(ByteBuffer.wrap(bytes, 0, n)));
        }

        @Override
        Peers.Holding holding(Tuple end) throws NoResourcesException {
            return peers.holding(fd, end, token);
        }

        /** Before we join, we show the visitor that we hold our own end (NEG-7). */
        @Override
        boolean mayJoin(Endpoint endpoint) {
            if (token != null) {
                token.show(endpoint.tcp());
            }
            return true;
        }

        @Override
        boolean isShunned() {
            return patience.isOverWith(party);
        }

        /** Only we ourselves don't mean to make us wait. */
        @Override
        void waited(long nanos) {
            if (!peers.isOurselves(party)) {
                patience.waited(party, nanos);
            }
        }

        /** Half a second is the most, and who takes it is not served for long. */
        @Override
        void apart(Runnable slow, Runnable then) {
            slow.run();
            then.run();
        }

        /** Who waits says nothing. */
        @Override
        boolean isHere() {
            return fd >= 0 && Posix.receive(fd, new byte[1]) == -Posix.EAGAIN;
        }

        /** It came by the listener's name. */
        @Override
        boolean mayBeAccepted(int port) {
            return true;
        }

        @Override
        void awaitAccept() {
            deadline.cancel();
            deadline = loop.after(ACCEPT_MILLIS, new Runnable() {
                @Override
                public void run() {
                    take(new Runnable() {
                        @Override
                        public void run() {
                            answer(Message.Answer.notMine());
                        }
                    });
                }
            });
        }

        @Override
        void lookAgain() {
            take(new Runnable() {
                @Override
                public void run() {
                    tryJoin();
                }
            });
        }

        @Override
        void reply(Message.Answer answer) {
            ByteBuffer out = answer.encode(version());
            Posix.send(fd, out.array(), out.limit()); // a client that is gone shows on TCP
            leave();
        }

        /** Idempotent. */
        private void leave() {
            if (fd < 0) {
                return;
            }
            if (deadline != null) {
                deadline.cancel();
            }
            if (nextLook != null) {
                nextLook.cancel();
            }
            endWaiting();
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
