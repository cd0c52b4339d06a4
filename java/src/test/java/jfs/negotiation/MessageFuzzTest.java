package jfs.negotiation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import jfs.config.Settings;
import jfs.stat.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Any input as a message, a file of rules or a setting is understood, or refused in the one way that its reader has to refuse
 * it. Set {@code test.seed} to repeat a failure.
 */
@Timeout(300)
class MessageFuzzTest {

    /** The JDKs of one run of the tests share the larger number. */
    private static final int ROUNDS =
            Boolean.getBoolean("test.all") ? 1_000_000 / Integer.getInteger("test.jdks", 1) : 20_000;

    private interface Attempt {
        void on(byte[] input, Random random) throws Exception;
    }

    /** Calls the attempt with changed versions of an example, one after the other. */
    private static void fuzz(byte[] example, Attempt attempt) {
        long first = Long.getLong("test.seed", System.nanoTime());
        for (long seed = first; seed < first + ROUNDS; seed++) {
            Random random = new Random(seed);
            byte[] input = changed(example, random);
            try {
                attempt.on(input, random);
            } catch (Exception | AssertionError e) {
                throw new AssertionError("-Dtest.seed=" + seed + ", input " + Arrays.toString(input), e);
            }
        }
    }

    private static byte[] changed(byte[] example, Random random) {
        byte[] input = switch (random.nextInt(4)) {
            case 0 -> Arrays.copyOf(example, random.nextInt(example.length + 1));
            case 1 -> Arrays.copyOf(example, example.length + random.nextInt(200));
            default -> example.clone();
        };
        for (int i = random.nextInt(6); i > 0 && input.length > 0; i--) {
            int at = random.nextInt(input.length);
            input[at] = switch (random.nextInt(4)) {
                case 0 -> (byte) random.nextInt();
                case 1 -> (byte) (input[at] ^ 1 << random.nextInt(8));
                case 2 -> input[random.nextInt(input.length)];
                default -> (byte) (random.nextBoolean() ? 0x7f : 0xff);
            };
        }
        return input;
    }

    private static Message.Offer offer() {
        return new Message.Offer(Versions.OURS, true, 42, Tuple.read(ByteBuffer.allocate(Tuple.BYTES)), "sci",
                ByteBuffer.allocate(20));
    }

    private static byte[] bytes(ByteBuffer message) {
        byte[] bytes = new byte[message.remaining()];
        message.get(bytes);
        return bytes;
    }

    @Test
    void offers() {
        int[] understood = {0};
        fuzz(bytes(offer().encode()), (input, random) -> {
            Message.Offer decoded = Message.Offer.decode(ByteBuffer.wrap(input));
            if (decoded != null) {
                understood[0]++;
                assertTrue(decoded.transport().length() <= 255 && decoded.description().remaining() <= input.length);
                decoded.tuple().reversed().remotePort();
                decoded.tuple().sameAddresses();
            }
        });
        assertTrue(understood[0] > ROUNDS / 20 && understood[0] < ROUNDS, "understood " + understood[0]);
    }

    @Test
    void answers() {
        int version = Versions.OURS.newest();
        fuzz(bytes(Message.Answer.declined(Reason.PEER_BUSY).encode(version)), (input, random) -> {
            Message.Answer decoded = Message.Answer.decode(version, ByteBuffer.wrap(input));
            if (decoded != null) {
                assertTrue(decoded.status() >= Message.JOINED && decoded.status() <= Message.STALE_OFFER);
                assertNotNull(decoded.reason());
                Versions spoken = decoded.spoken(version);
                assertTrue(spoken == null || spoken.oldest() <= spoken.newest());
            }
        });
        ByteBuffer busy = Message.Answer.declined(Reason.PEER_BUSY).encode(version);
        assertEquals(Reason.PEER_BUSY, Message.Answer.decode(version, busy).reason());
    }

    // Messages of HostMessage.

