package jfs.negotiation;

import java.lang.ref.Cleaner;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jfs.config.Permissions;
import jfs.config.Settings;
import jfs.negotiation.handshake.AcceptedSockets;
import jfs.negotiation.handshake.Endpoint;
import jfs.negotiation.handshake.ListenerName;
import jfs.negotiation.handshake.OpenTransports;
import jfs.negotiation.handshake.local.LocalAcceptor;
import jfs.negotiation.handshake.local.LocalOfferer;
import jfs.negotiation.handshake.local.PeerCredentials;
import jfs.negotiation.handshake.remote.HandshakeResources;
import jfs.negotiation.handshake.remote.Hosts;
import jfs.negotiation.handshake.remote.RemoteAcceptor;
import jfs.negotiation.handshake.remote.RemoteOfferer;
import jfs.negotiation.policy.Choice;
import jfs.negotiation.policy.Policy;
import jfs.negotiation.policy.Refusal;
import jfs.spi.NoResourcesException;
import jfs.spi.TransportProvider;
import jfs.stat.Reason;
import jfs.threads.Cleaning;
import jfs.threads.EventLoop;

/**
 * The part of the negotiation that sockets use. None of these methods blocks. A connection costs nothing here before its offer. At the
 * accepting end it costs nothing before an offer may come: from then on it costs a table entry and the name of its listener.
 */
public final class Negotiator {

    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Settings settings;
    private final Policy policy;
    private final List<TransportProvider> usable;
    private final Hosts hosts;
    /** Opened when the sides are first made, and kept if the sides can't be made then. Guarded by this. */
    private OpenTransports sameHost;
    private OpenTransports otherHosts;
    private volatile Sides sides;
    /** Why the sides could not be made, and from when on they may be tried again. Written under this. */
    private volatile String failure;
    private long retryAt = System.nanoTime();

    /** The accepting half, the connecting half and their thread. They are made when a listener or an offer first needs them. */
    private static final class Sides {
        /** Made first: it can't be undone, and the process needs it even if the rest fails. */
        final Cleaner cleaner = Cleaning.cleaner();
        final EventLoop loop = new EventLoop("jfs-negotiation").endingAtShutdown();
        final AcceptedSockets sockets = new AcceptedSockets(loop);
        private final PeerCredentials peers;
        private final OpenTransports sameHost;
        private final OpenTransports otherHosts;
        /** Null before it is needed: many processes only connect, and many only accept. Guarded by this. */
        private LocalAcceptor accepting;
        /** Null before it is needed. Only the loop's thread uses it. */
        private LocalOfferer offering;
        /** Both are null if the policy allows no transport between hosts. */
        final RemoteAcceptor acceptingHosts;
        final RemoteOfferer offeringHosts;

        /** @throws IllegalStateException if the system has no descriptors or no thread for them now */
        Sides(Settings settings, Policy policy, OpenTransports sameHost, OpenTransports otherHosts, Hosts hosts) {
            peers = new PeerCredentials(settings.allowedUsers(), settings.unproven() == Settings.Unproven.ALLOW);
            this.sameHost = sameHost;
            this.otherHosts = otherHosts;
            HandshakeResources resources = otherHosts.isEmpty() ? null : new HandshakeResources(loop, hosts);
            acceptingHosts = resources == null ? null : new RemoteAcceptor(resources, policy, sockets, otherHosts);
            offeringHosts = resources == null ? null : new RemoteOfferer(resources);
        }

        synchronized LocalAcceptor accepting() {
            if (accepting == null) {
                accepting = new LocalAcceptor(loop, peers, sockets, sameHost);
            }
            return accepting;
        }

        /** On the loop's thread. */
        LocalOfferer offering() {
            if (offering == null) {
                offering = new LocalOfferer(loop, peers);
            }
            return offering;
        }
    }

    /** @param hosts how other hosts are reached */
    public Negotiator(Settings settings, Policy policy, Hosts hosts) {
        this.settings = settings;
        this.policy = policy;
        this.usable = policy.usable();
        this.hosts = hosts;
    }

    /** @return what a connection to that listener may use, as far as its addresses tell */
    public Choice connecting(InetAddress remote, int remotePort) {
        return policy.connecting(remote, remotePort);
    }

    /** @return the same for a connection that this process accepted from that address on that port */
    public Choice accepting(InetAddress remote, int localPort) {
        return policy.accepting(remote, localPort);
    }

    /**
     * Makes the two sides at first use. This runs on a thread of the program, inside its read, write or listen. That call must not fail
     * because of a failure here: the program's bytes are on TCP already, where they stay.
     *
     * @return null if the system has no descriptors or no thread for them now
     */
    private Sides sides() {
        Sides it = sides;
        if (it == null) {
            synchronized (this) {
                it = sides;
                if (it == null && System.nanoTime() - retryAt >= 0) {
                    try {
                        if (sameHost == null) {
                            sameHost = new OpenTransports(usable, false, policy.transports().settings());
                        }
                        if (otherHosts == null) {
                            otherHosts = new OpenTransports(usable, true, policy.transports().settings());
                        }
                        it = sides = new Sides(settings, policy, sameHost, otherHosts, hosts);
                    } catch (IllegalStateException | OutOfMemoryError e) {
                        failure = e.getMessage();
                        retryAt = System.nanoTime() + RETRY_NANOS;
                    }
                }
            }
        }
        return it;
    }

    private Sides sidesOrNoResources() throws NoResourcesException {
        Sides it = sides();
        if (it == null) {
            throw new NoResourcesException(failure);
        }
        return it;
    }

    /** Runs a short task on the negotiation's thread; at once, on the caller's, if the system has no thread for it. */
    public void execute(Runnable task) {
        Sides it = sides();
        if (it == null) {
            task.run();
        } else {
            it.loop.execute(task);
        }
    }

