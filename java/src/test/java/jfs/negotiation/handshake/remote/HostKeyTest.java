package jfs.negotiation.handshake.remote;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostKeyTest {

    @TempDir
    Path folder;

    private Path file(int bytes, String permissions) throws Exception {
        Path file = folder.resolve("key");
        Files.write(file, new byte[bytes]);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-------", "r--------", "rwx------"})
    void aKeyOfItsOwnersAlone(String permissions) throws Exception {
        assertEquals(HostKey.PROOF_BYTES, HostKey.read(file(32, permissions)).proof(new byte[1]).length);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rw-----w-", "rw---x---"})
    void aKeyOfOthers(String permissions) throws Exception {
        refused(file(32, permissions), "others than its owner may use it");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 31, 4097})
    void aKeyOfAnotherSize(int bytes) throws Exception {
        refused(file(bytes, "rw-------"), "it has " + bytes + " bytes");
    }

    /** Root can read such a file. */
    @Test
    void aKeyFileWithoutPermissionsIsRefused() throws Exception {
        file(31, "---------");
        refused(folder.resolve("key"), Files.isReadable(folder.resolve("key")) ? "it has 31 bytes" : "");
    }

    @Test
    void aMissingKeyFileIsRefused() throws Exception {
        refused(folder.resolve("none"), "it does not exist");
    }

    private static void refused(Path file, String why) {
        String said = assertThrows(IllegalArgumentException.class, () -> HostKey.read(file)).getMessage();
        assertTrue(said.startsWith("jfs: bad setting jfs.hosts.key=" + file + " (" + why), said);
        assertTrue(said.contains("; allowed is a file of 32 to 4096 random bytes"), said);
        assertEquals(1, said.lines().count(), said);
    }

    /** Test case 2 of RFC 4231, in two parts. */
    @Test
    void aProofIsAnHmac() {
        HostKey key = new HostKey("Jefe".getBytes(StandardCharsets.US_ASCII));
        assertArrayEquals(HexFormat.of().parseHex("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
                key.proof("what do ya want ".getBytes(StandardCharsets.US_ASCII),
                        "for nothing?".getBytes(StandardCharsets.US_ASCII)));
    }
}
