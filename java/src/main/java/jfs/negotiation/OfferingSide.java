package jfs.negotiation;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import jfs.nativelib.Posix;
import jfs.spi.FastPath;
import jfs.spi.NoResourcesException;
import jfs.spi.Transport;
import jfs.stat.Reason;
import jfs.stat.Stats;
import jfs.steps.Step;
import jfs.wait.EventLoop;

/** The client's half of the rendezvous, all of it on the event loop's thread. */
final class OfferingSide {

    private static final long ANSWER_MILLIS = 5_000;
    private static final long EARLY_ANSWER_MILLIS = 30_000;
    /** That nobody answers to a listener's names is remembered this long (R4). */
    private static final long MEMORY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MEMORY_MAX = 1024;
    /** Connections to one listener that wait for their turn. More are turned down: their peer, if any, can't keep up. */
    private static final int WAITING_MAX = 16_384;
    /**
     * Offers to one listener at once; the others wait for their turn. Thousands of connections may become conversations
     * at the same time, and a listener has a backlog of 128 and admits 256, of all processes together.
     */
    private static final int ABREAST = 32;
    /** A listener whose backlog is full is tried again after this long, and this often. */
    private static final long BUSY_MILLIS = 20;
    private static final int BUSY_MAX = 50;

    /** Made for the first offer, on the negotiation's thread: that takes 10 ms. */
    private static final class Nonces {
        static final SecureRandom RANDOM = new SecureRandom();
    }

    private final EventLoop loop;
    private final Peers peers;
    private final Transport transport;
    /** What is known of listeners (address:port) that would only be asked in vain. */
    private final Map<String, Known> known = new HashMap<>();
    /** Who offers something now, by listener; the early ones by themselves. */
    private final Map<String, Queue> queues = new HashMap<>();

    /** Why a listener is not asked, and until when. */
    private record Known(Reason reason, long until) {
        boolean isOver(long now) {
            return until - now <= 0;
        }
    }