    /** Runs a short task on the negotiation's thread. @return false if that thread is not running yet; this does not start it */
    public boolean executeIfRunning(Runnable task) {
        Sides it = sides;
        if (it == null) {
            return false;
        }
        it.loop.execute(task);
        return true;
    }

    /** @return the event loop of the negotiation, for other short tasks of connections that have a fast path */
    public EventLoop loop() {
        return sides().loop;
    }

    /** A listening socket. Peer processes can find it once one of its connections needs that. */
    public final class Listening {
        private final ListenerName name;
        /** Why other hosts can't find this process, or null. */
        private final String notFoundByHosts;
        private final Cleaner.Cleanable release;

        private Listening(Object owner, Runnable release, ListenerName name, String notFoundByHosts) {
            this.name = name;
            this.notFoundByHosts = notFoundByHosts;
            this.release = Cleaning.cleaner().register(owner, release);
        }

        /** @return whether an offer may come at once for a connection that it accepts: its name is taken, or a rule brings other hosts */
        public boolean isFoundBy(Choice choice) {
            return name.isTaken() || choice.betweenHosts();
        }

        /**
         * Lets offers find an accepted connection from now on, also after its listening socket is closed. Offers find a connection that
         * stays on TCP, too: its peer process is told why.
         *
         * @param choice what the connection may use
         * @return null if offers can't find the connection; the endpoint has been told why
         * @throws NoResourcesException if offers can't find the connection yet; the caller may try again
         */
        public AcceptedSockets.Entry awaitOffers(Endpoint endpoint, Choice choice, int remotePort, int localPort)
                throws NoResourcesException {
            String denied = name.isTaken() ? null : Permissions.denied();
            if (denied != null) { // by a security manager that was set after the socket had begun to listen
                endpoint.fallback(Reason.UNAVAILABLE, denied);
                return null;
            }
            Choice here = choice;
            if (choice.betweenHosts() && notFoundByHosts != null) {
                here = Choice.tcp(new Refusal(Reason.NO_RENDEZVOUS, notFoundByHosts));
                endpoint.fallback(Reason.NO_RENDEZVOUS, notFoundByHosts);
            }
            AcceptedSockets.Entry found = sidesOrNoResources().sockets.register(endpoint, here, name, remotePort, localPort);
            if (found == null) {
                endpoint.fallback(Reason.NO_NAME, null);
            }
            return found;
        }

        /** Called when the listening socket is closed. Idempotent. */
        public void close() {
            release.clean();
        }
    }

    /**
     * @param owner the listening socket. When it is garbage, its name is given back, as its descriptor is
     * @return null if peer processes can't find the socket, because there is no fast transport or a security manager forbids it. Its
     *         connections then stay on TCP
     * @throws NoResourcesException if they can't find it because the system refuses anything else. Its connections then stay on TCP, too
     */
    public Listening listening(Object owner, InetAddress address, int port) throws NoResourcesException {
        if (usable.isEmpty() || Permissions.denied() != null) {
            return null;
        }
        try {
            Cleaning.cleaner(); // first: if this fails, nothing is left behind
        } catch (IllegalStateException e) {
            throw new NoResourcesException(e.getMessage());
        }
        ListenerName name = new ListenerName() {
            @Override
            protected Runnable open() throws NoResourcesException {
                return sidesOrNoResources().accepting().open(address, port);
            }
        };
        if (settings.awaitOffersAfter() == 0) {
            try {
                name.take();
            } catch (NoResourcesException e) {
                // The socket's first accepted connection tries again, and gets the reason if that fails.
            }
        }
        RemoteAcceptor forHosts = policy.rules().serve(port) ? sidesOrNoResources().acceptingHosts : null;
        if (forHosts == null) {
            return new Listening(owner, name, name, null);
        }
        forHosts.listens(port);
        Runnable release = new Runnable() {
            @Override
            public void run() {
                forHosts.stopsListening(port);
                name.release();
            }
        };
        return new Listening(owner, release, name, forHosts.open());
    }

    /**
     * Tries to get a fast path for a connection. The endpoint hears of the outcome by {@link Endpoint#attach}, {@link Endpoint#defer} or
     * {@link Endpoint#fallback}. After defer the caller may call this again.
     *
     * @param choice what {@link #connecting} has returned, without a refusal
     * @param early the server program may not have accepted it yet
     */
    public void offer(Endpoint endpoint, Choice choice, boolean early) {
        String denied = Permissions.denied();
        if (denied != null) { // by a security manager that was set after the socket had connected
            endpoint.fallback(Reason.UNAVAILABLE, denied);
            return;
        }
        Sides it = sides();
        if (it == null) {
            endpoint.defer(Reason.NO_RESOURCES, failure);
        } else {
            it.loop.execute(new Runnable() {
                @Override
                public void run() {
                    begin(it, endpoint, choice, early);
                }
            });
        }
    }

    /** The program may have set a security manager meanwhile, under which a class that an offer needs can't be initialised. */
    private static void begin(Sides it, Endpoint endpoint, Choice choice, boolean early) {
        OpenTransports opened = choice.betweenHosts() ? it.otherHosts : it.sameHost;
        Refusal failure = opened.failureOf(choice);
        if (failure != null) {
            endpoint.fallback(failure.reason(), failure.detail());
            return;
        }
        try {
            if (choice.betweenHosts()) {
                it.offeringHosts.offer(endpoint, opened.chosenBy(choice), choice.trusted(), early);
            } else {
                it.offering().offer(endpoint, opened.chosenBy(choice), early);
            }
        } catch (SecurityException | LinkageError e) {
            endpoint.fallback(Reason.UNAVAILABLE, e.toString());
        }
    }
}
