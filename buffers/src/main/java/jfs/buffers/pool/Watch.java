package jfs.buffers.pool;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** What a debugging pool knows of its buffers beside their memory: who has allocated them, and whether they are used after their close. */
final class Watch {

    /** One thread for all pools, which starts with the first debugging pool. */
    private static final Cleaner CLEANER = Cleaner.create();

    private static final String ALLOCATED = "it was allocated here";

    /** What stays of a buffer that nobody can reach any more. It must not refer to the buffer. */
    private static final class Trace implements Runnable {
        private final Watch watch;
        private final Throwable allocated;
        private final int bytes;
        private volatile boolean closed;

        Trace(Watch watch, Throwable allocated, int bytes) {
            this.watch = watch;
            this.allocated = allocated;
            this.bytes = bytes;
        }

        /** The buffer was closed, or nobody can close it any more. */
        @Override
        public void run() {
            if (!closed) {
                watch.leaked(this);
            }
        }
    }

    /** A buffer that is watched. */
    private static final class Watched extends Piece {
        private static final long serialVersionUID = 1;

        private final transient Trace trace;
        private final transient Cleaner.Cleanable cleanable;
        /** Of this owner alone: one that uses its buffer after the close moves no position and no limit of the next owner. */
        private final transient ByteBuffer memory;
        private transient volatile Throwable closedBefore;

        Watched(BuddyPool pool, Block block, Trace trace) {
            super(pool, block);
            this.trace = trace;
            memory = block.memory.duplicate().clear().limit(trace.bytes);
            cleanable = CLEANER.register(this, trace);
        }

        @Override
        ByteBuffer memory(Block block) {
            return memory;
        }

        @Override
        public void close() {
            try {
                Block block = getAndSet(null);
                if (block == null) {
                    throw closed("close()");
                }
                closedBefore = new Throwable("it was closed here");
                closedBefore.initCause(trace.allocated);
                trace.closed = true;
                cleanable.clean();
                trace.watch.closing(block, trace);
                pool.release(block);
            } finally {
                Reference.reachabilityFence(this); // else it could look like a leak before it counts as closed
            }
        }

        @Override
        IllegalStateException closed(String call) {
            IllegalStateException closed = super.closed(call);
            closed.initCause(closedBefore != null ? closedBefore : trace.allocated);
            return closed;
        }
    }

    private final String pool;
    /** Whether free memory has {@link Pattern}. */
    private final boolean patterned;
    private final AtomicLong leaks = new AtomicLong();
    private final AtomicLong lateWrites = new AtomicLong();
    /** The kinds and places that were reported. */
    private final Set<String> reported = ConcurrentHashMap.newKeySet();

    Watch(String pool, boolean patterned) {
        this.pool = pool;
        this.patterned = patterned;
    }

    /** Looks at a block that is given to a new owner. */
    PooledBuffer give(BuddyPool from, Block block, int bytes) {
        if (patterned && block.order != Block.NO_ORDER) {
            int at = Pattern.firstOther(block.memory);
            if (at >= 0) {
                lateWrites.incrementAndGet();
                report("late write", "byte " + at + " of a free block of " + (1 << block.order) + " bytes was written after its owner had"
                        + " closed it; " + (block.lastOwner == null ? "the owner is not known, because the block was another part of its slab before"
                        : "its last owner had allocated it here"), block.lastOwner);
            }
        }
        return new Watched(from, block, new Trace(this, new Throwable(ALLOCATED), bytes));
    }

    private void closing(Block block, Trace trace) {
        if (patterned && block.order != Block.NO_ORDER) {
            Pattern.fill(block.memory, 0, block.memory.capacity());
            block.lastOwner = trace.allocated;
        }
    }

    private void leaked(Trace trace) {
        report("leak", "a buffer of " + trace.bytes + " bytes was never closed; it was allocated here", trace.allocated);
        leaks.incrementAndGet();
    }

    /** Says it on stderr, once for each kind and place. The sizes of one place may be many. */
    private void report(String kind, String what, Throwable place) {
        StringBuilder calls = new StringBuilder();
        if (place != null) {
            Arrays.stream(place.getStackTrace()).filter(each -> !isOfPool(each)).forEach(each -> calls.append("\n\tat ").append(each));
        }
        if (reported.add(kind + calls)) {
            try {
                System.err.println("jfs: pool " + pool + ": " + what + calls);
            } catch (RuntimeException e) {
                // The program may have replaced System.err by a stream that throws.
            }
        }
    }

    private static boolean isOfPool(StackTraceElement call) {
        return call.getClassName().equals(Watch.class.getName()) || call.getClassName().equals(BuddyPool.class.getName());
    }

    long leaks() {
        return leaks.get();
    }

    long lateWrites() {
        return lateWrites.get();
    }
}
