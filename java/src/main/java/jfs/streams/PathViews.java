package jfs.streams;

import java.nio.ByteBuffer;
import jfs.memory.ElementViews;

/**
 * The views of the memory that a path shows. A ring is always the same memory. The messages of MX are many, which are used again and again:
 * views are kept for some of them, so that not each message makes garbage. Used under the lock of the direction.
 */
final class PathViews {

    /** A power of 2. */
    private static final int KEPT = 16;

    private ElementViews last;
    /** By the hash of the memory. Null as long as the path has shown one memory only. */
    private ElementViews[] kept;

    ElementViews of(ByteBuffer memory) {
        if (last == null) {
            last = new ElementViews(memory);
        } else if (last.memory() != memory) {
            last = another(memory);
        }
        return last;
    }

    private ElementViews another(ByteBuffer memory) {
        if (kept == null) {
            kept = new ElementViews[KEPT];
            kept[slot(last.memory())] = last;
        }
        int slot = slot(memory);
        if (kept[slot] == null || kept[slot].memory() != memory) {
            kept[slot] = new ElementViews(memory);
        }
        return kept[slot];
    }

    /** Not by the buffer's own hash, which is of its bytes. */
    private static int slot(ByteBuffer memory) {
        return System.identityHashCode(memory) & KEPT - 1;
    }
}
