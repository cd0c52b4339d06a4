package jfs.negotiation;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import jfs.nativelib.Posix;
import jfs.spi.NoResourcesException;
import jfs.spi.OtherVersionException;
import jfs.spi.Transport;
import jfs.stat.Reason;
import jfs.stat.Stats;
import jfs.steps.Step;
import jfs.wait.Cleaning;
import jfs.wait.EventLoop;

/**
 * The server's half of the rendezvous. Its sockets' tables are shared with the threads that accept and close (guarded by
 * {@code this}); everything else happens on the event loop's thread.
 */
final class AcceptingSide {

    /** A client that has connected says what it wants at once, if it has a core: as long as it waits for its answer. */
    private static final long MESSAGE_MILLIS = 5_000;
    /** An early offer waits this long for its connection to be accepted. */
    private static final long ACCEPT_MILLIS = 30_000;
    /** Offers under way at once; beyond it one of them is turned away for each that comes (R18). */
    private static final int VISITORS_MAX = 256;
    /** Who keeps connecting must not keep the thread from those who are there. */
    private static final int ADMITTED_AT_ONCE = 16;
    /**
     * A join may block for half a second if the peer wants it to. Who has made us wait so long in all, a tenth of a second or
     * more at a time, is not served until he has not done so for a while.
     */
    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long WAITED_MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(1_200);
    private static final long WAITED_MEMORY_NANOS = TimeUnit.SECONDS.toNanos(15);
    private static final long RETRY_MILLIS = 50;
    /** Between looks at a client that the kernel refused to watch. */
    private static final long LOOK_MILLIS = 10;

    private final EventLoop loop;
    private final Peers peers;
    private final Map<String, Transport> transports;

    /** Accepted sockets without a fast path by (remote port, local port); guarded by this. */
    private final Map<Long, List<Accepted>> accepted = new HashMap<>();
    /** Early offers whose socket has not been accepted; guarded by this. */
    private final List<Visitor> waiting = new ArrayList<>();

    private final Crowd<Visitor> visitors = new Crowd<>(VISITORS_MAX);
    /** Parties that made us wait. */
    private final Map<Long, Waited> waited = new HashMap<>();
    /**
     * Given up to take a client when no other descriptor is left, so that it hears why it stays on TCP, and its end here
     * too. Negative if there is none now.
     */
    private int spare = Posix.eventCreate();
    private boolean spareLent;

    /** How long in all, and until when that is remembered. */
    private record Waited(long nanos, long until) {
        boolean isOver(long now) {
            return until - now <= 0;
        }
    }

    AcceptingSide(EventLoop loop, Peers peers, Map<String, Transport> transports) {
        this.loop = loop;
        this.peers = peers;
        this.transports = transports;
    }

    /** An accepted socket in the table. */
    final class Accepted {
        private final WeakReference<Endpoint> endpoint;
        private final Refusal refusal;
        private final Names.Name name;
        private final long key;
        private final Cleaner.Cleanable removal;

        private Accepted(Endpoint endpoint, Refusal refusal, Names.Name name, long key) {
            this.endpoint = new WeakReference<>(endpoint);
            this.refusal = refusal;
            this.name = name;
            this.key = key;
            this.removal = Cleaning.cleaner().register(endpoint, this::remove);
        }

        /**
         * It is closed, has its path or will have none: nobody needs to find it any more. One that is garbage is
         * forgotten too. Idempotent.
         */
        void forget() {
            removal.clean();
        }

        private void remove() {
            try {
                synchronized (AcceptingSide.this) {
                    List<Accepted> list = accepted.get(key);
                    if (list != null && list.remove(this) && list.isEmpty()) { // it never came in if memory ran out
                        accepted.remove(key);
                    }
                }
            } finally {
                name.release();
            }
        }
    }

    /**
     * A listening socket can be found from now on; null if there is no name left for it.
     *
     * @throws NoResourcesException if the system refuses something else
     */
    Names.Name listen(InetAddress address, int port) throws NoResourcesException {
        int fd = Names.listen(address, port);
        if (fd == -Posix.EADDRINUSE) {
            return null;
        }
        if (fd < 0) {
            throw new NoResourcesException("name of a listening socket: " + Posix.errorText(-fd));
        }
        try {
            Door door = new Door(fd);
            Names.Name name = new Names.Name(() -> loop.execute(door::close));
            door.open();
            return name;
        } catch (IllegalStateException | OutOfMemoryError e) {
            Posix.close(fd);
            throw new NoResourcesException("name of a listening socket: " + e.getMessage());
        }
    }

