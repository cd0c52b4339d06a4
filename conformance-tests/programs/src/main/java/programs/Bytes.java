package programs;

import java.util.Random;
import java.util.zip.CRC32;

/** Reproducible contents: the same seed and length give the same bytes. */
public final class Bytes {

    private Bytes() {
    }

    public static byte[] of(int seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    /** The length and the CRC-32 checksum of these bytes. */
    public static String digest(byte[] bytes) {
        CRC32 checksum = new CRC32();
        checksum.update(bytes);
        return bytes.length + " bytes, CRC " + Long.toHexString(checksum.getValue());
    }
}
