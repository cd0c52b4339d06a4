package jfs.negotiation;

import java.security.SecureRandom;

/** Numbers that nobody can guess. Made at first use, on the negotiation's thread: that takes 10 ms. */
final class Nonces {

    private static final SecureRandom RANDOM = new SecureRandom();

    private Nonces() {
    }

    static long next() {
        return RANDOM.nextLong();
    }

    static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        RANDOM.nextBytes(bytes);
        return bytes;
    }
}
