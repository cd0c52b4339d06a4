package netpipe;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The memory that messages are sent from and received into. By default all messages use one place, which stays in the
 * cache. Without cache effects there are two large areas, and every message uses the next part of them.
 */
final class Buffers {

    /** Bytes. It was larger than the caches when NetPIPE chose it. It is kept so that both ends go through their areas alike. */
    private static final int AREA = 10_000_000;
    private static final int ALIGNMENT = 16 * 1024;
    /** The check is of integers in the native byte order, as NPtcp's. So ends of different byte orders cannot check each other. */
    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final boolean cached;
    private final int sendOffset;
    private final int receiveOffset;
    private final int[] flusher;

    byte[] sendArea;
    byte[] receiveArea;
    int sendAt;
    int receiveAt;
    int length;
    private int stride;
    private int flushDelta = 1;

    Buffers(boolean cached, int sendOffset, int receiveOffset) {
        this.cached = cached;
        this.sendOffset = sendOffset;
        this.receiveOffset = receiveOffset;
        flusher = cached ? null : new int[AREA / Integer.BYTES];
    }

    /** Prepares for messages of {@code length} bytes. */
    void resize(int length) {
        this.length = length;
        stride = length + ALIGNMENT - length % ALIGNMENT;
        if (cached) {
            receiveArea = filled(length + Math.max(sendOffset, receiveOffset), 'a');
            sendArea = receiveArea;
        } else if (sendArea == null || length > AREA) {
            receiveArea = filled(Math.max(length, AREA) + receiveOffset, 'a');
            sendArea = filled(Math.max(length, AREA) + sendOffset, 'b');
        }
        sendAt = sendOffset;
        receiveAt = receiveOffset;
    }

    /** An area whose pages have all been touched. */
    private static byte[] filled(int size, char content) {
        byte[] area = new byte[size];
        Arrays.fill(area, (byte) content);
        return area;
    }

    void advanceSend() {
        if (!cached) {
            sendAt = next(sendAt, sendOffset);
        }
    }

    void advanceReceive() {
        if (!cached) {
            receiveAt = next(receiveAt, receiveOffset);
        }
    }

    private int next(int at, int start) {
        return at - start + 2L * stride < AREA ? at + stride : start;
    }

    /** Displaces what the caches hold of the areas, unless cache effects are wanted. */
    void flushCache() {
        if (!cached) {
            for (int i = 0; i < flusher.length; i++) {
                flusher[i] += flushDelta;
            }
            flushDelta = -flushDelta;
        }
    }

    /** Writes the message that {@link #verify} expects: the integers 0, 1, 2, ... */
    void fill() {
        for (int i = 0; i < length / Integer.BYTES; i++) {
            INTS.set(sendArea, sendAt + i * Integer.BYTES, i);
        }
    }

    /** Overwrites the place of the next message, so that bytes of an earlier message there cannot be taken for it. */
    void wipe() {
        Arrays.fill(receiveArea, receiveAt, receiveAt + length, (byte) 0xff);
    }

    void verify() throws IntegrityException {
        for (int i = 0; i < length / Integer.BYTES; i++) {
            int received = (int) INTS.get(receiveArea, receiveAt + i * Integer.BYTES);
            if (received != i) {
                throw new IntegrityException(i, received);
            }
        }
    }
}
