package jfs.mx;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * The buffers of an endpoint's messages. They are used again and again, so memory that the library has registered with the
 * network can stay registered. This object refers to each buffer that is in a request. So the buffer's memory outlives the
 * request, even if no other object refers to it.
 *
 * <p>Thread-safe; nothing blocks.
 */
final class MessageBuffers {

    /** Most unused buffers that are kept. */
    private static final int KEPT = 64;

    private final int capacity;
    // Guarded by this.
    private final Deque<MessageBuffer> unused = new ArrayDeque<>();
    private final Deque<Integer> freeIds = new ArrayDeque<>();
    private int made;
    /** The buffers by id. Written under this, copied when it grows. */
    private volatile MessageBuffer[] all = new MessageBuffer[KEPT];

    /** @param capacity of each buffer, bytes */
    MessageBuffers(int capacity) {
        this.capacity = capacity;
    }

    int capacity() {
        return capacity;
    }

    /**
     * @return an empty buffer
     * @throws OutOfMemoryError if the JVM's limit of memory outside of the heap allows no more
     */
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

    /** Takes back a buffer that is not used any more. */
    synchronized void give(MessageBuffer it) {
        it.sender = null;
        if (unused.size() < KEPT) {
            unused.push(it);
        } else {
            all[it.id] = null;
            freeIds.push(it.id);
        }
    }

    /** The buffer of the request with this context. */
    MessageBuffer of(long context) {
        return all[(int) context];
    }

    /** How many buffers are taken and not given back. */
    synchronized int inUse() {
        return made - freeIds.size() - unused.size();
    }
}
