package jfs.mx;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * The memory of an endpoint's messages, used again and again: what the library has registered with the network can stay so.
 * A buffer in a request is referred to from here, so its memory outlives the request whoever forgets it.
 *
 * <p>Thread-safe; nothing blocks.
 */
final class MessageBuffers {

    /** As many unused ones are kept. */
    private static final int KEPT = 64;

    private final int capacity;
    // Guarded by this.
    private final Deque<MessageBuffer> unused = new ArrayDeque<>();
    private final Deque<Integer> freeIds = new ArrayDeque<>();
    private int made;
    /** By id; written under this, copied when it grows. */
    private volatile MessageBuffer[] all = new MessageBuffer[KEPT];

    /** @param capacity of each, bytes */
    MessageBuffers(int capacity) {
        this.capacity = capacity;
    }

    int capacity() {
        return capacity;
    }

    /** An empty one. @throws OutOfMemoryError as every buffer outside of the heap, if there may be no more of them */
    synchronized MessageBuffer take() {
        MessageBuffer it = unused.poll();
        if (it == null) {
            it = make();
        }
        it.start = it.end = 0;
        return it;
    }

    private MessageBuffer make() {
        Integer free = freeIds.poll();
        int id = free != null ? free : made;
        MessageBuffer it;
        try {
            it = new MessageBuffer(id, capacity);
        } catch (OutOfMemoryError e) {
            if (free != null) {
                freeIds.push(free);
            }
            throw e;
        }
        MessageBuffer[] known = all;
        if (id == known.length) {
            known = Arrays.copyOf(known, 2 * id);
        }
        known[id] = it;
        all = known;
        made += free == null ? 1 : 0;
        return it;
    }

    /** Nobody uses it any more. */
    synchronized void give(MessageBuffer it) {
        it.sender = null;
        if (unused.size() < KEPT) {
            unused.push(it);
        } else {
            all[it.id] = null;
            freeIds.push(it.id);
        }
    }

    /** The one that a request with this context is on. */
    MessageBuffer of(long context) {
        return all[(int) context];
    }

    /** How many are somewhere else. */
    synchronized int inUse() {
        return made - freeIds.size() - unused.size();
    }
}
