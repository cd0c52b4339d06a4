package jfs.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is no message is refused with an exception that says what is wrong, and takes no more memory than the receiver allows. */
class MalformedMessageTest {

    private static final int MOST = 4096;

    /** Sections at 16 (three ints), 40 (two objects) and 56 (one long), then the objects. */
    private static byte[] valid() {
        try (PackedMessage message = PackedMessage.allocate(MOST).order(ByteOrder.BIG_ENDIAN)) {
            message.writer().write(new int[] {1, 2, 3}, 0, 3);
            message.writer().write(new Object[] {"one", new long[] {2}}, 0, 2);
            message.order(ByteOrder.LITTLE_ENDIAN).writer().write(new long[] {4}, 0, 1);
            message.commit();
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            message.writeTo(out);
            return out.toByteArray();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** @param value in as many bytes as it needs */
    record Wrong(int at, int bytes, int value, String text) {
    }

    static Wrong[] wrongs() {
        byte[] valid = valid();
        int dynamic = ByteBuffer.wrap(valid).getInt(MessageFormat.DYNAMIC);
        int all = valid.length;
        return new Wrong[] {
            new Wrong(0, 1, 0x4B, "a message begins with 4b4d0100; allowed is 4a4d0100"),
            new Wrong(2, 1, 2, "a message begins with 4a4d0200; allowed is 4a4d0100"),
            new Wrong(3, 1, 1, "a message begins with 4a4d0101; allowed is 4a4d0100"),
            new Wrong(4, 4, -8, "STATIC is -8; allowed is 0 and more, multiples of 8"),
            new Wrong(4, 4, 55, "STATIC is 55; allowed is 0 and more, multiples of 8"),
            new Wrong(4, 4, 0x7FFFFFF8, "the message has " + (16 + 0x7FFFFFF8L + dynamic) + " bytes; this receiver allows 4096"),
            new Wrong(8, 4, -1, "DYNAMIC is -1; allowed is 0 and more"),
            new Wrong(8, 4, Integer.MAX_VALUE, "the message has 2147483719 bytes; this receiver allows 4096"),
            new Wrong(8, 4, MOST - 72 + 1, "the message has 4097 bytes; this receiver allows 4096"),
            new Wrong(8, 4, dynamic - 1, "LENGTH of section 1 is " + dynamic + "; allowed is 4 to " + (dynamic - 1)),
            new Wrong(12, 4, 4, "SECTIONS is 4; allowed is 3, since the message has that many"),
            new Wrong(12, 4, -1, "SECTIONS is -1; allowed is 3, since the message has that many"),
            new Wrong(16, 1, 0, "TYPE of section 0 is 0; allowed is 1 to 9"),
            new Wrong(16, 1, 10, "TYPE of section 0 is 10; allowed is 1 to 9"),
            new Wrong(16, 1, -1, "TYPE of section 0 is -1; allowed is 1 to 9"),
            new Wrong(17, 1, 2, "ORDER of section 0 is 2; allowed is 0 and 1"),
            new Wrong(17, 1, -128, "ORDER of section 0 is -128; allowed is 0 and 1"),
            new Wrong(19, 1, 1, "the short at 2 of section 0 is 1; allowed is 0"),
            new Wrong(20, 4, -1,
                    "COUNT of section 0 is -1; allowed is as many elements of the type int as the 48 bytes up to the message's end"
                    + " have room for"),
            new Wrong(20, 4, 13,
                    "COUNT of section 0 is 13; allowed is as many elements of the type int as the 48 bytes up to the message's end"
                    + " have room for"),
            new Wrong(20, 4, Integer.MAX_VALUE,
                    "COUNT of section 0 is 2147483647; allowed is as many elements of the type int as the 48 bytes up"
                    + " to the message's end have room for"),
            new Wrong(44, 4, -1,
                    "COUNT of section 1 is -1; allowed is as many elements of the type object as the 24 bytes up to the message's"
                    + " end have room for"),
            new Wrong(44, 4, Integer.MAX_VALUE,
                    "COUNT of section 1 is 2147483647; allowed is 0 to " + (dynamic - 4) + ", since LENGTH is " + dynamic),
            new Wrong(44, 4, dynamic - 3,
                    "COUNT of section 1 is " + (dynamic - 3) + "; allowed is 0 to " + (dynamic - 4) + ", since LENGTH is "
                    + dynamic),
            new Wrong(48, 4, 3, "LENGTH of section 1 is 3; allowed is 4 to " + dynamic),
            new Wrong(48, 4, -1, "LENGTH of section 1 is -1; allowed is 4 to " + dynamic),
            new Wrong(48, 4, dynamic - 1,
                    "DYNAMIC is " + dynamic + "; allowed is " + (dynamic - 1) + ", the sum of the LENGTHs of all sections"),
            new Wrong(4, 4, 64, "the stream has ended after " + all + " of at least " + (all + 8) + " bytes of a message"),
        };
    }

    @ParameterizedTest
    @MethodSource("wrongs")
    void aWrongFieldIsNamed(Wrong wrong) throws IOException {
        byte[] bytes = valid();
        if (wrong.bytes == 1) {
            bytes[wrong.at] = (byte) wrong.value;
        } else {
            ByteBuffer.wrap(bytes).putInt(wrong.at, wrong.value);
        }
        TestPool pool = new TestPool();
        try (PackedMessage message = PackedMessage.allocate(16, MOST, pool)) {
            IOException e = assertThrows(IOException.class, () -> message.readFrom(new ByteArrayInputStream(bytes)));
            assertEquals(wrong.text, e.getMessage());
            assertEquals(wrong.text.startsWith("the stream has ended") ? EOFException.class : MalformedMessageException.class,
                    e.getClass());
            assertTrue(pool.bytesAtMost <= MOST);
            assertEquals(16, message.bytes()); // cleared
            assertTrue(message.readFrom(new ByteArrayInputStream(valid())));
        }
        assertEquals(0, pool.pieces);
    }

    @Test
    void aMessageThatEndsEarlyIsNone() throws IOException {
        byte[] valid = valid();
        try (PackedMessage message = PackedMessage.allocate(MOST)) {
            assertFalse(message.readFrom(new ByteArrayInputStream(new byte[0])));
            for (int length = 1; length < valid.length; length++) {
                var in = new ByteArrayInputStream(valid, 0, length);
                String text = assertThrows(EOFException.class, () -> message.readFrom(in)).getMessage();
                int all = length < 16 ? 16 : valid.length;
                assertEquals("the stream has ended after " + length + " of at least " + all + " bytes of a message", text);
            }
            assertTrue(message.readFrom(new ByteArrayInputStream(valid)));
        }
    }

    /** Announces much and sends nothing of it. */
    @Test
    void memoryForObjectsIsTakenAsTheyCome() throws IOException {
        ByteBuffer prefix = ByteBuffer.allocate(16);
        MessageFormat.putPrefix(prefix, 0, Integer.MAX_VALUE - 1000, 0);
        try (PackedMessage message = PackedMessage.allocate(16, Integer.MAX_VALUE - 7, new TestPool())) {
            assertThrows(EOFException.class, () -> message.readFrom(new ByteArrayInputStream(prefix.array()))); // no OutOfMemoryError
        }
    }

    @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
    void changedBytesAreReadOrRefused(@ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int changes) {
        byte[] bytes = valid();
        Random random = new Random(seed);
        for (int i = 0; i < changes; i++) {
            bytes[random.nextInt(bytes.length)] = random.nextBoolean() ? (byte) random.nextInt() : (byte) (random.nextInt(12) - 2);
        }
        readAll(bytes);
    }

    @Property(tries = 400)
    void arbitraryBytesAreReadOrRefused(@ForAll byte[] bytes, @ForAll boolean withPrefix) {
        byte[] message = bytes;
        if (withPrefix) {
            int length = bytes.length / 8 * 8;
            ByteBuffer buffer = ByteBuffer.allocate(16 + length);
            MessageFormat.putPrefix(buffer, length, 0, 1);
            message = buffer.put(16, bytes, 0, length).array();
        }
        readAll(message);
    }

    /** Reads all there is. Only the exceptions that are documented may come. */
    private static void readAll(byte[] bytes) {
        try (PackedMessage message = PackedMessage.allocate(MOST)) {
            if (!message.readFrom(new ByteArrayInputStream(bytes))) {
                assertEquals(0, bytes.length);
                return;
            }
            SectionReader reader = message.reader();
            for (int sections = message.sections(); sections > 0; sections--) {
                readSection(reader);
            }
            assertEquals(null, reader.nextType());
        } catch (MalformedMessageException | EOFException e) {
            assertFalse(e.getMessage().isEmpty());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void readSection(SectionReader reader) {
        int count = reader.nextCount();
        assertTrue(count <= MOST);
        if (reader.nextType() == BasicType.OBJECT) {
            try {
                reader.read(new Object[count], 0, count);
            } catch (MalformedMessageException e) {
                reader.skip();
            }
        } else {
            scatter(reader, reader.nextType(), count);
        }
    }

    private static <A> void scatter(SectionReader reader, BasicType<A> type, int count) {
        reader.scatter(type, Sample.array(type, count), IntStream.range(0, count).toArray(), 0, count);
    }
}
