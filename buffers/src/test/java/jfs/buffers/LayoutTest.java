package jfs.buffers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Layouts by example: those of the pages, the borders of what is allowed, and what is said of the rest. */
class LayoutTest {

    private static final ArrayLayout<int[]> ONE = Layout.of(BasicType.INT);

    /** The elements 0, 1, 2 and so on as the layout packs them. */
    private static int[] packed(ArrayLayout<int[]> layout, int offset, int count) {
        int[] from = IntStream.range(0, 100).toArray();
        ByteBuffer region = ByteBuffer.allocate((int) layout.bytes() * count);
        layout.pack(from, offset, count, region);
        int[] packed = new int[layout.size() * count];
        region.flip().asIntBuffer().get(packed);
        return packed;
    }

    @Test
    void theExamplesOfTheJavadoc() {
        assertArrayEquals(new int[] {0, 1, 2}, packed(ONE.contiguous(3), 0, 1));
        assertArrayEquals(new int[] {0, 1, 4, 5, 8, 9}, packed(ONE.vector(3, 2, 4), 0, 1));
        assertArrayEquals(new int[] {1, 2, 5}, packed(ONE.indexed(new int[] {2, 1}, new int[] {1, 5}), 0, 1));
    }

    @Test
    void columnsOfAMatrix() {
        ArrayLayout<int[]> column = ONE.vector(10, 1, 10);
        assertEquals(91, column.extent());
        assertArrayEquals(new int[] {3, 13, 23, 33, 43, 53, 63, 73, 83, 93}, packed(column, 3, 1));
        int[] two = packed(column.resized(0, 1), 3, 2);
        assertArrayEquals(new int[] {3, 13, 23, 33, 43, 53, 63, 73, 83, 93, 4, 14, 24, 34, 44, 54, 64, 74, 84, 94}, two);
    }

    @Test
    void aVectorOfVectorsIsABlockOfABlock() {
        ArrayLayout<int[]> inner = ONE.vector(2, 1, 3); // 0 and 3, extent 4
        assertArrayEquals(new int[] {0, 3, 20, 23}, packed(inner.vector(2, 1, 5), 0, 1));
    }

    @Test
    void negativeDistances() {
        ArrayLayout<int[]> backwards = ONE.vector(4, 1, -1);
        assertEquals(-3, backwards.lowerBound());
        assertEquals(1, backwards.upperBound());
        assertArrayEquals(new int[] {9, 8, 7, 6}, packed(backwards, 9, 1));
        assertArrayEquals(new int[] {9, 8, 7, 6, 13, 12, 11, 10}, packed(backwards, 9, 2)); // the next item one extent further
        assertThrows(IndexOutOfBoundsException.class, () -> packed(backwards, 2, 1));
    }

    @Test
    void ofOverlappingElementsTheLastOneStays() {
        ArrayLayout<int[]> same = ONE.vector(3, 1, 0);
        assertArrayEquals(new int[] {5, 5, 5}, packed(same, 5, 1));
        ByteBuffer region = ByteBuffer.allocate(12).putInt(1).putInt(2).putInt(3).flip();
        int[] into = new int[1];
        same.unpack(region, into, 0, 1);
        assertEquals(3, into[0]);
    }

    @Test
    void nothingHasNoElementsAndNoExtent() {
        for (ArrayLayout<int[]> nothing : List.of(ONE.contiguous(0), ONE.vector(0, 3, 5), ONE.vector(3, 0, 5),
                ONE.indexed(new int[0], new int[0]), ONE.indexed(new int[] {0}, new int[] {7}))) {
            assertEquals(0, nothing.size());
            assertEquals(0, nothing.extent());
            assertEquals(0, packed(nothing, 0, 3).length);
            assertEquals(0, packed(nothing.contiguous(5), 100, 1).length);
        }
        assertEquals(0, packed(ONE, 0, 0).length);
        assertThrows(IndexOutOfBoundsException.class, () -> packed(ONE.contiguous(0), 101, 1));
    }

    @Test
    void blocksThatTouchAreOneRun() {
        assertEquals(1, ONE.vector(1000, 3, 3).runs().count());
        assertEquals(1, ONE.contiguous(Integer.MAX_VALUE).runs().count());
        assertEquals(1, ONE.vector(10, 2, 2).contiguous(7).runs().count());
        assertEquals(2, ONE.indexed(new int[] {1, 2, 4}, new int[] {0, 1, 4}).runs().count());
        assertEquals(2, ONE.indexed(new int[] {1, 1}, new int[] {1, 0}).runs().count()); // the order is kept
    }

    private static void refused(String text, Runnable call) {
        assertEquals(text, assertThrows(RuntimeException.class, call::run).getMessage());
    }

