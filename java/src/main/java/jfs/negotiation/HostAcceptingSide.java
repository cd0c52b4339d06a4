package jfs.negotiation;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import jfs.nativelib.Posix;
import jfs.spi.Transport;
import jfs.stat.Reason;
import jfs.steps.Step;
import jfs.wait.EventLoop;

/**
 * The server's half of the rendezvous between hosts: a TCP port beside those that the program listens on, which answers
 * only hosts that a rule names. But for {@link #open} and {@link #listens} everything happens on the
 * event loop's thread, and what a client may make slow beside it.
 */
final class HostAcceptingSide {

    /** A client has this long for each thing that it says. */
    private static final long MESSAGE_MILLIS = 5_000;
    private static final int BACKLOG = 128;
    /** As {@link AcceptingSide}'s (NEG-5). */
    private static final int VISITORS_MAX = 256;
    private static final int ADMITTED_AT_ONCE = 16;
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final EventLoop loop;
    private final Hosts hosts;
    private final Policy policy;
    private final AcceptedSockets sockets;
    private final Helpers helpers;
    private final Map<String, Transport> transports;
    private final Crowd<Visitor> visitors = new Crowd<>(VISITORS_MAX);
    private final Patience patience = new Patience();
    /** How many sockets listen on each port. */
    private final Map<Integer, Integer> listening = new ConcurrentHashMap<>();

    // Guarded by this.
    private Door door;
    private String failure;
    private long retryAt = System.nanoTime();

    HostAcceptingSide(EventLoop loop, Hosts hosts, Policy policy, AcceptedSockets sockets, Helpers helpers,
            Transport transport) {
        this.loop = loop;
        this.hosts = hosts;
        this.policy = policy;
        this.sockets = sockets;
        this.helpers = helpers;
        this.transports = Map.of(transport.name(), transport);
    }

    /** A socket of this process listens on that port, until {@link #listensNoMore}. From any thread. */
    void listens(int port) {
        listening.merge(port, 1, Integer::sum);
    }

    void listensNoMore(int port) {
        listening.computeIfPresent(port, (same, sockets) -> sockets == 1 ? null : sockets - 1);
    }

    /**
     * Lets other hosts find this process from now on, as long as it lives. Idempotent.
     *
     * @return null, or why they can't
     */
    synchronized String open() {
        if (door == null && System.nanoTime() - retryAt >= 0) {
            failure = tryToOpen();
            retryAt = System.nanoTime() + RETRY_NANOS;
        }
        return door == null ? failure : null;
    }

    private String tryToOpen() {
        int fd = -Posix.EADDRINUSE;
        for (int port = hosts.firstPort(); port <= hosts.lastPort() && fd == -Posix.EADDRINUSE; port++) {
            fd = Posix.tcpListen(hosts.address(), port, BACKLOG);
            if (fd == -Posix.EAFNOSUPPORT && hosts.isAnyAddress()) { // a system without IPv6
                fd = Posix.tcpListen(Arrays.copyOf(Tuple.IPV4_PREFIX, 16), port, BACKLOG);
            }
        }
        if (fd < 0) {
            return "listening on " + hosts.place() + ": " + Posix.errorText(-fd);
        }
        int listener = fd;
        try {
            Door made = new Door(loop, listener, () -> admit(listener));
            made.open();
            door = made;
            return null;
        } catch (IllegalStateException | OutOfMemoryError e) {
            Posix.close(listener);
            return "listening on jfs.hosts.ports: " + e.getMessage();
        }
    }

    /** @return false if some who wait can't be taken now */
    private boolean admit(int listener) {
        for (int i = 0; i < ADMITTED_AT_ONCE; i++) {
            int fd = Posix.accept(listener);
            if (fd < 0) {
                return fd == -Posix.EAGAIN;
            }
            byte[] remote = remoteAddress(fd);
            if (remote == null || !policy.rules().admit(remote)) { // not a byte for hosts that no rule names
                Posix.close(fd);
            } else {
                admit(fd, remote);
            }
        }
        return true;
    }

    /** Null if it has gone. */
    private static byte[] remoteAddress(int fd) {
        byte[] tuple = new byte[Posix.TUPLE_BYTES];
        return Posix.tcpTuple(fd, tuple) < 0 ? null : Tuple.read(ByteBuffer.wrap(tuple)).remoteAddress();
    }

    private void admit(int fd, byte[] remote) {
        Visitor visitor = null;
        try {
            Step.VISITOR_ADMITTED.reached();
            visitor = new Visitor(fd, remote);
        } finally {
            if (visitor == null) {
                Posix.close(fd);
            }
        }
        visitor.begin();
        Visitor tooMany = visitors.tooMany();
        if (tooMany != null) {
            tooMany.leave();
        }
    }

    private enum Expected {
        HELLO, OFFER, NOTHING, AGREED
    }

    /** One client that has connected, from an address that a rule names. */
    private final class Visitor extends Visit implements HostChannel.Listener {
        private final byte[] remote;
        /** All connections from one address are one party. */
        private final long party;
        private final HostChannel channel;
        private Expected expected = Expected.HELLO;
        private HostMessage.Hello hello;
        private Transcript transcript;
        private Opening.Seen seen;
        private boolean agreed;

        Visitor(int fd, byte[] remote) {
            super(sockets, transports, true);
            this.remote = remote;
            ByteBuffer halves = ByteBuffer.wrap(remote);
            this.party = halves.getLong() * 31 + halves.getLong();
            this.channel = new HostChannel(loop, fd, this);
        }