    @Test
    void greetings() {
        int[] understood = {0};
        byte[] nonce = new byte[HostMessage.NONCE_BYTES];
        fuzz(bytes(new HostMessage.Hello(HostMessage.VERSION, true, 80, nonce).encode()), (input, random) -> {
            HostMessage.Hello decoded = HostMessage.Hello.decode(ByteBuffer.wrap(input));
            if (decoded != null && decoded.version() == HostMessage.VERSION) {
                understood[0]++;
                assertTrue(decoded.port() >= 0 && decoded.port() <= 65535);
                assertEquals(HostMessage.NONCE_BYTES, decoded.nonce().length);
            }
        });
        assertTrue(understood[0] > ROUNDS / 20 && understood[0] < ROUNDS, "understood " + understood[0]);
    }

    @Test
    void refusals() {
        fuzz(bytes(HostMessage.refusal(Reason.WRONG_KEY)), (input, random) -> {
            boolean isChallenge = input.length > 0 && input[0] == 0;
            assertEquals(isChallenge, HostMessage.refusal(ByteBuffer.wrap(input)) == null);
        });
        assertEquals(Reason.WRONG_KEY, HostMessage.refusal(HostMessage.refusal(Reason.WRONG_KEY)));
    }

    /** What the peer claims to have received of a stream. Some bytes of the stream were sent. */
    @Test
    void beginnings() {
        Transcript transcript = new Transcript(new HostKey(new byte[32]), ByteBuffer.allocate(40));
        Opening sender = new Opening();
        sender.sending(new byte[100], 0, 100);
        Opening receiver = new Opening();
        receiver.received(new byte[90], 0, 90);
        ByteBuffer seen = ByteBuffer.allocate(100);
        HostMessage.put(seen, receiver.seen(transcript));
        byte[] example = bytes(seen.flip());
        fuzz(example, (input, random) -> {
            boolean same = input.length >= example.length && Arrays.equals(input, 0, example.length, example, 0, example.length);
            try {
                assertEquals(same, sender.isWhatWasSent(HostMessage.seen(ByteBuffer.wrap(input)), transcript));
            } catch (BufferUnderflowException e) { // for which the callers of HostMessage.seen are ready
                assertTrue(input.length < example.length);
            }
        });
    }

    @Test
    void rules() {
        String file = "connect 10.1.0.0/16 * mx # here\naccept fe80::1/64 5000-5999 sci\nconnect db.example 5432-* tcp\n";
        fuzz(file.getBytes(StandardCharsets.UTF_8), (input, random) -> {
            List<String> lines = new String(input, StandardCharsets.UTF_8).lines().toList();
            try {
                Rules rules = Rules.parse("rules", lines, host -> {
                    throw new UnknownHostException(host);
                });
                rules.connecting(InetAddress.getLoopbackAddress(), random.nextInt(65536));
                rules.accepting(InetAddress.getLoopbackAddress(), random.nextInt(65536));
            } catch (IllegalArgumentException e) {
                assertTrue(e.getMessage().startsWith("JFS: bad setting jfs.rules=rules, line "), e.getMessage());
            }
        });
    }

    @Test
    void settings() {
        List<String> names = List.of("jfs.transport", "jfs.poll.micros", "jfs.buffer.size", "jfs.upgrade.after",
                "jfs.sci.long.min", "jfs.allow.uids", "jfs.tcp", "jfs.install", "jfs.log");
        fuzz("12,sci,auto,4294967294 -1".getBytes(StandardCharsets.US_ASCII), (input, random) -> {
            Properties properties = new Properties();
            String name = names.get(random.nextInt(names.size()));
            properties.setProperty(name, new String(input, StandardCharsets.ISO_8859_1));
            try {
                Settings.read(properties, Map.of());
            } catch (IllegalArgumentException e) {
                assertTrue(e.getMessage().startsWith("JFS: bad setting " + name + "="), e.getMessage());
            }
        });
    }
}
