package jfs.negotiation;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import jfs.nativelib.Posix;
import jfs.spi.FastPath;
import jfs.spi.Transport;
import jfs.stat.Reason;
import jfs.stat.Stats;
import jfs.wait.EventLoop;

/** The client's half of the rendezvous, all of it on the event loop's thread. */
final class OfferingSide {

    private static final long ANSWER_MILLIS = 5_000;
    private static final long EARLY_ANSWER_MILLIS = 30_000;
    /** That nobody answers to a listener's names is remembered this long (R4). */
    private static final long MEMORY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MEMORY_MAX = 1024;

    /** Made for the first offer, on the negotiation's thread: that takes 10 ms. */
    private static final class Nonces {
        static final SecureRandom RANDOM = new SecureRandom();
    }

    private final EventLoop loop;
    private final Peers peers;
    private final Transport transport;
    /** Listener (address:port) to the time until which it is known to be no JFS process. */
    private final Map<String, Long> strangers = new HashMap<>();

    OfferingSide(EventLoop loop, Peers peers, Transport transport) {
        this.loop = loop;
        this.peers = peers;
        this.transport = transport;
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
        String address = Names.hex(tuple.remoteAddress());
        String listener = address + ":" + tuple.remotePort();
        Long until = strangers.get(listener);
        if (until != null && until - System.nanoTime() > 0) {
            endpoint.fallback(Reason.NO_PEER, null);
            return;
        }
        new Attempt(endpoint, tuple, listener, early).next();
    }

    /** The remote address is one of this host's (R3); both ends being equal is the usual and cheapest proof. */
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

    private void remember(String listener) {
        long now = System.nanoTime();
        if (strangers.size() >= MEMORY_MAX) {
            strangers.values().removeIf(until -> until - now <= 0);
        }
        if (strangers.size() < MEMORY_MAX) {
            strangers.put(listener, now + MEMORY_NANOS);
        }
    }

    /** One connection's way through the names of its listener. */
    private final class Attempt {
        private final WeakReference<Endpoint> endpoint;
        private final Tuple tuple;
        private final String listener;
        private final boolean early;
        private final long nonce = Nonces.RANDOM.nextLong();
        private final List<String> names = new ArrayList<>();
        private int at;
        private boolean met;
        private Transport.Offer offer;
        private int fd = -1;
        private long tag;
        private EventLoop.Timer deadline;

        Attempt(Endpoint endpoint, Tuple tuple, String listener, boolean early) {
            this.endpoint = new WeakReference<>(endpoint);
            this.tuple = tuple;
            this.listener = listener;
            this.early = early;
            for (String address : List.of(Names.hex(tuple.remoteAddress()), Names.WILDCARD)) {
                for (int k = 0; k < Names.K_MAX; k++) {
                    names.add(Names.name(address, tuple.remotePort(), k));
                }
            }
        }

        /** Connects to the next name that answers: exact before wildcard, k by k. */
        void next() {
            while (at < names.size()) {
                int socket = Posix.unixConnect(names.get(at));
                if (socket >= 0) {
                    at++;
                    met = true;
                    visit(socket);
                    return;
                }
                if (socket == -Posix.EAGAIN) {
                    end(Reason.PEER_BUSY, null);
                    return;
                }
                at++; // also after a gap: the listener that had this name may have closed
            }
            if (!met) {
                remember(listener);
            }
            end(met ? Reason.NOT_MINE : Reason.NO_PEER, null);
        }

        private void visit(int socket) {
            fd = socket;
            if (!peers.mayShare(fd)) { // before anything is sent (R2)
                leave();
                end(Reason.FOREIGN_USER, null);
                return;
            }
            if (!peers.owns(fd, tuple.reversed())) { // somebody else's listener has that name
                leave();
                next();
                return;
            }
            try {
                if (offer == null) {
                    offer = transport.offer(nonce);
                    Stats.OFFERS.increment();
                }
            } catch (IOException e) {
                leave();
                end(Reason.NO_RESOURCES, e.getMessage());
                return;
            }
            ByteBuffer description = ByteBuffer.allocate(64);
            offer.describe(description);
            ByteBuffer out =
                    new Message.Offer(early, nonce, tuple, transport.name(), description.flip()).encode();
            int sent = Posix.unixSend(fd, out.array(), out.limit());
            if (sent < 0) {
                leave();
                end(Reason.FAILED, "offer: " + Posix.errorText(-sent));
                return;
            }
            tag = loop.watch(fd, Posix.POLLIN, events -> answered());
            await(early ? EARLY_ANSWER_MILLIS : ANSWER_MILLIS);
        }

        /** The answer may take long, but is not waited for longer than the connection lives. */
        private void await(long millis) {
            deadline = loop.after(Math.min(millis, 1_000), () -> {
                Endpoint it = endpoint.get();
                boolean stale = it == null || Tuple.of(it.tcp()) == null;
                if (!stale && millis > 1_000) {
                    await(millis - 1_000);
                } else {
                    leave();
                    end(stale ? Reason.STALE : Reason.NO_ANSWER, null);
                }
            });
        }

        private void answered() {
            byte[] bytes = new byte[Message.MAX_BYTES];
            int n = Posix.unixReceive(fd, bytes);
            if (n == -Posix.EAGAIN) {
                return;
            }
            leave();
            if (n <= 0) {
                end(Reason.NO_ANSWER, "the peer hung up");
                return;
            }
            Message.Answer answer = Message.Answer.decode(ByteBuffer.wrap(bytes, 0, n));
            if (answer == null) {
                end(Reason.BAD_MESSAGE, null);
            } else if (answer.status() == Message.NOT_MINE) {
                next();
            } else if (answer.status() == Message.DECLINED) {
                Reason reason = answer.reason();
                end(reason, reason == Reason.DECLINED ? null : "the peer says: " + reason.text());
            } else {
                joined(answer.body());
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
            } catch (IOException | RuntimeException e) {
                end(Reason.FAILED, e.getMessage());
                return;
            }
            if (!it.attach(path)) {
                path.retireReceiver();
                path.retireSender();
            }
        }

        private void leave() {
            if (deadline != null) {
                deadline.cancel();
                deadline = null;
            }
            if (tag != 0) {
                loop.unwatch(fd, tag);
                tag = 0;
            }
            Posix.close(fd);
            fd = -1;
        }

        private void end(Reason reason, String detail) {
            if (offer != null) {
                offer.abandon();
                offer = null;
            }
            Endpoint it = endpoint.get();
            if (it != null) {
                it.fallback(reason, detail);
            }
        }
    }
}