        void begin() {
            visitors.add(party, this);
            take(() -> {
                channel.open();
                channel.expectWithin(MESSAGE_MILLIS);
            });
        }

        /** Whatever goes wrong on the way ends this visit alone: the client sees it hang up, and both stay on TCP. */
        private void take(Runnable step) {
            boolean done = false;
            try {
                step.run();
                done = true;
            } catch (BufferUnderflowException e) {
                // It was no message: who sends such things is left alone.
            } finally {
                if (!done) {
                    leave();
                }
            }
        }

        @Override
        public void received(ByteBuffer frame) {
            take(() -> {
                switch (expected) {
                    case HELLO -> greeted(frame);
                    case OFFER -> offered(frame);
                    case AGREED -> agreed(frame);
                    case NOTHING -> leave(); // talking out of turn
                }
            });
        }

        @Override
        public void hungUp(Reason why) {
            leave();
        }

        private void greeted(ByteBuffer frame) {
            hello = HostMessage.Hello.decode(frame);
            if (hello == null) {
                leave();
                return;
            }
            if (hello.version() != HostMessage.VERSION) {
                refuse(Reason.VERSION);
                return;
            }
            Choice choice = policy.accepting(inetAddress(), hello.port());
            if (choice.refusal() != null) {
                refuse(choice.refusal().reason());
            } else if (!choice.betweenHosts()) {
                refuse(Reason.OTHER_TRANSPORT);
            } else if (choice.trusted() == hello.keyed()) {
                refuse(Reason.WRONG_KEY);
            } else {
                transcript = new Transcript(hosts.key(choice.trusted()), frame);
                channel.send(HostMessage.challenge(transcript, Nonces.bytes(HostMessage.NONCE_BYTES)));
                Step.CHALLENGE_SENT.reached();
                expected = Expected.OFFER;
                channel.expectWithin(MESSAGE_MILLIS);
            }
        }

        private InetAddress inetAddress() {
            try {
                return InetAddress.getByAddress(remote);
            } catch (UnknownHostException e) {
                throw new AssertionError("16 bytes", e);
            }
        }

        private void refuse(Reason reason) {
            channel.send(HostMessage.refusal(reason));
            leave();
        }

        private void offered(ByteBuffer frame) {
            ByteBuffer payload = transcript.open(Transcript.Speaker.OFFERER, frame);
            if (payload == null) { // without the key there is nothing to say to it
                leave();
                return;
            }
            seen = HostMessage.seen(payload);
            expected = Expected.NOTHING;
            received(Message.Offer.decode(payload));
        }

        /** Its own host's, and of the listener that the hello, and so the rule, was about. */
        @Override
        Peers.Holding holding(Tuple end) {
            boolean itsOwn = Arrays.equals(end.localAddress(), remote) && end.remotePort() == hello.port();
            return itsOwn ? Peers.Holding.SHOWN : Peers.Holding.REFUTED;
        }

        /** Both ends compare what they have received with what the other has sent, before anything is attached (NEG-6). */
        @Override
        boolean mayJoin(Endpoint endpoint) {
            if (agreed) {
                return true;
            }
            Opening opening = endpoint.opening();
            if (opening == null) { // it is just being closed
                decline(Reason.STALE);
            } else if (!opening.isWhatWasSent(seen, transcript)) {
                decline(Reason.ALTERED);
            } else {
                ByteBuffer payload = ByteBuffer.allocate(HostMessage.MAX_BYTES).put(HostMessage.SEEN);
                HostMessage.put(payload, opening.seen(transcript));
                channel.send(transcript.seal(Transcript.Speaker.ACCEPTOR, payload.flip()));
                Step.OPENING_COMPARED.reached();
                expected = Expected.AGREED;
                channel.expectWithin(MESSAGE_MILLIS);
            }
            return false;
        }

        private void agreed(ByteBuffer frame) {
            ByteBuffer payload = transcript.open(Transcript.Speaker.OFFERER, frame);
            if (payload == null) {
                leave();
                return;
            }
            expected = Expected.NOTHING;
            agreed = payload.get() == 1;
            if (agreed) {
                tryJoin();
            } else {
                decline(Reason.ALTERED);
            }
        }

        @Override
        boolean isShunned() {
            return patience.isOverWith(party);
        }

        @Override
        void waited(long nanos) {
            patience.waited(party, nanos);
        }

        @Override
        void apart(Runnable slow, Runnable then) {
            channel.expectWithin(MESSAGE_MILLIS); // of us, if others of the same party are before it
            helpers.run(party, slow, () -> take(then));
        }

        @Override
        boolean isHere() {
            return channel.isOpen();
        }

        /** All processes of this host are asked, one after the other: one that doesn't listen there must not keep it. */
        @Override
        boolean mayBeAccepted(int port) {
            return listening.containsKey(port);
        }

        @Override
        void awaitAccept() {
            channel.expectWithin(ACCEPT_MILLIS);
        }

        @Override
        void lookAgain() {
            take(this::tryJoin);
        }

        @Override
        void reply(Message.Answer answer) {
            ByteBuffer message = answer.encode(version());
            ByteBuffer payload = ByteBuffer.allocate(HostMessage.MAX_BYTES).put(HostMessage.ANSWER).put(message);
            channel.send(transcript.seal(Transcript.Speaker.ACCEPTOR, payload.flip()));
            leave();
        }

        /** Idempotent. */
        private void leave() {
            channel.close();
            endWaiting();
            visitors.remove(party, this);
        }
    }
}
