package jfs.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Layouts of arrays do what their model says: the same elements in the same order, and never one outside of the array. */
class LayoutModelTest {

    @Provide
    Arbitrary<List<LayoutModel.Step>> steps() {
        return LayoutModel.steps();
    }

    @Provide
    Arbitrary<BasicType<?>> types() {
        return Arbitraries.of(Sample.TYPES);
    }

    private static ByteOrder order(boolean big) {
        return big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }

    @Property(tries = 500)
    void boundsAndSize(@ForAll("steps") List<LayoutModel.Step> steps) {
        LayoutModel model = LayoutModel.model(steps);
        ArrayLayout<int[]> layout = LayoutModel.layout(BasicType.INT, steps);
        assertEquals(List.of(model.offsets().size(), model.lower(), model.upper(), model.extent()),
                List.of(layout.size(), layout.lowerBound(), layout.upperBound(), layout.extent()));
        assertEquals(4L * layout.size(), layout.bytes());
    }

    @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
    void packsTheElementsOfTheModelAndUnpacksThem(@ForAll("types") BasicType<?> type, @ForAll("steps") List<LayoutModel.Step> steps,
            @ForAll @IntRange(min = -30, max = 90) int offset, @ForAll @IntRange(max = 4) int count,
                    @ForAll @IntRange(max = 120) int length,
            @ForAll boolean big, @ForAll boolean direct) {
        check(type, steps, offset, count, length, order(big), direct);
    }

    private static <A> void check(BasicType<A> type, List<LayoutModel.Step> steps, int offset, int count, int length, ByteOrder order,
            boolean direct) {
        ArrayLayout<A> layout = LayoutModel.layout(type, steps);
        List<Integer> items = LayoutModel.model(steps).items(offset, count);
        A from = Sample.random(type, length, 1);
        A into = Sample.random(type, length, 2);
        List<Long> intoBefore = Sample.bits(into);
        int bytes = items.size() * type.bytes();
        int begin = 3; // odd, so that no element is aligned
        ByteBuffer region = (direct ? ByteBuffer.allocateDirect(begin + bytes + 5) : ByteBuffer.allocate(begin + bytes + 5)).order(order);
        try (PackedMessage message = PackedMessage.allocate(16 + 8 + bytes + 8).order(order)) {
            if (items.isEmpty() ? offset < 0 || offset > length : items.stream().anyMatch(i -> i < 0 || i >= length)) {
                assertThrows(IndexOutOfBoundsException.class, () -> layout.pack(from, offset, count, region));
                assertThrows(IndexOutOfBoundsException.class, () -> layout.unpack(region, into, offset, count));
                assertThrows(IndexOutOfBoundsException.class, () -> message.writer().pack(layout, from, offset, count));
                assertEquals(0, region.position());
                assertEquals(0, message.sections());
                assertEquals(intoBefore, Sample.bits(into));
                return;
            }
            List<Long> packed = new ArrayList<>();
            items.forEach(i -> packed.add(Sample.bits(from, i)));
            List<Long> unpacked = new ArrayList<>(intoBefore);
            items.forEach(i -> unpacked.set(i, Sample.bits(from, i)));

            region.position(begin);
            layout.pack(from, offset, count, region);
            assertEquals(begin + bytes, region.position());
            List<Long> inRegion = new ArrayList<>();
            for (int i = 0; i < items.size(); i++) {
                inRegion.add(Sample.bits(type, region, begin + i * type.bytes()));
            }
            assertEquals(packed, inRegion);
            region.position(begin);
            layout.unpack(region, into, offset, count);
            assertEquals(begin + bytes, region.position());
            assertEquals(unpacked, Sample.bits(into));

            message.writer().pack(layout, from, offset, count);
            message.commit();
            assertEquals(items.size(), message.reader().nextCount());
            A again = Sample.random(type, length, 2);
            message.reader().unpack(layout, again, offset, count);
            assertEquals(unpacked, Sample.bits(again));
            assertEquals(null, message.reader().nextType());
        }
    }

    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    void withOneByteLessRoomNothingIsPackedOrUnpacked(@ForAll("types") BasicType<?> type, @ForAll("steps") List<LayoutModel.Step> steps) {
        checkRoom(type, steps);
    }

    private static <A> void checkRoom(BasicType<A> type, List<LayoutModel.Step> steps) {
        ArrayLayout<A> layout = LayoutModel.layout(type, steps);
        if (layout.size() == 0) {
            return;
        }
        List<Integer> offsets = LayoutModel.model(steps).offsets();
        int lowest = Collections.min(offsets);
        A array = Sample.random(type, Collections.max(offsets) - lowest + 1, 3);
        List<Long> before = Sample.bits(array);
        ByteBuffer region = ByteBuffer.allocate((int) layout.bytes() - 1);
        assertThrows(PackOverflowException.class, () -> layout.pack(array, -lowest, 1, region));
        assertThrows(PackUnderflowException.class, () -> layout.unpack(region, array, -lowest, 1));
        assertEquals(ByteBuffer.allocate(region.capacity()), region.clear());
        assertEquals(before, Sample.bits(array));
    }
}
