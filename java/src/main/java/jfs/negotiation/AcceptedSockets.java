package jfs.negotiation;

import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import jfs.spi.NoResourcesException;
import jfs.wait.Cleaning;
import jfs.wait.EventLoop;

/**
 * The accepted sockets that have no fast path, for offers to find, and the early offers that wait for one. Shared between
 * the threads that accept and close and the event loop's.
 */
final class AcceptedSockets {

    private static final int BUCKETS_MIN = 64;

    private final EventLoop loop;
    /** A hash table, a power of two of lists linked by {@link Entry#next}; and how many are in it. Guarded by this. */
    private Entry[] buckets = new Entry[BUCKETS_MIN];
    private int size;
    /** Guarded by this. */
    private final List<Visit> waiting = new ArrayList<>();

    AcceptedSockets(EventLoop loop) {
        this.loop = loop;
    }

    /**
     * An accepted socket in the table, which holds it weakly. The entry is the weak reference and the link of its list itself, to save
     * two objects for each accept.
     */
    final class Entry extends WeakReference<Endpoint> implements Negotiator.Accepted, Runnable {
        private final Choice choice;
        private final Names.Name name;
        private final int key;
        private final Cleaner.Cleanable removal;
        private Entry next;

        private Entry(Endpoint endpoint, Choice choice, Names.Name name, int key) {
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

        /** One that is garbage is forgotten too. */
        @Override
        public void forget() {
            removal.clean();
        }

        /** Takes it out of the table: {@link #forget} sees to it that it happens once. */
        @Override
        public void run() {
            try {
                remove(this);
            } finally {
                name.release();
            }
        }
    }

    /** A socket of ours that an offer is for. */
    record Found(Endpoint endpoint, Entry entry) {
    }

    /**
     * Offers can find an accepted connection: one atomic step makes it known and finds those that wait for it (NEG-1).
     *
     * @return null if there is no name left
     */
    Entry register(Endpoint endpoint, Choice choice, Names.Name name, int remotePort, int localPort)
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
            } catch (OutOfMemoryError e) { // the caller tries again, and registers again
                it.forget();
                throw e;
            }
        }
        return it;
    }

    /** Under this. Hardly ever is anybody waiting, and an iterator would be garbage of each accept. */
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

    /** Nothing happens if it never came in, because memory ran out. */
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
        List<Visit> all;
        synchronized (this) {
            all = new ArrayList<>(waiting);
        }
        for (Visit visit : all) {
            EventLoop.guarded(new Runnable() {
                @Override
                public void run() {
                    visit.lookAgain();
                }
            });
        }
    }

    /**
     * It wants to be told of each socket that may be its own.
     *
     * @return false if it waits already
     */
    synchronized boolean await(Visit visit) {
        return !waiting.contains(visit) && waiting.add(visit);
    }

    /** Nothing happens if it does not wait. */
    synchronized void endWaiting(Visit visit) {
        waiting.remove(visit);
    }

    /** By which a connection is looked up. */
    static int key(Tuple ours) {
        return key(ours.remotePort(), ours.localPort());
    }

    static int key(int remotePort, int localPort) {
        return remotePort << Short.SIZE | localPort;
    }

    /** Sockets whose connections have the same ports, between whatever addresses. */
    synchronized List<Entry> candidates(int key) {
        List<Entry> candidates = new ArrayList<>(1);
        for (Entry it = buckets[bucket(key)]; it != null; it = it.next) {
            if (it.key == key) {
                candidates.add(it);
            }
        }
        return candidates;
    }

    /** The established socket of ours that is the other end, or null. */
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
