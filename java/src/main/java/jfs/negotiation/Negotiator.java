package jfs.negotiation;

import java.lang.ref.Cleaner;
import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import jfs.config.Permissions;
import jfs.config.Settings;
import jfs.spi.NoResourcesException;
import jfs.spi.Transport;
import jfs.stat.Reason;
import jfs.wait.Cleaning;
import jfs.wait.EventLoop;
import jfs.wait.IdleWatch;

/**
 * What sockets know of the negotiation. None of these calls blocks. Nothing is spent on a connection before its
 * offer, or where it was accepted before an offer may come: then a table entry, and its listener's name.
 */
public final class Negotiator {

    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Settings settings;
    private final Policy policy;
    private final Supplier<Transport> sameHost;
    private final Hosts hosts;
    private final Transport otherHosts;
    private volatile Sides sides;
    /** Why there are no sides, and until when they are not tried again; written under this. */
    private volatile String failure;
    private long retryAt = System.nanoTime();

    /** The two halves and their thread: made when the first listener's name or the first offer is due. */
    private static final class Sides {
        /** First: it can't be taken back, and it is needed whatever becomes of the rest. */
        final Cleaner cleaner = Cleaning.cleaner();
        final EventLoop loop = new EventLoop("jfs-negotiation").endingAtShutdown();
        final AcceptedSockets sockets = new AcceptedSockets(loop);
        final IdleWatch idle = new IdleWatch(loop);
        private final Peers peers;
        private final Transport sameHost;
        /** Null before it is needed: many a process only connects, and many a one only accepts. Guarded by this. */
        private AcceptingSide accepting;
        /** The same; the loop's thread's. */
        private OfferingSide offering;
        /** Null if no rule needs them. */
        final HostAcceptingSide acceptingHosts;
        final HostOfferingSide offeringHosts;

        /** @throws IllegalStateException if there are no descriptors or no thread for it now */
        Sides(Settings settings, Policy policy, Supplier<Transport> sameHost, Hosts hosts, Transport otherHosts) {
            peers = new Peers(settings.allowedUsers(), settings.unproven() == Settings.Unproven.ALLOW);
            this.sameHost = sameHost == null ? null : sameHost.get();
            boolean betweenHosts = otherHosts != null;
            Helpers helpers = betweenHosts ? new Helpers(loop) : null;
            acceptingHosts =
                    betweenHosts ? new HostAcceptingSide(loop, hosts, policy, sockets, helpers, otherHosts) : null;
            offeringHosts = betweenHosts ? new HostOfferingSide(loop, hosts, helpers, otherHosts) : null;
        }

        synchronized AcceptingSide accepting() {
            if (accepting == null) {
                accepting = new AcceptingSide(loop, peers, sockets,
                        sameHost == null ? Map.of() : Map.of(sameHost.name(), sameHost));
            }
            return accepting;
        }

        /** On the loop's thread. */
        OfferingSide offering() {
            if (offering == null) {
                offering = new OfferingSide(loop, peers, sameHost);
            }
            return offering;
        }
    }

    /**
     * @param sameHost makes the fast transport for peers on this host; null if the policy allows none
     * @param hosts how other hosts are reached
     * @param otherHosts the fast transport for peers on hosts that a rule names; null if the policy allows none
     */
    public Negotiator(Settings settings, Policy policy, Supplier<Transport> sameHost, Hosts hosts, Transport otherHosts) {
        this.settings = settings;
        this.policy = policy;
        this.sameHost = sameHost;
        this.hosts = hosts;
        this.otherHosts = otherHosts;
    }

    /** What a connection that was made to that listener may use, as far as its addresses tell. */
    public Choice connecting(InetAddress remote, int remotePort) {
        return policy.connecting(remote, remotePort);
    }

    /** The same for a connection that was accepted from there on that port. */
    public Choice accepting(InetAddress remote, int localPort) {
        return policy.accepting(remote, localPort);
    }

