package jfs.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Structs do what a model says, which has the type and the offset of each element of a record. */
class StructLayoutModelTest {

    record Field(BasicType<?> type, List<LayoutModel.Step> steps, int blockLength, int displacement) {
    }

    /** @param at its offset in bytes */
    record Element(BasicType<?> type, int at) {
    }

    @Provide
    Arbitrary<List<Field>> fields() {
        return Combinators.combine(Arbitraries.of(Sample.TYPES), LayoutModel.steps().filter(it -> it.size() < 3),
                Arbitraries.integers().between(0, 2), Arbitraries.integers().between(-9, 30)).as(Field::new).list().ofMaxSize(4);
    }

    @Provide
    Arbitrary<List<LayoutModel.Step>> steps() {
        return LayoutModel.steps().filter(it -> it.size() < 2);
    }

    private static StructLayout layout(List<Field> fields, List<LayoutModel.Step> steps) {
        StructLayout layout = Layout.struct(fields.stream().mapToInt(Field::blockLength).toArray(),
                fields.stream().mapToInt(Field::displacement).toArray(),
                fields.stream().map(it -> (Layout) LayoutModel.layout(it.type, it.steps)).toArray(Layout[]::new));
        for (LayoutModel.Step step : steps) {
            layout = step.on(layout);
        }
        return layout;
    }

    /** The elements of one record, without the steps that are made of it; and its bounds in the offsets' place. */
    private static LayoutModel oneRecord(List<Field> fields, List<Element> elements) {
        int lower = Integer.MAX_VALUE;
        int upper = Integer.MIN_VALUE;
        for (Field field : fields) {
            LayoutModel inner = LayoutModel.model(field.steps);
            int size = field.type.bytes();
            for (int copy = 0; copy < field.blockLength; copy++) {
                int begin = field.displacement + copy * inner.extent() * size;
                inner.offsets().forEach(offset -> elements.add(new Element(field.type, begin + offset * size)));
                if (!inner.offsets().isEmpty() || inner.extent() > 0) {
                    lower = Math.min(lower, begin + inner.lower() * size);
                    upper = Math.max(upper, begin + inner.upper() * size);
                }
            }
        }
        // The offsets are the elements' numbers, so that the steps are applied to whole records.
        List<Integer> one = elements.isEmpty() ? List.of() : List.of(0);
        return lower > upper ? new LayoutModel(one, 0, 0) : new LayoutModel(one, lower, upper);
    }

    @Property(tries = 600, edgeCases = EdgeCasesMode.NONE)
    void packsTheFieldsOfTheModelAndUnpacksThem(@ForAll("fields") List<Field> fields, @ForAll("steps") List<LayoutModel.Step> steps,
            @ForAll @IntRange(min = -10, max = 200) int offset, @ForAll @IntRange(max = 3) int count,
                    @ForAll @IntRange(max = 500) int length,
            @ForAll boolean bigRecords, @ForAll boolean bigMessage, @ForAll boolean bigTarget) throws Exception {
        StructLayout layout = layout(fields, steps);
        List<Element> record = new ArrayList<>();
        LayoutModel model = oneRecord(fields, record);
        for (LayoutModel.Step step : steps) {
            model = step.on(model);
        }
        assertEquals(List.of(model.lower(), model.upper()), List.of(layout.lowerBound(), layout.upperBound()));
        List<Element> elements = new ArrayList<>();
        for (int begin : model.items(offset, count)) {
            record.forEach(it -> elements.add(new Element(it.type, begin + it.at)));
        }
        ByteBuffer from = random(length, bigRecords, 1);
        ByteBuffer into = random(length, bigTarget, 2);
        ByteBuffer expected = random(length, bigTarget, 2);
        try (PackedMessage message = PackedMessage.allocate(1 << 16).order(order(bigMessage))) {
            if (elements.isEmpty() ? offset < 0 || offset > length
                    : elements.stream().anyMatch(it -> it.at < 0 || it.at + it.type.bytes() > length)) {
                assertThrows(IndexOutOfBoundsException.class, () -> message.writer().pack(layout, from, offset, count));
                assertThrows(IndexOutOfBoundsException.class, () -> unpackNothing(message, layout, into, offset, count));
                assertThrows(IndexOutOfBoundsException.class, () -> layout.pack(from, offset, count, ByteBuffer.allocate(1 << 16)));
                assertThrows(IndexOutOfBoundsException.class, () -> layout.unpack(ByteBuffer.allocate(1 << 16), into, offset, count));
                assertEquals(expected, into);
                return;
            }
            message.writer().pack(layout, from, offset, count);
            message.commit();
            SectionReader reader = message.reader();
            Map<BasicType<?>, List<Long>> sections = new LinkedHashMap<>();
            elements.forEach(it -> sections.computeIfAbsent(it.type, type -> new ArrayList<>()).add(Sample.bits(it.type, from, it.at)));
            if (count > 0) {
                assertEquals(List.copyOf(sections.entrySet()), List.copyOf(sectionsOf(message).entrySet())); // the order too
            }
            message.clear();
            message.writer().pack(layout, from, offset, count);
            message.commit();
            reader.unpack(layout, into, offset, count);
            assertEquals(null, reader.nextType());
            // In the order of the types, as the sections are unpacked: of overlapping fields the last one stays.
            for (BasicType<?> type : sections.keySet()) {
                elements.stream().filter(it -> it.type == type).forEach(it -> store(expected, it, from));
            }
            assertEquals(expected, into);
            checkWithoutMessage(layout, from, random(length, bigTarget, 2), offset, count, order(bigMessage), sections, expected);
        }
    }

