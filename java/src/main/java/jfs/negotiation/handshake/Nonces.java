package jfs.negotiation.handshake;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import jfs.nativelib.Posix;

/** Random numbers that no other process can guess. Needs the native library. */
public final class Nonces {

    private Nonces() {
    }

    public static long next() {
        return ByteBuffer.wrap(bytes(Long.BYTES)).getLong();
    }

    /** The bytes are the kernel's: {@link SecureRandom} would take 10 to 45 ms to start, at the first connection of a young program. */
    public static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        if (Posix.random(bytes) != count) { // the kernel has no getrandom, or no random bytes yet, or a filter of system calls refuses it
            new SecureRandom().nextBytes(bytes);
        }
        return bytes;
    }
}
