package jfs.nativelib;

import static jfs.nativelib.NativeCalls.EINVAL;
import static jfs.nativelib.NativeCalls.is;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import jfs.nativelib.NativeCalls.Call;

/** Calls of each native method of {@link Words}. */
final class WordsMethods {

    private WordsMethods() {
    }

    /** The calls, by the name of the method that each of them is about. */
    static Map<String, Call> calls() {
        Map<String, Call> calls = new HashMap<>();
        calls.put("Words.awaitChange", WordsMethods::awaitChange);
        calls.put("Words.yieldCore", Words::yieldCore);
        calls.put("Words.othersNanos", () -> is(true, Words.othersNanos() > 0));
        return calls;
    }

    private static void awaitChange() {
        ByteBuffer memory = ByteBuffer.allocateDirect(32).order(ByteOrder.nativeOrder()).putLong(8, -5).putInt(28, 7);
        is((long) Words.CHANGED, Words.awaitChange(memory, 8, 5, 28, 7, 0, 0, Long.MAX_VALUE));
        is((long) Words.CHANGED, Words.awaitChange(memory, 8, -5, 28, 8, Long.MAX_VALUE, 0, Long.MAX_VALUE));
        is(0L, Words.awaitChange(memory, 8, -5, 28, 7, 100_000, Long.MAX_VALUE, Long.MAX_VALUE)); // does not yield the core
        is(0L, Words.awaitChange(memory, 8, -5, 28, 7, -1, Long.MAX_VALUE, Long.MAX_VALUE));
        long often = Words.awaitChange(memory, 8, -5, 28, 7, 100_000_000, 0, Long.MAX_VALUE);
        is(true, often >> Words.AWAY_SHIFT > 0 && (often & Words.CHANGED) == 0);
        long lost = Words.awaitChange(memory, 8, -5, 28, 7, Long.MAX_VALUE, 0, 1); // ends, since every offer takes longer
        is(true, lost >> Words.AWAY_SHIFT > 1 && (lost & Words.CHANGED) == 0);
        long taken = Words.awaitChange(memory, 8, 5, 28, 7, Long.MAX_VALUE, Long.MAX_VALUE, 0); // time passes between two looks
        is(true, taken >> Words.AWAY_SHIFT > 0 && (taken & Words.CHANGED) != 0);
        for (int offset : new int[] {-8, 4, 9, 25, 32, Integer.MAX_VALUE}) { // outside, or not aligned
            is((long) -EINVAL, Words.awaitChange(memory, offset, 0, 28, 0, 0, 0, 0));
        }
        for (int offset : new int[] {-4, 1, 30, 32, Integer.MAX_VALUE}) {
            is((long) -EINVAL, Words.awaitChange(memory, 8, 0, offset, 0, 0, 0, 0));
        }
        is((long) -EINVAL, Words.awaitChange(ByteBuffer.allocate(32), 8, 0, 28, 0, 0, 0, 0));
    }
}
