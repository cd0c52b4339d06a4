package jfs.negotiation.handshake.remote;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import jfs.nativelib.Posix;
import jfs.negotiation.handshake.AcceptedSockets;
import jfs.negotiation.handshake.ClientLimit;
import jfs.negotiation.handshake.Endpoint;
import jfs.negotiation.handshake.IncomingOffer;
import jfs.negotiation.handshake.ListeningSocket;
import jfs.negotiation.handshake.Message;
import jfs.negotiation.handshake.Nonces;
import jfs.negotiation.handshake.OpenTransports;
import jfs.negotiation.handshake.Proof;
import jfs.negotiation.handshake.StreamPrefix;
import jfs.negotiation.handshake.Tuple;
import jfs.negotiation.policy.Choice;
import jfs.negotiation.policy.MappedAddress;
import jfs.negotiation.policy.Policy;
import jfs.stat.Reason;
import jfs.steps.Step;
import jfs.threads.EventLoop;

/**
 * The accepting end's half of the handshake between hosts: a rendezvous port, beside the ports that the program listens on. It answers
 * only hosts that a rule names. But for {@link #open} and {@link #listens} everything happens on the event loop's thread, and what a peer
 * process can make slow on threads beside it.
 */
public final class RemoteAcceptor {

    /** A visitor has this long for each of its messages. */
    private static final long MESSAGE_MILLIS = 5_000;
    private static final int BACKLOG = 128;
    /** The most visitors at the same time, as on one host (NEG-5). */
    private static final int VISITORS_MAX = 256;
    private static final int ADMITTED_AT_ONCE = 16;
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final EventLoop loop;
    private final Hosts hosts;
    private final Policy policy;
    private final BlockingTasks tasks;
    private final IncomingOffer.Acceptor acceptor;
    private final ClientLimit<Visitor> visitors = new ClientLimit<>(VISITORS_MAX);
    /** How many sockets listen on each port. */
    private final Map<Integer, Integer> listening = new ConcurrentHashMap<>();

    // Guarded by this.
    private ListeningSocket listener;
    private String failure;
    private long retryAt = System.nanoTime();

    /** @param transports those between hosts */
    public RemoteAcceptor(HandshakeResources resources, Policy policy, AcceptedSockets sockets, OpenTransports transports) {
        this.loop = resources.loop();
        this.hosts = resources.hosts();
        this.tasks = resources.tasks();
        this.policy = policy;
        this.acceptor = new IncomingOffer.Acceptor(sockets, transports);
    }

    /** A socket of this process listens on that port, until {@link #stopsListening}. Any thread may call this. */
    public void listens(int port) {
        listening.merge(port, 1, Integer::sum);
    }

    public void stopsListening(int port) {
        listening.computeIfPresent(port, (same, sockets) -> sockets == 1 ? null : sockets - 1);
    }

    /**
     * Lets other hosts find this process from now on, as long as it lives. Idempotent.
     *
     * @return null, or why they can't
     */
    public synchronized String open() {
        if (listener == null && System.nanoTime() - retryAt >= 0) {
            failure = tryToOpen();
            retryAt = System.nanoTime() + RETRY_NANOS;
        }
        return listener == null ? failure : null;
    }

    private String tryToOpen() {
        int fd = -Posix.EADDRINUSE;
        for (int port = hosts.firstPort(); port <= hosts.lastPort() && fd == -Posix.EADDRINUSE; port++) {
            fd = Posix.tcpListen(hosts.address(), port, BACKLOG);
            if (fd == -Posix.EAFNOSUPPORT && hosts.isAnyAddress()) { // a system without IPv6
                fd = Posix.tcpListen(MappedAddress.anyIpv4(), port, BACKLOG);
            }
        }
        if (fd < 0) {
            return "listening on " + hosts.place() + ": " + Posix.errorText(-fd);
        }
        int descriptor = fd;
        try {
            ListeningSocket made = new ListeningSocket(loop, descriptor, () -> admit(descriptor));
            made.open();
            listener = made;
            return null;
        } catch (IllegalStateException | OutOfMemoryError e) {
            Posix.close(descriptor);
            return "listening on jfs.hosts.ports: " + e.getMessage();
        }
    }

    /** @return false if some visitors that wait can't be accepted now */
    private boolean admit(int descriptor) {
        for (int i = 0; i < ADMITTED_AT_ONCE; i++) {
            int fd = Posix.accept(descriptor);
            if (fd < 0) {
                return fd == -Posix.EAGAIN;
            }
            byte[] remote = remoteAddress(fd);
            if (remote == null || !policy.rules().admit(remote)) { // no byte for hosts that no rule names
                Posix.close(fd);
            } else {
                admit(fd, remote);
            }
        }
        return true;
    }

