package jfs.negotiation.handshake.remote;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.util.EnumSet;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The secret that the hosts of a cluster share: the bytes of the file that {@code jfs.hosts.key} names. Immutable. */
final class HostKey {

    static final int PROOF_BYTES = 32;
    /** A proof is worth as much as it takes to guess the key. Fewer bytes can't have 256 random bits. */
    private static final int BYTES_MIN = 32;
    private static final int BYTES_MAX = 4096;
    private static final String ALGORITHM = "HmacSHA256";
    private static final String FILE_IS = "; allowed is a file of " + BYTES_MIN + " to " + BYTES_MAX
            + " random bytes that only its owner may read or write, the same on all hosts: head -c 32 /dev/urandom > FILE;"
            + " chmod 600 FILE";

    /** The key of both ends where a rule says trusted. It is no secret, so its proofs only show whether a frame was damaged. */
    static final HostKey TRUSTED = new HostKey("trusted".getBytes(StandardCharsets.US_ASCII));

    private final SecretKeySpec secret;

    HostKey(byte[] secret) {
        this.secret = new SecretKeySpec(secret, ALGORITHM);
    }

    /** @throws IllegalArgumentException if the file can't be used; the message is one line, with the file's name and what is allowed */
    static HostKey read(Path file) {
        try {
            Set<PosixFilePermission> others = EnumSet.noneOf(PosixFilePermission.class);
            others.addAll(Files.getPosixFilePermissions(file));
            others.removeAll(EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE,
                    PosixFilePermission.OWNER_EXECUTE));
            if (!others.isEmpty()) {
                throw bad(file, " (others than its owner may use it: " + others + ")");
            }
            long size = Files.size(file);
            if (size < BYTES_MIN || size > BYTES_MAX) {
                throw bad(file, " (it has " + size + " bytes)");
            }
            return new HostKey(Files.readAllBytes(file));
        } catch (NoSuchFileException e) {
            throw bad(file, " (it does not exist)");
        } catch (IOException e) {
            throw bad(file, " (" + e.getMessage() + ")");
        }
    }

    private static IllegalArgumentException bad(Path file, String why) {
        return new IllegalArgumentException("jfs: bad setting jfs.hosts.key=" + file + why + FILE_IS);
    }

    /** @return HMAC-SHA256 (RFC 2104, FIPS 198-1) over all parts; the caller has to make the borders between them unambiguous */
    byte[] proof(byte[]... parts) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(secret);
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }
}
