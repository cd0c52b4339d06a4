package jfs.negotiation.handshake;

import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import jfs.negotiation.policy.Choice;
import jfs.spi.NoResourcesException;
import jfs.threads.Cleaning;
import jfs.threads.EventLoop;

/**
 * The accepted sockets that have no fast path, and the early offers that wait for their socket. Offers look for their sockets here.
 * Thread-safe: the program's threads that accept and close sockets use it, and the event loop's thread.
 */
public final class AcceptedSockets {

    private static final int BUCKETS_MIN = 64;

    private final EventLoop loop;
    /** The hash table: a power of two of lists, linked by {@link Entry#next}. {@code size} counts the entries. Guarded by this. */
    private Entry[] buckets = new Entry[BUCKETS_MIN];
    private int size;
    /** Guarded by this. */
    private final List<IncomingOffer> waiting = new ArrayList<>();

    public AcceptedSockets(EventLoop loop) {
        this.loop = loop;
    }

    /**
     * An accepted socket in the table, which refers to it weakly. The entry itself is the weak reference and the link of its list. That
     * saves two objects for each accept.
     */
    public final class Entry extends WeakReference<Endpoint> implements Runnable {
        private final Choice choice;
        private final ListenerName name;
        private final int key;
        private final Cleaner.Cleanable removal;
        private Entry next;

        private Entry(Endpoint endpoint, Choice choice, ListenerName name, int key) {
            super(endpoint);
            this.choice = choice;
            this.name = name;
            this.key = key;
            this.removal = Cleaning.cleaner().register(endpoint, this);
        }

        /** What the connection may use. */
        Choice choice() {
            return choice;
        }

        /** Takes the connection out of the table, because it is closed, has its path or will have none. Idempotent. */
        public void forget() {
            removal.clean();
        }

        /** Takes the entry out of the table. The {@link Cleaner} runs this once: for {@link #forget}, or when the endpoint is garbage. */
        @Override
        public void run() {
            try {
                remove(this);
            } finally {
                name.release();
            }
        }
    }

    /** A socket of this process that an offer is for. */
    record Found(Endpoint endpoint, Entry entry) {
    }

    /**
     * Lets offers find an accepted connection. One atomic step enters it in the table and looks for offers that wait for it (NEG-1).
     *
     * @return null if no name is left for the listening socket
     */
    public Entry register(Endpoint endpoint, Choice choice, ListenerName name, int remotePort, int localPort)
            throws NoResourcesException {
        int key = key(remotePort, localPort);
        if (!name.retain()) {
            return null;
        }
        Entry it = null;
        try {
            it = new Entry(endpoint, choice, name, key);
        } finally {
            if (it == null) {
                name.release();
            }
        }
        boolean wanted;
        synchronized (this) {
            add(it);
            wanted = isAwaited(key);
        }
        if (wanted) {
            try {
                loop.execute(new Runnable() {
                    @Override
                    public void run() {
                        retryWaiting();
                    }
                });
            } catch (OutOfMemoryError e) { // the caller tries again later, and then registers the connection again
                it.forget();
                throw e;
            }
        }
        return it;
    }

    /** Called under this. The list is short: offers hardly ever wait. A loop with an iterator would make garbage for each accept. */
    private boolean isAwaited(int key) {
        for (int i = 0; i < waiting.size(); i++) {
            if (waiting.get(i).key() == key) {
                return true;
            }
        }
        return false;
    }

    private void add(Entry entry) {
        if (size == buckets.length) {
            Entry[] before = buckets;
            buckets = new Entry[2 * size];
            for (Entry each : before) {
                while (each != null) {
                    Entry following = each.next;
                    link(each);
                    each = following;
                }
            }
        }
        link(entry);
        size++;
    }

    private void link(Entry entry) {
        int bucket = bucket(entry.key);
        entry.next = buckets[bucket];
        buckets[bucket] = entry;
    }

    /** Does nothing if the entry never came into the table, because memory ran out. */
    private synchronized void remove(Entry entry) {
        int bucket = bucket(entry.key);
        Entry before = null;
        for (Entry it = buckets[bucket]; it != null; before = it, it = it.next) {
            if (it == entry) {
                if (before == null) {
                    buckets[bucket] = it.next;
                } else {
                    before.next = it.next;
                }
                size--;
                return;
            }
        }
    }

    /**
     * Clients' ports follow one another, but Linux gives a client the ports of one parity first. The lowest bit is therefore the same
     * for most connections to a listener, and is shifted out: else half of the buckets would be empty.
     */
    int bucket(int key) {
        return (key >>> Short.SIZE ^ key) >>> 1 & buckets.length - 1;
    }

    synchronized int size() {
        return size;
    }

    private void retryWaiting() {
        List<IncomingOffer> all;
        synchronized (this) {
            all = new ArrayList<>(waiting);
        }
        for (IncomingOffer offer : all) {
            EventLoop.guarded(new Runnable() {
                @Override
                public void run() {
                    offer.socketAccepted();
                }
            });
        }
    }

    /**
     * From now on the offer is told of each accepted socket that may be the one it is for.
     *
     * @return false if the offer waits already
     */
    synchronized boolean await(IncomingOffer offer) {
        return !waiting.contains(offer) && waiting.add(offer);
    }

    /** Does nothing if the offer does not wait. */
    synchronized void endWaiting(IncomingOffer offer) {
        waiting.remove(offer);
    }

    /** @return the key by which a connection is looked up: its two ports */
    static int key(Tuple ours) {
        return key(ours.remotePort(), ours.localPort());
    }

    static int key(int remotePort, int localPort) {
        return remotePort << Short.SIZE | localPort;
    }

    /** @return the sockets whose connections have these two ports, whatever their addresses are */
    synchronized List<Entry> candidates(int key) {
        List<Entry> candidates = new ArrayList<>(1);
        for (Entry it = buckets[bucket(key)]; it != null; it = it.next) {
            if (it.key == key) {
                candidates.add(it);
            }
        }
        return candidates;
    }

    /** @return the established socket of this process that has this connection, or null */
    Found find(Tuple ours) {
        for (Entry candidate : candidates(key(ours))) {
            Endpoint endpoint = candidate.get();
            if (endpoint != null && ours.equals(Tuple.of(endpoint.tcp()))) {
                return new Found(endpoint, candidate);
            }
        }
        return null;
    }
}
