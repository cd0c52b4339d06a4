package jfs.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Copies of every short length, from and to every offset. Short copies are made by words, which overlap. */
class SharedTest {

    private static final int SIZE = 64;
    private static final int LONGEST = 24;

    private final Random random = new Random(1);
    private final ByteBuffer memory = ByteBuffer.allocateDirect(2 * SIZE);
    /** Lies between bytes that are not to change. */
    private final Shared window = new Shared(memory, SIZE / 2, SIZE);

    @Test
    void copiesJustWhatIsAsked() {
        for (int length = 0; length <= LONGEST; length++) {
            for (int offset = 0; offset + length <= SIZE; offset++) {
                byte[] before = scramble();
                byte[] array = bytes(LONGEST + 3);
                byte[] expected = before.clone();
                System.arraycopy(array, 3, expected, SIZE / 2 + offset, length);
                window.put(offset, array, 3, length);
                assertArrayEquals(expected, contents(), length + " bytes to " + offset);

                byte[] into = bytes(LONGEST + 6);
                byte[] received = into.clone();
                System.arraycopy(expected, SIZE / 2 + offset, received, 5, length);
                window.get(offset, into, 5, length);
                assertArrayEquals(received, into, length + " bytes from " + offset);
            }
        }
    }

    @Test
    void reachesNothingElse() {
        byte[] before = scramble();
        for (int length = 1; length <= LONGEST; length++) {
            int bytes = length;
            byte[] array = bytes(LONGEST);
            assertThrows(IndexOutOfBoundsException.class, () -> window.put(SIZE - bytes + 1, array, 0, bytes));
            assertThrows(IndexOutOfBoundsException.class, () -> window.get(SIZE - bytes + 1, array, 0, bytes));
            assertThrows(IndexOutOfBoundsException.class, () -> window.put(-1, array, 0, bytes));
            assertThrows(IndexOutOfBoundsException.class, () -> window.get(-1, array, 0, bytes));
            assertThrows(IndexOutOfBoundsException.class, () -> window.put(0, array, LONGEST - bytes + 1, bytes));
            assertThrows(IndexOutOfBoundsException.class, () -> window.get(0, array, LONGEST - bytes + 1, bytes));
        }
        assertArrayEquals(around(before), around(contents()));
    }

    /** What lies before and behind the window. */
    private static byte[] around(byte[] all) {
        byte[] rest = all.clone();
        Arrays.fill(rest, SIZE / 2, SIZE / 2 + SIZE, (byte) 0);
        return rest;
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private byte[] scramble() {
        byte[] bytes = bytes(memory.capacity());
        memory.put(0, bytes);
        return bytes;
    }

    private byte[] contents() {
        byte[] bytes = new byte[memory.capacity()];
        memory.get(0, bytes);
        return bytes;
    }
}