    /** @return null if the visitor has gone */
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
            tooMany.disconnect();
        }
    }

    private enum Expected {
        HELLO, OFFER, NOTHING, AGREED
    }

    /** A process that has connected, from an address that a rule names. */
    private final class Visitor implements IncomingOffer.ControlConnection, HostChannel.Listener {
        private final IncomingOffer offer;
        private final byte[] remote;
        /** All connections from one address are one party. */
        private final long party;
        private final HostChannel channel;
        private Expected expected = Expected.HELLO;
        private HostMessage.Hello hello;
        private Transcript transcript;
        private StreamPrefix.Seen seen;
        private boolean agreed;

        Visitor(int fd, byte[] remote) {
            this.remote = remote;
            ByteBuffer halves = ByteBuffer.wrap(remote);
            this.party = halves.getLong() * 31 + halves.getLong();
            this.channel = new HostChannel(loop, fd, this);
            this.offer = new IncomingOffer(acceptor, party, this);
        }

        void begin() {
            visitors.add(party, this);
            runStep(() -> {
                channel.open();
                channel.expectWithin(MESSAGE_MILLIS);
            });
        }

        /**
         * Runs a step. If the step throws, this process disconnects this visitor and no other. The peer process sees that, and both ends
         * stay on TCP.
         */
        private void runStep(Runnable step) {
            boolean done = false;
            try {
                step.run();
                done = true;
            } catch (BufferUnderflowException e) {
                // What came was no message. The visitor is disconnected.
            } finally {
                if (!done) {
                    disconnect();
                }
            }
        }

        @Override
        public void received(ByteBuffer frame) {
            runStep(() -> {
                switch (expected) {
                    case HELLO -> onHello(frame);
                    case OFFER -> onOffer(frame);
                    case AGREED -> onAgreed(frame);
                    case NOTHING -> disconnect(); // the visitor sends out of turn
                }
            });
        }

        @Override
        public void hungUp(Reason why) {
            disconnect();
        }

        private void onHello(ByteBuffer frame) {
            hello = HostMessage.Hello.decode(frame);
            if (hello == null) {
                disconnect();
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
            disconnect();
        }

        private void onOffer(ByteBuffer frame) {
            ByteBuffer payload = transcript.open(Transcript.Speaker.OFFERER, frame);
            if (payload == null) { // a visitor without the key gets no answer
                disconnect();
                return;
            }
            seen = HostMessage.seen(payload);
            expected = Expected.NOTHING;
            offer.received(Message.Offer.decode(payload));
        }

        /**
         * A visitor may speak only for connections of its own host, and only for those to the listener that its HELLO names. The rule was
         * looked up for that listener.
         */
        @Override
        public Proof proof(Tuple end) {
            boolean itsOwn = Arrays.equals(end.localAddress(), remote) && end.remotePort() == hello.port();
            return itsOwn ? Proof.SHOWN : Proof.REFUTED;
        }

        /** Both ends compare what they have received with what the other has sent, before anything is attached (NEG-6). */
        @Override
        public boolean mayJoin(Endpoint endpoint) {
            if (agreed) {
                return true;
            }
            StreamPrefix prefix = endpoint.streamPrefix();
            if (prefix == null) { // the socket is being closed
                offer.decline(Reason.STALE);
            } else if (!prefix.isWhatWasSent(seen, transcript::digest)) {
                offer.decline(Reason.ALTERED);
            } else {
                ByteBuffer payload = ByteBuffer.allocate(HostMessage.MAX_BYTES).put(HostMessage.SEEN);
                HostMessage.put(payload, prefix.seen(transcript::digest));
                channel.send(transcript.seal(Transcript.Speaker.ACCEPTOR, payload.flip()));
                Step.OPENING_COMPARED.reached();
                expected = Expected.AGREED;
                channel.expectWithin(MESSAGE_MILLIS);
            }
            return false;
        }

        private void onAgreed(ByteBuffer frame) {
            ByteBuffer payload = transcript.open(Transcript.Speaker.OFFERER, frame);
            if (payload == null) {
                disconnect();
                return;
            }
            expected = Expected.NOTHING;
            agreed = payload.get() == 1;
            if (agreed) {
                offer.tryJoin();
            } else {
                offer.decline(Reason.ALTERED);
            }
        }

        @Override
        public void runBlocking(Runnable slow, Runnable then) {
            channel.expectWithin(MESSAGE_MILLIS); // this process may take so long, if other work for the same party comes first
            tasks.run(party, slow, () -> runStep(then));
        }

        @Override
        public boolean isLimited() {
            return true;
        }

        @Override
        public boolean isConnected() {
            return channel.isOpen();
        }

        /** A peer process asks all processes of this host in turn. A process that does not listen on that port must not keep it waiting. */
        @Override
        public boolean mayBeAccepted(int port) {
            return listening.containsKey(port);
        }

        @Override
        public void awaitAccept() {
            channel.expectWithin(IncomingOffer.ACCEPT_MILLIS);
        }

        @Override
        public void reply(ByteBuffer answer) {
            ByteBuffer payload = ByteBuffer.allocate(HostMessage.MAX_BYTES).put(HostMessage.ANSWER).put(answer);
            channel.send(transcript.seal(Transcript.Speaker.ACCEPTOR, payload.flip()));
            disconnect();
        }

        @Override
        public void disconnect() {
            channel.close();
            offer.endWaiting();
            visitors.remove(party, this);
        }
    }
}
