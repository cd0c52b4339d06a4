package jfs.negotiation;

import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jfs.wait.Cleaning;
import jfs.wait.EventLoop;

/**
 * The accepted sockets that have no fast path, for offers to find, and the early offers that wait for one. Shared between
 * the threads that accept and close and the event loop's.
 */
final class AcceptedSockets {

    private final EventLoop loop;
    /** By (remote port, local port); guarded by this. */
    private final Map<Long, List<Entry>> entries = new HashMap<>();
    /** Guarded by this. */
    private final List<Visit> waiting = new ArrayList<>();

    AcceptedSockets(EventLoop loop) {
        this.loop = loop;
    }

    /** An accepted socket in the table. */
    final class Entry implements Runnable {
        private final WeakReference<Endpoint> endpoint;
        private final Choice choice;
        private final Names.Name name;
        private final long key;
        private final Cleaner.Cleanable removal;

        private Entry(Endpoint endpoint, Choice choice, Names.Name name, long key) {
            this.endpoint = new WeakReference<>(endpoint);
            this.choice = choice;
            this.name = name;
            this.key = key;
            this.removal = Cleaning.cleaner().register(endpoint, this);
        }

        /** What the connection may use. */
        Choice choice() {
            return choice;
        }

        /**
         * It is closed, has its path or will have none: nobody needs to find it any more. One that is garbage is
         * forgotten too. Idempotent.
         */
        void forget() {
            removal.clean();
        }

        /** Takes it out of the table: {@link #forget} sees to it that it happens once. */
        @Override
        public void run() {
            try {
                synchronized (AcceptedSockets.this) {
                    List<Entry> list = entries.get(key);
                    if (list != null && list.remove(this) && list.isEmpty()) { // it never came in if memory ran out
                        entries.remove(key);
                    }
                }
            } finally {
                name.release();
            }
        }
    }

    /** A socket of ours that an offer is for. */
    record Found(Endpoint endpoint, Entry entry) {
    }

    /** A connection was accepted: one atomic step makes it known and finds the offers that wait for it (R1). */
    Entry register(Endpoint endpoint, Choice choice, Names.Name name, int remotePort, int localPort) {
        long key = key(remotePort, localPort);
        name.retain();
        Entry it = null;
        try {
            it = new Entry(endpoint, choice, name, key);
        } finally {
            if (it == null) {
                name.release();
            }
        }
        boolean wanted = false;
        synchronized (this) {
            List<Entry> list = entries.get(key);
            if (list == null) {
                list = new ArrayList<>(1);
                entries.put(key, list);
            }
            list.add(it);
            for (Visit visit : waiting) {
                wanted |= visit.key() == key;
            }
        }
        if (wanted) {
            loop.execute(new Runnable() {
                @Override
                public void run() {
                    retryWaiting();
                }
            });
        }
        return it;
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
    static long key(Tuple ours) {
        return key(ours.remotePort(), ours.localPort());
    }

    private static long key(int remotePort, int localPort) {
        return (long) remotePort << 32 | localPort;
    }

    /** The established socket of ours that is the other end, or null. */
    Found find(Tuple ours) {
        List<Entry> candidates;
        synchronized (this) {
            List<Entry> list = entries.get(key(ours));
            candidates = list == null ? List.of() : new ArrayList<>(list);
        }
        for (Entry candidate : candidates) {
            Endpoint endpoint = candidate.endpoint.get();
            if (endpoint != null && ours.equals(Tuple.of(endpoint.tcp()))) {
                return new Found(endpoint, candidate);
            }
        }
        return null;
    }
}