    @Test
    void whatIsRefusedHasItsNameItsValueAndWhatIsAllowed() {
        refused("count is -1; allowed is 0 and more", () -> ONE.contiguous(-1));
        refused("count is -2; allowed is 0 and more", () -> ONE.vector(-2, 1, 1));
        refused("blockLength is -1; allowed is 0 and more", () -> ONE.vector(2, -1, 1));
        refused("blockLengths[1] is -3; allowed is 0 and more", () -> ONE.indexed(new int[] {1, -3}, new int[2]));
        refused("blockLengths has 1 numbers and displacements has 2; allowed is the same number",
                () -> ONE.indexed(new int[1], new int[2]));
        refused("extent is -1; allowed is 0 and more", () -> ONE.resized(0, -1));
        refused("lowerBound is 2 and extent is 2147483647; allowed is a sum up to 2147483647", () -> ONE.resized(2, Integer.MAX_VALUE));
        refused("the element type is object; allowed are the primitive types", () -> Layout.of(BasicType.OBJECT));
        refused("there are 1 types and blockLengths has 2 numbers; allowed is the same number",
                () -> Layout.struct(new int[2], new int[2], ONE));
        refused("the elements lie from the index 98 to 100 of from; allowed is 0 to 99", () -> packed(ONE.contiguous(3), 98, 1));
        refused("offset is 101; allowed is 0 to 100, the length of the array from", () -> packed(ONE, 101, 0));
        refused("count is -1; allowed is 0 and more", () -> ONE.pack(new int[1], 0, -1, ByteBuffer.allocate(9)));
        refused("the elements need 8 bytes; the buffer has room for 7", () -> ONE.pack(new int[2], 0, 2, ByteBuffer.allocate(7)));
        refused("the elements need 8 bytes; the buffer has 7", () -> ONE.unpack(ByteBuffer.allocate(7), new int[2], 0, 2));
    }

    @Test
    void layoutsThatAreTooLargeAreRefused() {
        int max = Integer.MAX_VALUE;
        for (Runnable call : new Runnable[] {() -> ONE.contiguous(max).contiguous(2), () -> ONE.vector(3, 1, max),
            () -> ONE.resized(0, max).vector(2, 1, max), () -> ONE.resized(0, max).contiguous(max),
            () -> ONE.contiguous(0).resized(0, max).contiguous(3), () -> ONE.contiguous(0).resized(0, max).vector(2, max, max),
            () -> ONE.indexed(new int[] {1, 1}, new int[] {-2_000_000_000, 2_000_000_000}),
            () -> Layout.struct(new int[] {1}, new int[] {0}, Layout.of(BasicType.LONG).contiguous(max)),
            () -> Layout.struct(new int[] {1, 1}, new int[] {0, max}, Layout.of(BasicType.LONG), Layout.of(BasicType.LONG)),
            () -> Layout.struct(new int[] {max, max}, new int[2], Layout.of(BasicType.BYTE), Layout.of(BasicType.BOOLEAN))}) {
            assertThrows(IllegalArgumentException.class, call::run);
        }
        assertThrows(IllegalArgumentException.class,
                () -> ONE.vector(1 << 20, 1, 0).pack(new int[1 << 12], 0, 1 << 12, ByteBuffer.allocate(0)));
    }

    @Test
    void aReadOnlyBufferIsRefused() {
        ByteBuffer region = ByteBuffer.allocate(8).asReadOnlyBuffer();
        assertThrows(ReadOnlyBufferException.class, () -> ONE.pack(new int[2], 0, 2, region));
        assertEquals(0, region.position());
    }

    @Test
    void aStructHasNoPaddingBehindItsLastField() {
        StructLayout record = Layout.struct(new int[] {1, 2}, new int[] {0, 8}, ONE, Layout.of(BasicType.SHORT));
        assertEquals(12, record.extent());
        assertEquals(3, record.size());
        assertEquals(8, record.bytes());
        assertEquals(16, record.resized(0, 16).extent());
        assertEquals("struct of 1 int, 2 short, extent 12 bytes", record.toString());
    }

    /** Short blocks are copied otherwise than long ones, and each type by code of its own. */
    @Test
    void blocksOfEachLengthAndTypeAreCopied() {
        for (BasicType<?> type : Sample.TYPES) {
            for (int length = 1; length <= 6; length++) {
                for (int stride : new int[] {length + 1, -length - 2, 2}) {
                    blocksAreCopied(type, length, stride);
                }
            }
        }
    }

    private static <A> void blocksAreCopied(BasicType<A> type, int length, int stride) {
        int blocks = 5;
        int offset = stride > 0 ? 5 : 50;
        ArrayLayout<A> layout = Layout.of(type).vector(blocks, length, stride);
        A from = Sample.random(type, 60, 1);
        A into = Sample.random(type, 60, 2);
        List<Long> expected = new ArrayList<>(Sample.bits(into));
        List<Long> packed = new ArrayList<>();
        for (int block = 0; block < blocks; block++) {
            for (int i = 0; i < length; i++) {
                int at = offset + block * stride + i;
                packed.add(Sample.bits(from, at));
                expected.set(at, Sample.bits(from, at));
            }
        }
        ByteBuffer buffer = ByteBuffer.allocate((int) layout.bytes());
        layout.pack(from, offset, 1, buffer);
        List<Long> seen = new ArrayList<>();
        for (int i = 0; i < blocks * length; i++) {
            seen.add(Sample.bits(type, buffer, i * type.bytes()));
        }
        assertEquals(packed, seen, layout::toString);
        layout.unpack(buffer.flip(), into, offset, 1);
        assertEquals(expected, Sample.bits(into), layout::toString);
    }
}
