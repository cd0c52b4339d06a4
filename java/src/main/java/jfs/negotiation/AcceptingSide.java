package jfs.negotiation;

import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jfs.nativelib.Posix;
import jfs.spi.NoResourcesException;
import jfs.spi.Transport;
import jfs.stat.Reason;
import jfs.stat.Stats;
import jfs.wait.EventLoop;

/**
 * The server's half of the rendezvous. Its sockets' tables are shared with the threads that accept and close (guarded by
 * {@code this}); everything else happens on the event loop's thread.
 */
final class AcceptingSide {

    /** A client that has connected says what it wants at once. */
    private static final long MESSAGE_MILLIS = 1_000;
    /** An early offer waits this long for its connection to be accepted. */
    private static final long ACCEPT_MILLIS = 30_000;
    /** Offers under way at once; beyond it they are turned away (R18). */
    private static final int VISITORS_MAX = 256;
    private static final long RETRY_MILLIS = 50;
    private static final long CLOSED = -1;

    private final EventLoop loop;
    private final Peers peers;
    private final Map<String, Transport> transports;

    /** Accepted sockets without a fast path by (remote port, local port); guarded by this. */
    private final Map<Long, List<Accepted>> accepted = new HashMap<>();
    /** Early offers whose socket has not been accepted; guarded by this. */
    private final List<Visitor> waiting = new ArrayList<>();

    private int visitors;

    AcceptingSide(EventLoop loop, Peers peers, Map<String, Transport> transports) {
        this.loop = loop;
        this.peers = peers;
        this.transports = transports;
    }

    /** Sockets that were collected without having been closed. */
    private final ReferenceQueue<Endpoint> abandoned = new ReferenceQueue<>();

    private static final class EndpointReference extends WeakReference<Endpoint> {
        private final Accepted entry;

        EndpointReference(Endpoint endpoint, ReferenceQueue<Endpoint> queue, Accepted entry) {
            super(endpoint, queue);
            this.entry = entry;
        }
    }

    /** An accepted socket in the table. */
    final class Accepted {
        private final EndpointReference endpoint;
        private final Refusal refusal;
        private final Names.Name name;
        private final long key;

        private Accepted(Endpoint endpoint, Refusal refusal, Names.Name name, long key) {
            this.endpoint = new EndpointReference(endpoint, abandoned, this);
            this.refusal = refusal;
            this.name = name;
            this.key = key;
        }

        /** It is closed, has its path or will have none: nobody needs to find it any more. Idempotent. */
        void forget() {
            boolean was;
            synchronized (AcceptingSide.this) {
                List<Accepted> list = accepted.get(key);
                was = list != null && list.remove(this);
                if (was && list.isEmpty()) {
                    accepted.remove(key);
                }
            }
            if (was) {
                name.release();
            }
        }
    }

    /** A listening socket can be found from now on; null if there is no name left for it. */
    Names.Name listen(InetAddress address, int port) {
        int fd = Names.listen(address, port);
        if (fd < 0) {
            return null;
        }
        long[] tag = new long[1];
        Names.Name name = new Names.Name(() -> loop.execute(() -> {
            loop.unwatch(fd, tag[0]);
            tag[0] = CLOSED;
            Posix.close(fd);
        }));
        loop.execute(() -> watch(fd, tag));
        return name;
    }

    private void watch(int listener, long[] tag) {
        if (tag[0] == CLOSED) {
            return;
        }
        tag[0] = loop.watch(listener, Posix.POLLIN, events -> {
            if (!admit(listener)) { // no descriptor is left: the client stays readable, so look away for a moment
                loop.unwatch(listener, tag[0]);
                tag[0] = 0;
                loop.after(RETRY_MILLIS, () -> watch(listener, tag));
            }
        });
    }

    /** A connection was accepted: one atomic step makes it known and finds the offers that wait for it (R1). */
    Accepted register(Endpoint endpoint, Refusal refusal, Names.Name name, int remotePort, int localPort) {
        for (Reference<?> lost = abandoned.poll(); lost != null; lost = abandoned.poll()) {
            ((EndpointReference) lost).entry.forget();
        }
        long key = key(remotePort, localPort);
        Accepted it = new Accepted(endpoint, refusal, name, key);
        name.retain();
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

    /** @return whether all who wait were taken */
    private boolean admit(int listener) {
        int fd;
        for (fd = Posix.unixAccept(listener); fd >= 0; fd = Posix.unixAccept(listener)) {
            if (visitors >= VISITORS_MAX || !peers.mayShare(fd)) {
                Posix.close(fd);
                continue;
            }
            try {
                new Visitor(fd);
            } catch (IllegalStateException e) { // the kernel refused to watch it
                Posix.close(fd);
            }
        }
        return fd == -Posix.EAGAIN;
    }

    private void retryWaiting() {
        List<Visitor> all;
        synchronized (this) {
            all = new ArrayList<>(waiting);
        }
        for (Visitor visitor : all) {
            visitor.tryJoin();
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
        private final int fd;
        private long tag;
        private EventLoop.Timer deadline;
        private Message.Offer offer;
        private Tuple ours;
        private long key;

        Visitor(int fd) {
            this.fd = fd;
            tag = loop.watch(fd, Posix.POLLIN, events -> read());
            visitors++;
            deadline = loop.after(MESSAGE_MILLIS, this::leave);
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
                        deadline = loop.after(ACCEPT_MILLIS, () -> answer(Message.Answer.notMine()));
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
            Transport transport = transports.get(offer.transport());
            if (found.entry.refusal != null) {
                decline(found, found.entry.refusal);
            } else if (transport == null) {
                decline(found, new Refusal(Reason.TRANSPORT_OFF, "the offered transport is not one of this process's"));
            } else {
                join(found, transport);
            }
        }

        private void join(Found found, Transport transport) {
            Transport.Joined joined;
            ByteBuffer body = ByteBuffer.allocate(64);
            try {
                joined = transport.join(offer.description(), offer.nonce());
            } catch (NoResourcesException e) {
                decline(found, new Refusal(Reason.NO_RESOURCES, e.getMessage()));
                return;
            } catch (IOException | RuntimeException e) {
                decline(found, new Refusal(Reason.FAILED, e.getMessage()));
                return;
            }
            joined.answer(body);
            if (found.endpoint.attach(joined.path())) {
                Stats.JOINED.increment();
                answer(Message.Answer.joined(body.flip()));
            } else {
                joined.path().retireReceiver();
                joined.path().retireSender();
                answer(Message.Answer.notMine());
            }
        }

        /** There is one offer for a connection, so both its ends know now that it stays on TCP. */
        private void decline(Found found, Refusal why) {
            found.entry.forget();
            found.endpoint.fallback(why.reason(), why.detail());
            answer(Message.Answer.declined(why.reason()));
        }

        private void answer(Message.Answer answer) {
            ByteBuffer out = answer.encode();
            Posix.unixSend(fd, out.array(), out.limit()); // a client that is gone shows on TCP
            leave();
        }

        private void leave() {
            deadline.cancel();
            synchronized (AcceptingSide.this) {
                waiting.remove(this);
            }
            loop.unwatch(fd, tag);
            Posix.close(fd);
            visitors--;
        }
    }
}