    /**
     * Made at first use. What fails here must not fail the program's read, write or listen that came by: its bytes are on
     * TCP already, where they stay.
     *
     * @return null if there are no descriptors or no thread for it now
     */
    private Sides sides() {
        Sides it = sides;
        if (it == null) {
            synchronized (this) {
                it = sides;
                if (it == null && System.nanoTime() - retryAt >= 0) {
                    try {
                        it = sides = new Sides(settings, policy, sameHost, hosts, otherHosts);
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

    /** For the connections that have got a fast path. */
    public IdleWatch idleWatch() {
        return sides().idle;
    }

    /** A listening socket that peers can find, once one of its connections needs it. */
    public final class Listening {
        private final Names.Name name;
        /** Why other hosts can't find this process, or null. */
        private final String notFoundByHosts;
        private final Cleaner.Cleanable release;

        private Listening(Object owner, Runnable release, Names.Name name, String notFoundByHosts) {
            this.name = name;
            this.notFoundByHosts = notFoundByHosts;
            this.release = Cleaning.cleaner().register(owner, release);
        }

        /** Whether a connection that it accepts may be offered at once: its name is taken, or other hosts need none. */
        public boolean isFoundBy(Choice choice) {
            return name.isTaken() || choice.betweenHosts();
        }

        /**
         * Offers can find a connection that it has accepted, from now on, though it may be closed itself. One that stays on TCP can be
         * found too: then its peer is told why.
         *
         * @param choice what it may use
         * @return null if they can't: the endpoint has been told why
         * @throws NoResourcesException if they can't yet: it may be tried again
         */
        public Accepted awaitOffers(Endpoint endpoint, Choice choice, int remotePort, int localPort) throws NoResourcesException {
            String denied = name.isTaken() ? null : Permissions.denied();
            if (denied != null) { // by a security manager that was set after it had begun to listen
                endpoint.fallback(Reason.UNAVAILABLE, denied);
                return null;
            }
            Choice here = choice;
            if (choice.betweenHosts() && notFoundByHosts != null) {
                here = Choice.tcp(new Refusal(Reason.NO_RENDEZVOUS, notFoundByHosts));
                endpoint.fallback(Reason.NO_RENDEZVOUS, notFoundByHosts);
            }
            Accepted found = sidesOrNoResources().sockets.register(endpoint, here, name, remotePort, localPort);
            if (found == null) {
                endpoint.fallback(Reason.NO_NAME, null);
            }
            return found;
        }

        /** The listening socket is closed. Idempotent. */
        public void close() {
            release.clean();
        }
    }

    /** An accepted connection that offers can find. */
    public interface Accepted {
        /** It is closed, has its path or will have none: nobody needs to find it any more. Idempotent. */
        void forget();
    }

    /**
     * @param owner the listening socket: if it is garbage it gives its name back, as it does its descriptor
     * @return null if it can't be found, because there is no transport or a security manager forbids it: then its
     *         connections stay on TCP
     * @throws NoResourcesException if it can't for want of anything else; the same then
     */
    public Listening listening(Object owner, InetAddress address, int port) throws NoResourcesException {
        if (sameHost == null && otherHosts == null || Permissions.denied() != null) {
            return null;
        }
        try {
            Cleaning.cleaner(); // before anything is made
        } catch (IllegalStateException e) {
            throw new NoResourcesException(e.getMessage());
        }
        Names.Name name = new Names.Name() {
            @Override
            Runnable open() throws NoResourcesException {
                return sidesOrNoResources().accepting().open(address, port);
            }
        };
        if (settings.awaitOffersAfter() == 0) {
            try {
                name.take();
            } catch (NoResourcesException e) {
                // Its first connection tries again, and has the reason.
            }
        }
        HostAcceptingSide forHosts = policy.rules().serve(port) ? sidesOrNoResources().acceptingHosts : null;
        if (forHosts == null) {
            return new Listening(owner, name, name, null);
        }
        forHosts.listens(port);
        Runnable release = new Runnable() {
            @Override
            public void run() {
                forHosts.listensNoMore(port);
                name.release();
            }
        };
        return new Listening(owner, release, name, forHosts.open());
    }

    /**
     * Tries to get a fast path for a connection; the outcome comes by {@link Endpoint#attach}, {@link Endpoint#defer} or
     * {@link Endpoint#fallback}. After defer it may be called again.
     *
     * @param choice of {@link #connecting}; not refused
     * @param early the server program may not have accepted it yet
     */
    public void offer(Endpoint endpoint, Choice choice, boolean early) {
        String denied = Permissions.denied();
        if (denied != null) { // by a security manager that was set after it had been connected
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

    /** A security manager may have been set since, under which a class that an offer needs can't be initialised. */
    private static void begin(Sides it, Endpoint endpoint, Choice choice, boolean early) {
        try {
            if (choice.betweenHosts()) {
                it.offeringHosts.offer(endpoint, choice.trusted(), early);
            } else {
                it.offering().offer(endpoint, early);
            }
        } catch (SecurityException | LinkageError e) {
            endpoint.fallback(Reason.UNAVAILABLE, e.toString());
        }
    }
}