    /** A listening Unix socket. Opened by the thread that made it; everything else happens on the event loop's. */
    private final class Door {
        private final int listener;
        private long tag; // guarded by this: the loop may hear of a client before the one who opens it has the tag
        private boolean closed;

        Door(int listener) {
            this.listener = listener;
        }

        synchronized void open() {
            tag = loop.watch(listener, Posix.POLLIN, events -> {
                if (!admit(listener)) { // no descriptor is left: the client stays readable, so look away for a moment
                    lookAway();
                }
            });
        }

        private synchronized void lookAway() {
            loop.after(RETRY_MILLIS, this::openAgain); // first: without it nobody would ever look again
            loop.unwatch(listener, tag);
        }

        private synchronized void openAgain() {
            try {
                if (!closed) {
                    open();
                }
            } catch (IllegalStateException | OutOfMemoryError e) { // there is no memory for it now
                loop.after(RETRY_MILLIS, this::openAgain);
            }
        }

        synchronized void close() {
            loop.unwatch(listener, tag);
            closed = true;
            Posix.close(listener);
        }
    }

    /** A connection was accepted: one atomic step makes it known and finds the offers that wait for it (R1). */
    Accepted register(Endpoint endpoint, Refusal refusal, Names.Name name, int remotePort, int localPort) {
        long key = key(remotePort, localPort);
        name.retain();
        Accepted it = null;
        try {
            it = new Accepted(endpoint, refusal, name, key);
        } finally {
            if (it == null) {
                name.release();
            }
        }
        boolean wanted = false;
        synchronized (this) {
            List<Accepted> list = accepted.computeIfAbsent(key, k -> new ArrayList<>(1));
            list.add(it);
            for (Visitor visitor : waiting) {
                wanted |= visitor.key == key;
            }
        }
        if (wanted) {
            loop.execute(this::retryWaiting);
        }
        return it;
    }

    private static long key(int remotePort, int localPort) {
        return (long) remotePort << 32 | localPort;
    }