    /** Structs inside of a struct, with steps between them, are the struct of all their elements. */
    @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
    void aStructOfStructsHasTheElementsOfAll(@ForAll("fields") List<Field> first, @ForAll("steps") List<LayoutModel.Step> steps,
            @ForAll("fields") List<Field> second, @ForAll @IntRange(max = 3) int copies,
            @ForAll @IntRange(min = -20, max = 60) int displacement, @ForAll boolean big) {
        StructLayout nested = Layout.struct(new int[] {copies, 1}, new int[] {displacement, 7}, layout(first, steps),
                layout(second, List.of()));
        List<Element> elements = new ArrayList<>();
        addCopies(first, steps, displacement, copies, elements);
        addCopies(second, List.of(), 7, 1, elements);
        StructLayout flat = Layout.struct(elements.stream().mapToInt(it -> 1).toArray(), elements.stream().mapToInt(Element::at).toArray(),
                elements.stream().map(it -> (Layout) Layout.of(it.type)).toArray(Layout[]::new));
        int lower = elements.stream().mapToInt(Element::at).min().orElse(0);
        int upper = elements.stream().mapToInt(it -> it.at + it.type.bytes()).max().orElse(0);
        assertEquals(flat.bytes(), nested.bytes());
        ByteBuffer from = random(upper - lower, big, 1);
        ByteBuffer expected = ByteBuffer.allocate((int) flat.bytes());
        ByteBuffer packed = ByteBuffer.allocate((int) flat.bytes());
        flat.pack(from, -lower, 1, expected);
        nested.pack(from, -lower, 1, packed);
        assertEquals(expected.flip(), packed.flip());
        ByteBuffer into = random(upper - lower, big, 2);
        ByteBuffer expectedInto = random(upper - lower, big, 2);
        flat.unpack(expected, expectedInto, -lower, 1);
        nested.unpack(packed, into, -lower, 1);
        assertEquals(expectedInto, into);
    }

    private static void addCopies(List<Field> fields, List<LayoutModel.Step> steps, int at, int copies, List<Element> to) {
        List<Element> record = new ArrayList<>();
        LayoutModel model = oneRecord(fields, record);
        for (LayoutModel.Step step : steps) {
            model = step.on(model);
        }
        for (int begin : model.items(at, copies)) {
            record.forEach(it -> to.add(new Element(it.type, begin + it.at)));
        }
    }

    /** Straight into a buffer and out of it: the same elements in the same order, without the headers and gaps of sections. */
    private static void checkWithoutMessage(StructLayout layout, ByteBuffer from, ByteBuffer into, int offset, int count, ByteOrder order,
            Map<BasicType<?>, List<Long>> sections, ByteBuffer expected) {
        int begin = 3;
        int bytes = (int) layout.bytes() * count;
        ByteBuffer packed = ByteBuffer.allocate(begin + bytes + 2).order(order).position(begin).limit(begin + bytes);
        layout.pack(from, offset, count, packed);
        assertEquals(begin + bytes, packed.position());
        int at = begin;
        for (Map.Entry<BasicType<?>, List<Long>> section : sections.entrySet()) {
            for (long bits : section.getValue()) {
                assertEquals(bits, Sample.bits(section.getKey(), packed, at));
                at += section.getKey().bytes();
            }
        }
        assertEquals(begin + bytes, at);
        packed.position(begin);
        layout.unpack(packed, into, offset, count);
        assertEquals(expected, into);
        assertEquals(begin + bytes, packed.position());
        if (bytes > 0) {
            ByteBuffer little = ByteBuffer.allocate(bytes - 1);
            assertThrows(PackOverflowException.class, () -> layout.pack(from, offset, count, little));
            assertThrows(PackUnderflowException.class, () -> layout.unpack(little, into, offset, count));
            assertEquals(ByteBuffer.allocate(bytes - 1), little);
            assertEquals(expected, into);
            ByteBuffer readOnly = ByteBuffer.allocate(bytes).asReadOnlyBuffer();
            assertThrows(ReadOnlyBufferException.class, () -> layout.pack(from, offset, count, readOnly));
            assertThrows(ReadOnlyBufferException.class,
                    () -> layout.unpack(ByteBuffer.allocate(bytes), into.asReadOnlyBuffer(), offset, count));
        }
    }

    private static void unpackNothing(PackedMessage message, StructLayout layout, ByteBuffer into, int offset, int count) {
        assertEquals(0, message.sections());
        message.commit();
        message.reader().unpack(layout, into, offset, count);
    }

    private static Map<BasicType<?>, List<Long>> sectionsOf(PackedMessage message) {
        Map<BasicType<?>, List<Long>> sections = new LinkedHashMap<>();
        while (message.reader().nextType() != null) {
            sections.put(message.reader().nextType(), read(message.reader(), message.reader().nextType()));
        }
        return sections;
    }

    private static <A> List<Long> read(SectionReader reader, BasicType<A> type) {
        int count = reader.nextCount();
        A array = Sample.array(type, count);
        reader.unpack(Layout.of(type), array, 0, count);
        return Sample.bits(array);
    }

    private static void store(ByteBuffer into, Element element, ByteBuffer from) {
        byte[] bytes = new byte[element.type.bytes()];
        from.get(element.at, bytes);
        for (int i = 0; i < bytes.length; i++) {
            into.put(element.at + (from.order() == into.order() ? i : bytes.length - 1 - i), bytes[i]);
        }
    }

    private static ByteOrder order(boolean big) {
        return big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }

    private static ByteBuffer random(int length, boolean big, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return ByteBuffer.allocateDirect(length).put(0, bytes).order(order(big));
    }
}
