package jfs.negotiation;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import jfs.nativelib.Posix;

/** Numbers that nobody can guess. Needs the native library. */
final class Nonces {

    private Nonces() {
    }

    static long next() {
        return ByteBuffer.wrap(bytes(Long.BYTES)).getLong();
    }

    /** The kernel's, because {@link SecureRandom} takes 10 to 45 ms to start, at a young program's first connection. */
    static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        if (Posix.random(bytes) != count) { // a kernel that does not have it, or not yet, or a filter of system calls
            new SecureRandom().nextBytes(bytes);
        }
        return bytes;
    }
}
