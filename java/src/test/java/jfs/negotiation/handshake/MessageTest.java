package jfs.negotiation.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import jfs.stat.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The parts of the messages that are the same in every version. */
class MessageTest {

    private static final String NONCE_AND_TUPLE = "0123456789abcdef" + "11".repeat(Tuple.BYTES);

    private static ByteBuffer bytes(String hex) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    }

    /** An offer of a version that this build does not speak still tells its connection, and the older versions that would be offered. */
    @ParameterizedTest
    @CsvSource({
        "01, 01, 1, 1, true,  036d7978aabb",
        "02, 10, 1, 2, false, 036d7978",
        "04, 30, 1, 4, false, whatever",
        "04, 1f, 3, 4, true,  whatever",
        "ff, f0, 240, 255, false, whatever",
    })
    void anOffer(String version, String flags, int oldest, int newest, boolean early, String rest) {
        String end = rest.equals("whatever") ? "" : rest;
        Message.Offer offer = Message.Offer.decode(bytes("4a465331" + version + "01" + flags + NONCE_AND_TUPLE + end));
        assertEquals(new Versions(oldest, newest), offer.versions());
        assertEquals(early, offer.early());
        assertEquals(0x0123456789abcdefL, offer.nonce());
        assertEquals(Tuple.read(bytes("11".repeat(Tuple.BYTES))), offer.tuple());
        assertEquals(newest <= Versions.OURS.newest() ? "myx" : "", offer.transport());
    }

    @ParameterizedTest
    @CsvSource({
        "of version 0,                  4a465331000100",
        "of versions from 0 on,         4a465331010110",
        "of versions before 0,          4a465331020130",
        "which is an answer,            4a465331020210",
        "with another magic,            4a465332020110",
    })
    void noOffer(String what, String start) {
        assertNull(Message.Offer.decode(bytes(start + NONCE_AND_TUPLE + "036d7978")), what);
    }

    @Test
    void anOfferThatIsCutOff() {
        String offer = "4a465331020110" + NONCE_AND_TUPLE;
        for (int length = 0; length < offer.length(); length += 2) {
            assertNull(Message.Offer.decode(bytes(offer.substring(0, length))), length / 2 + " bytes");
        }
    }

    /** An offer with flags, and with bytes at its end, that this build does not know. */
    @Test
    void anOfferThatSaysMore() {
        Message.Offer offer = Message.Offer.decode(bytes("4a46533101010e" + NONCE_AND_TUPLE + "03736369" + "77".repeat(99)));
        assertEquals("sci", offer.transport());
        assertEquals(99, offer.description().remaining());
    }

    @Test
    void encodedAndDecoded() {
        Tuple tuple = Tuple.read(bytes("42".repeat(Tuple.BYTES)));
        Message.Offer offer = new Message.Offer(Versions.OURS, true, 7, tuple, "sci", bytes("0102"));
        assertEquals(offer, Message.Offer.decode(offer.encode()));
    }

    /** An answer has the version of the offer that it answers. */
    @ParameterizedTest
    @CsvSource({
        "1, 4a46533101020056, true",
        "2, 4a46533102020056, true",
        "2, 4a46533101020056, false",
        "1, 4a46533102020056, false",
        "1, 4a465331010201,   true",
        "2, 4a465331010201,   false",
        "2, 4a465331010202,   true", // a process that declines may not speak the offer's version
        "2, 4a465331000202,   true",
        "1, 4a465331010203,   true",
        "2, 4a465331010203,   false", // only a process that speaks the offer's version can say that the offer is stale
        "1, 4a465331010204,   false",
        "1, 4a465331010102,   false",
        "1, 4a4653310102,     false",
    })
    void anAnswer(int offered, String answer, boolean isOne) {
        assertEquals(isOne, Message.Answer.decode(offered, bytes(answer)) != null);
    }

    @ParameterizedTest
    @CsvSource({
        "2, 4241445f4d455353414745, BAD_MESSAGE, 1, 1", // the first builds
        "1, 4241445f4d455353414745, BAD_MESSAGE, 0, 0",
        "2, 56455253494f4e000101,   VERSION,     1, 1",
        "2, 56455253494f4e0003ff,   VERSION,     3, 255",
        "2, 56455253494f4e00030405, VERSION,     3, 4", // a byte more than this build knows
        "2, 56455253494f4e000403,   VERSION,     0, 0",
        "2, 56455253494f4e000001,   VERSION,     0, 0",
        "2, 56455253494f4e0001,     VERSION,     0, 0",
        "2, 56455253494f4e,         VERSION,     0, 0",
        "2, 52554c45000101,         RULE,        0, 0",
        "2, 4e4f42000101,           DECLINED,    0, 0",
    })
    void declined(int offered, String body, Reason reason, int oldest, int newest) {
        Message.Answer answer = Message.Answer.decode(offered, bytes("4a465331010202" + body));
        assertEquals(reason, answer.reason());
        assertEquals(oldest == 0 ? null : new Versions(oldest, newest), answer.spoken(offered));
    }

    @Test
    void declinedByThisBuild() {
        Message.Answer answer = Message.Answer.decode(9, Message.Answer.otherVersion().encode(9));
        assertEquals(Reason.VERSION, answer.reason());
        assertEquals(Versions.OURS, answer.spoken(9));
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1, 1, 1", "1, 2, 1, 1, 1", "1, 3, 2, 5, 3", "2, 5, 1, 3, 3", "1, 4, 2, 3, 3", "1, 1, 2, 3, 0",
            "2, 3, 1, 1, 0"})
    void theNewestOfBoth(int oldest, int newest, int othersOldest, int othersNewest, int both) {
        assertEquals(both, new Versions(oldest, newest).newestIn(new Versions(othersOldest, othersNewest)));
    }
}