    /** @return false if some who wait can't be taken now */
    private boolean admit(int listener) {
        for (int i = 0; i < ADMITTED_AT_ONCE; i++) {
            int fd = Posix.unixAccept(listener);
            boolean onSpare = (fd == -Posix.EMFILE || fd == -Posix.ENFILE) && spare >= 0;
            if (onSpare) {
                Posix.close(spare);
                spare = -1;
                fd = Posix.unixAccept(listener);
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
            tooMany.take(() -> tooMany.answer(Message.Answer.declined(Reason.PEER_BUSY)));
        }
    }

    private void keepSpare() {
        if (spare < 0 && !spareLent) {
            spare = Posix.eventCreate();
        }
    }

    private boolean isShunned(long party) {
        Waited it = waited.get(party);
        return it != null && it.nanos > WAITED_MAX_NANOS && !it.isOver(System.nanoTime());
    }

    /** Whatever the outcome: the others have waited too. Only we ourselves don't mean to make us wait. */
    private void waitedFor(long party, long nanos) {
        if (peers.isOurselves(party)) {
            return;
        }
        long now = System.nanoTime();
        waited.values().removeIf(it -> it.isOver(now));
        Waited before = waited.get(party);
        waited.put(party, new Waited(nanos + (before == null ? 0 : before.nanos), now + WAITED_MEMORY_NANOS));
    }

    private void retryWaiting() {
        List<Visitor> all;
        synchronized (this) {
            all = new ArrayList<>(waiting);
        }
        for (Visitor visitor : all) {
            EventLoop.guarded(() -> visitor.take(visitor::tryJoin));
        }
    }

    /** A socket of ours that an offer is for. */
    private record Found(Endpoint endpoint, Accepted entry) {
    }

    /** The established socket of ours that is the other end, or null. */
    private Found find(Tuple tuple, long key) {
        List<Accepted> candidates;
        synchronized (this) {
            List<Accepted> list = accepted.get(key);
            candidates = list == null ? List.of() : new ArrayList<>(list);
        }
        for (Accepted candidate : candidates) {
            Endpoint endpoint = candidate.endpoint.get();
            if (endpoint != null && tuple.equals(Tuple.of(endpoint.tcp()))) {
                return new Found(endpoint, candidate);
            }
        }
        return null;
    }

    /** One client that has connected to a name. */
    private final class Visitor {
        private int fd;
        private final long party;
        private final boolean onSpare;
        private long tag;
        private EventLoop.Timer deadline;
        private EventLoop.Timer nextLook;
        private Message.Offer offer;
        private Tuple ours;
        private long key;

        /** @param onSpare whether its descriptor is the one that was to spare */
        Visitor(int fd, long party, boolean onSpare) {
            this.fd = fd;
            this.party = party;
            this.onSpare = onSpare;
        }

        void begin() {
            visitors.add(party, this);
            spareLent |= onSpare;
            take(() -> {
                deadline = loop.after(MESSAGE_MILLIS, this::leave);
                try {
                    tag = loop.watch(fd, Posix.POLLIN, events -> take(this::read));
                } catch (IllegalStateException e) { // the kernel refuses: it won't get a fast path, but a reason
                    lookLater();
                }
            });
        }

        private void lookLater() {
            nextLook = loop.after(LOOK_MILLIS, () -> take(() -> {
                lookLater();
                read();
            }));
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
            int n = Posix.unixReceive(fd, bytes);
            if (n == -Posix.EAGAIN) {
                return;
            }
            if (n <= 0 || offer != null) {
                leave(); // gone, or talking out of turn
                return;
            }
            offer = Message.Offer.decode(ByteBuffer.wrap(bytes, 0, n));
            if (offer == null) {
                answer(Message.Answer.declined(Reason.BAD_MESSAGE));
                return;
            }
            Step.OFFER_RECEIVED.reached();
            ours = offer.tuple().reversed();
            key = key(ours.remotePort(), ours.localPort());
            tryJoin();
        }

        /** Waits first and looks then, as an accepted socket is entered first and looks for who waits then (R1). */
        void tryJoin() {
            if (offer.early()) {
                synchronized (AcceptingSide.this) {
                    if (!waiting.contains(this)) {
                        waiting.add(this);
                        deadline.cancel();
                        deadline = loop.after(ACCEPT_MILLIS, () -> take(() -> answer(Message.Answer.notMine())));
                    }
                }
            }
            Found found = find(ours, key);
            if (found == null && offer.early()) {
                return;
            }
            synchronized (AcceptingSide.this) {
                waiting.remove(this);
            }
            if (found == null || !peers.owns(fd, offer.tuple())) {
                answer(Message.Answer.notMine());
                return;
            }
            Step.TUPLE_FOUND.reached();
            Transport transport = transports.get(offer.transport());
            if (found.entry.refusal != null) {
                decline(found, found.entry.refusal);
            } else if (!Versions.OURS.include(offer.version())) {
                declineVersion(found);
            } else if (transport == null) {
                decline(found, new Refusal(Reason.OTHER_FABRIC, null));
            } else if (isShunned(party)) {
                answer(Message.Answer.declined(Reason.PEER_BUSY));
            } else {
                join(found, transport);
            }
        }

        private void join(Found found, Transport transport) {
            Transport.Joined joined;
            ByteBuffer body = ByteBuffer.allocate(64);
            long start = System.nanoTime();
            try {
                joined = transport.join(offer.version(), offer.description(), offer.nonce());
            } catch (NoResourcesException | OutOfMemoryError e) {
                decline(found, new Refusal(Reason.NO_RESOURCES, e.getMessage()));
                return;
            } catch (OtherVersionException e) {
                decline(found, new Refusal(Reason.VERSION, e.getMessage()));
                return;
            } catch (IOException | RuntimeException e) {
                decline(found, new Refusal(Reason.FAILED, e.getMessage()));
                return;
            } finally {
                long nanos = System.nanoTime() - start;
                if (nanos > SLOW_NANOS) {
                    waitedFor(party, nanos);
                }
            }
            joined.answer(body);
            if (found.endpoint.attach(joined.path())) {
                Step.ATTACHED.reached();
                Stats.JOINED.increment();
                answer(Message.Answer.joined(body.flip()));
            } else { // it is just being closed
                joined.path().retireReceiver();
                joined.path().retireSender();
                answer(Message.Answer.declined(Reason.STALE));
            }
        }

        /** An offerer that has an older version too, which is one of ours, comes again. */
        private void declineVersion(Found found) {
            if (Versions.OURS.newestIn(offer.versions()) == 0) {
                found.entry.forget();
                found.endpoint.fallback(Reason.VERSION, offer.versions().besideOurs());
            }
            answer(Message.Answer.otherVersion());
        }

        /** There is no other offer for a connection, so both its ends know now that it stays on TCP. */
        private void decline(Found found, Refusal why) {
            found.entry.forget();
            found.endpoint.fallback(why.reason(), why.detail());
            answer(Message.Answer.declined(why.reason()));
        }

        private void answer(Message.Answer answer) {
            ByteBuffer out = answer.encode(offer == null ? Versions.OURS.newest() : offer.version());
            Posix.unixSend(fd, out.array(), out.limit()); // a client that is gone shows on TCP
            Step.ANSWER_SENT.reached();
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
            synchronized (AcceptingSide.this) {
                waiting.remove(this);
            }
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
