package jfs.negotiation.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import jfs.negotiation.handshake.AcceptedSockets.Entry;
import jfs.negotiation.policy.Choice;
import jfs.spi.FastPath;
import jfs.spi.NoResourcesException;
import jfs.spi.TcpDescriptor;
import jfs.stat.Reason;
import org.junit.jupiter.api.Test;

/** The hash table of accepted sockets: a search by ports finds the sockets of the table that have these ports, and no others. */
class AcceptedSocketsTest {

    private static final int LISTENER = 8080;
    private static final int FIRST = 32_768;
    /** The number of buckets at first. */
    private static final int BUCKETS = 64;

    /** An endpoint that is only entered in the table. None of its methods is called. */
    private static final class Unasked implements Endpoint {
        @Override
        public TcpDescriptor tcp() {
            throw new AssertionError();
        }

        @Override
        public StreamPrefix streamPrefix() {
            throw new AssertionError();
        }

        @Override
        public boolean attach(FastPath path) {
            throw new AssertionError();
        }

        @Override
        public void defer(Reason reason, String detail) {
            throw new AssertionError();
        }

        @Override
        public void fallback(Reason reason, String detail) {
            throw new AssertionError();
        }
    }

    /** An entry that the table should have. The reference to its endpoint keeps the garbage collector from removing the entry. */
    private record Known(Entry entry, Endpoint endpoint, int port) {
    }

    private final AcceptedSockets sockets = new AcceptedSockets(null); // no loop: only offers that wait need one, and there are none
    private final AtomicInteger closed = new AtomicInteger();
    private final ListenerName name = new ListenerName() {
        @Override
        protected Runnable open() {
            return closed::incrementAndGet;
        }
    };
    private final List<Known> known = new ArrayList<>();
    private final Set<Integer> ports = new HashSet<>();

    private static int key(int port) {
        return AcceptedSockets.key(port, LISTENER);
    }

    private void accept(int port) {
        Endpoint endpoint = new Unasked();
        known.add(new Known(register(endpoint, name, port), endpoint, port));
        ports.add(port);
        assertEquals(known.size(), sockets.size());
    }

    private Entry register(Endpoint endpoint, ListenerName by, int port) {
        try {
            return sockets.register(endpoint, Choice.of(null, false), by, port, LISTENER);
        } catch (NoResourcesException e) {
            throw new AssertionError(e);
        }
    }

    private void forget(int index) {
        known.remove(index).entry.forget();
        assertEquals(known.size(), sockets.size());
    }

    /** For each port that was ever in use, a search finds each socket that should be there once, and no other. */
    private void assertFound() {
        for (int port : ports) {
            Set<Entry> expected = new HashSet<>();
            for (Known each : known) {
                if (each.port == port) {
                    expected.add(each.entry);
                    assertSame(each.endpoint, each.entry.get());
                }
            }
            List<Entry> found = sockets.candidates(key(port));
            assertEquals(expected, new HashSet<>(found), "port " + port);
            assertEquals(expected.size(), found.size(), "port " + port);
        }
        assertEquals(known.size(), sockets.size());
    }

    private void forgetAll() {
        while (!known.isEmpty()) {
            forget(0);
        }
        assertFound();
        assertEquals(0, closed.get());
        name.release();
        assertEquals(1, closed.get(), "the name is nobody's");
        assertFalse(name.isTaken());
    }

    /** Three sockets of one bucket have ports that are so far apart. Each of the three is once the first that is removed. */
    private void removals(int apart) {
        assertEquals(sockets.bucket(key(FIRST)), sockets.bucket(key(FIRST + apart)));
        assertEquals(sockets.bucket(key(FIRST)), sockets.bucket(key(FIRST + 2 * apart)));
        for (int gone = 0; gone < 3; gone++) {
            for (int i = 0; i < 3; i++) {
                accept(FIRST + i * apart);
            }
            assertFound();
            for (int index : new int[] {gone, 0, 0}) {
                forget(index);
                assertFound();
            }
        }
        forgetAll();
    }

    @Test
    void headMiddleAndTailOfOneKey() {
        removals(0);
    }

    @Test
    void headMiddleAndTailOfABucketWithSeveralKeys() {
        removals(2 * BUCKETS);
    }

    @Test
    void itGrowsWhileSocketsComeAndGo() {
        int before = sockets.bucket(key(FIRST + 2 * BUCKETS));
        for (int i = 0; i < 10 * BUCKETS; i++) {
            accept(FIRST + 2 * (i * 7 % (2 * BUCKETS))); // five of each port
            if (i % 4 == 0) {
                forget(i * 31 % known.size());
            }
            if (i % BUCKETS == 0) {
                assertFound();
            }
        }
        assertFound();
        assertNotEquals(before, sockets.bucket(key(FIRST + 2 * BUCKETS)), "it has grown");
        while (known.size() > 1) {
            forget(known.size() / 2);
            if (known.size() % BUCKETS == 0) {
                assertFound();
            }
        }
        assertFound();
        forgetAll();
    }

    @Test
    void forgettingTwiceIsForgettingOnce() {
        accept(FIRST);
        accept(FIRST);
        Entry first = known.get(0).entry;
        forget(0);
        first.forget();
        assertFound();
        accept(FIRST);
        first.forget();
        assertFound();
        forgetAll();
    }

    @Test
    void aNameIsTakenForTheFirstSocket() {
        assertFalse(name.isTaken());
        accept(FIRST);
        assertTrue(name.isTaken());
        forget(0);
        assertTrue(name.isTaken(), "the listener keeps it");
        forgetAll();
        accept(FIRST);
        assertTrue(name.isTaken(), "for a socket alone, whose listener is closed");
        forget(0);
        assertEquals(2, closed.get());
    }

    @Test
    void noNameIsLeft() {
        ListenerName none = new ListenerName() {
            @Override
            protected Runnable open() {
                return null;
            }
        };
        assertNull(register(new Unasked(), none, FIRST));
        none.release();
        assertEquals(0, sockets.size());
    }

    @Test
    void portsOfOneParityUseAllBuckets() {
        Set<Integer> used = new HashSet<>();
        for (int i = 0; i < BUCKETS; i++) {
            accept(FIRST + 2 * i);
            used.add(sockets.bucket(key(FIRST + 2 * i)));
        }
        assertEquals(BUCKETS, used.size());
        forgetAll();
    }
}
