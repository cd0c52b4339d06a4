package jfs.conformance.harness;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Streams of bytes that follow from a seed and the position, so that a lost, doubled or moved byte is detected. */
public final class Bytes {

    private Bytes() {
    }

    /** The bytes of the stream from this position on. */
    public static byte[] of(long seed, long position, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length;) {
            int within = (int) (position + i & 7);
            int end = Math.min(length, i + 8 - within);
            for (long eight = eightOf(seed, position + i) >>> (within << 3); i < end; i++) {
                bytes[i] = (byte) eight;
                eight >>>= 8;
            }
        }
        return bytes;
    }

    /** The group of eight bytes that contains this position, the first byte lowest. One mix computes all eight. */
    private static long eightOf(long seed, long position) {
        long mixed = (seed + (position >>> 3)) * 0x9e3779b97f4a7c15L;
        mixed ^= mixed >>> 29;
        return mixed * 0xbf58476d1ce4e5b9L;
    }

    /** Fails at the first byte that differs from the stream. */
    public static void check(long seed, long position, byte[] bytes, int length) {
        int wrong = Arrays.mismatch(bytes, 0, length, of(seed, position, length), 0, length);
        if (wrong >= 0) {
            throw new AssertionError("wrong byte at " + (position + wrong) + " of the stream with seed " + seed);
        }
    }

    /** Reads and checks this many bytes of the stream. */
    public static void expect(InputStream in, long seed, long position, int length) throws IOException {
        byte[] buffer = new byte[Math.min(length, 1 << 16)];
        for (int at = 0; at < length;) {
            int n = in.read(buffer, 0, Math.min(buffer.length, length - at));
            if (n < 0) {
                throw new EOFException("after " + at + " of " + length + " bytes");
            }
            check(seed, position + at, buffer, n);
            at += n;
        }
    }

    /** Reads and checks the stream to its end. Returns how many bytes came. */
    public static long expectToEnd(InputStream in, long seed) throws IOException {
        byte[] buffer = new byte[1 << 16];
        long at = 0;
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            check(seed, at, buffer, n);
            at += n;
        }
        if (in.read(buffer) != -1) {
            throw new AssertionError("the end does not stay");
        }
        return at;
    }
}