    /** Who offers something to one listener. */
    private static final class Queue {
        private final Deque<Attempt> waiting = new ArrayDeque<>();
        private int underWay;
    }

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
        String listener = Names.hex(tuple.remoteAddress()) + ":" + tuple.remotePort();
        Reason inVain = inVain(listener);
        if (inVain != null) {
            endpoint.fallback(inVain, null);
            return;
        }
        // Early ones may wait long for an accept: those who are accepted already don't wait for them.
        String queue = early ? listener + " early" : listener;
        Deque<Attempt> waiting = queues.computeIfAbsent(queue, key -> new Queue()).waiting;
        if (waiting.size() >= WAITING_MAX) {
            endpoint.fallback(Reason.PEER_BUSY, null);
            return;
        }
        waiting.add(new Attempt(endpoint, tuple, listener, queue, early));
        beginNext(queue);
    }

    /** Why this listener is not asked now; null if it is. */
    private Reason inVain(String listener) {
        Known it = known.get(listener);
        return it == null || it.isOver(System.nanoTime()) ? null : it.reason;
    }

    private void beginNext(String key) {
        Queue queue = queues.get(key);
        if (queue != null && queue.underWay < ABREAST && !queue.waiting.isEmpty()) {
            queue.underWay++;
            queue.waiting.poll().take(Attempt::begin);
        }
    }

    private void ended(String key) {
        Queue queue = queues.get(key);
        queue.underWay--;
        if (queue.underWay == 0 && queue.waiting.isEmpty()) {
            queues.remove(key);
        } else {
            loop.execute(() -> beginNext(key)); // not from here, or all who wait would end inside each other
        }
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

    private void remember(String listener, Reason reason) {
        long now = System.nanoTime();
        if (known.size() >= MEMORY_MAX) {
            known.values().removeIf(it -> it.isOver(now));
        }
        if (known.size() < MEMORY_MAX) {
            known.put(listener, new Known(reason, now + MEMORY_NANOS));
        }
    }

    /** One connection's way through the names of its listener. */
    private final class Attempt {
        private final WeakReference<Endpoint> endpoint;
        private final Tuple tuple;
        private final String listener;
        private final String queue;
        private final boolean early;
        private final long nonce = Nonces.RANDOM.nextLong();
        private final List<String> names = new ArrayList<>();
        private int version = Versions.OURS.newest();
        private int at;
        private int busy;
        private boolean met;
        private boolean hungUp;
        /** Somebody who may not share memory has one of the names; somebody who may was asked. */
        private boolean foreign;
        private boolean asked;
        private boolean over;
        private Transport.Offer offer;
        private int fd = -1;
        private long tag;
        private EventLoop.Timer deadline;

        Attempt(Endpoint endpoint, Tuple tuple, String listener, String queue, boolean early) {
            this.endpoint = new WeakReference<>(endpoint);
            this.tuple = tuple;
            this.listener = listener;
            this.queue = queue;
            this.early = early;
        }

        /** Whatever goes wrong on the way ends this attempt alone. */
        void take(Consumer<Attempt> step) {
            try {
                step.accept(this);
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

        /** Its turn has come, or comes again. What it waited for may have ended meanwhile. */
        void begin() {
            Endpoint it = endpoint.get();
            Reason inVain = inVain(listener);
            if (it == null || Tuple.of(it.tcp()) == null) {
                end(Reason.STALE, null);
            } else if (inVain != null) {
                end(inVain, null);
            } else {
                if (names.isEmpty()) {
                    nameAll();
                }
                next();
            }
        }

        private void nameAll() {
            for (String address : List.of(Names.hex(tuple.remoteAddress()), Names.WILDCARD)) {
                for (int k = 0; k < Names.K_MAX; k++) {
                    names.add(Names.name(address, tuple.remotePort(), k));
                }
            }
        }

        /** Connects to the next name that answers: exact before wildcard, k by k. */
        private void next() {
            while (at < names.size()) {
                int socket = Posix.unixConnect(names.get(at));
                if (socket >= 0) {
                    at++;
                    met = true;
                    visit(socket);
                    return;
                }
                if (socket == -Posix.EAGAIN) {
                    if (busy++ < BUSY_MAX) {
                        loop.after(BUSY_MILLIS, () -> take(Attempt::begin));
                    } else {
                        end(Reason.PEER_BUSY, null);
                    }
                    return;
                }
                if (socket != -Posix.ECONNREFUSED && socket != -Posix.EPROTOTYPE) {
                    end(Reason.NO_RESOURCES, "connecting to a name: " + Posix.errorText(-socket));
                    return;
                }
                at++; // also after a gap: the listener that had this name may have closed
            }
            if (hungUp) {
                end(Reason.NO_ANSWER, "the peer hung up");
                return;
            }
            if (!met) {
                remember(listener, Reason.NO_PEER);
            }
            end(!met ? Reason.NO_PEER : foreign && !asked ? Reason.FOREIGN_USER : Reason.NOT_MINE, null);
        }

        private void visit(int socket) {
            fd = socket;
            Step.NAME_CONNECTED.reached();
            if (!peers.mayShare(fd)) { // before anything is sent (R2)
                leave();
                foreign = true;
                next();
                return;
            }
            if (!peers.owns(fd, tuple.reversed())) { // somebody else's listener has that name
                leave();
                next();
                return;
            }
            ByteBuffer description = ByteBuffer.allocate(64);
            try {
                if (offer == null) {
                    offer = transport.offer(version, nonce);
                    Stats.OFFERS.increment();
                }
                offer.describe(description);
                tag = loop.watch(fd, Posix.POLLIN, events -> take(Attempt::answered));
            } catch (NoResourcesException | IllegalStateException | OutOfMemoryError e) { // or the kernel won't watch it
                leave();
                end(Reason.NO_RESOURCES, e.getMessage());
                return;
            } catch (IOException e) {
                leave();
                end(Reason.FAILED, e.getMessage());
                return;
            }
            asked = true;
            Versions versions = new Versions(Versions.OURS.oldest(), version);
            ByteBuffer out =
                    new Message.Offer(versions, early, nonce, tuple, transport.name(), description.flip()).encode();
            int sent = Posix.unixSend(fd, out.array(), out.limit());
            if (sent == -Posix.EPIPE) {
                hungUp();
            } else if (sent < 0) {
                leave();
                end(Reason.FAILED, "offer: " + Posix.errorText(-sent));
            } else {
                Step.OFFER_SENT.reached();
                await(early ? EARLY_ANSWER_MILLIS : ANSWER_MILLIS);
            }
        }

        /** It was just closing, maybe, and somebody else listens there. */
        private void hungUp() {
            leave();
            hungUp = true;
            next();
        }

        /** The answer may take long, but is not waited for longer than the connection lives. */
        private void await(long millis) {
            deadline = loop.after(Math.min(millis, 1_000), () -> take(it -> it.awaitFurther(millis - 1_000)));
        }

        private void awaitFurther(long millis) {
            Endpoint it = endpoint.get();
            boolean stale = it == null || Tuple.of(it.tcp()) == null;
            if (!stale && millis > 0) {
                await(millis);
                return;
            }
            leave();
            if (!stale && !early) { // those who wait for their turn need not all find out for themselves
                remember(listener, Reason.NO_ANSWER);
            }
            end(stale ? Reason.STALE : Reason.NO_ANSWER, null);
        }

        private void answered() {
            byte[] bytes = new byte[Message.MAX_BYTES];
            int n = Posix.unixReceive(fd, bytes);
            if (n == -Posix.EAGAIN) {
                return;
            }
            if (n <= 0) {
                hungUp();
                return;
            }
            leave();
            Step.ANSWER_RECEIVED.reached();
            Message.Answer answer = Message.Answer.decode(version, ByteBuffer.wrap(bytes, 0, n));
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

        /** A peer that speaks older versions only is offered the newest of them, if it is one of ours, by the same name. */
        private void declined(Message.Answer answer) {
            Versions spoken = answer.spoken(version);
            int older = spoken == null ? 0 : Versions.OURS.newestIn(spoken);
            if (older > 0 && older < version) {
                offer.abandon();
                offer = null;
                version = older;
                at--;
                next();
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
            ended(queue);
            if (!it.attach(path)) {
                path.retireReceiver();
                path.retireSender();
                return;
            }
            Step.ATTACHED.reached();
        }

        /** Idempotent. */
        private void leave() {
            if (deadline != null) {
                deadline.cancel();
                deadline = null;
            }
            if (tag != 0) {
                loop.unwatch(fd, tag);
                tag = 0;
            }
            if (fd >= 0) {
                Posix.close(fd);
                fd = -1;
            }
        }

        /** The first time counts. */
        private void end(Reason reason, String detail) {
            if (over) {
                return;
            }
            over = true;
            if (offer != null) {
                offer.abandon();
                offer = null;
            }
            ended(queue);
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
                    || reason == Reason.FAILED;
        }
    }
}
