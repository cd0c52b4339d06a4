package jfs.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Random messages of all types in both byte orders: what is written in any way is read in any way, in any pieces. */
class PackedMessageModelTest {

    enum How {
        SLICE, INDEXES, REGION, LAYOUT
    }

    enum Sent {
        NOT, BY_STREAM, BY_CHANNEL
    }

    record Section(BasicType<?> type, int count, boolean big, How how) {
    }

    @Provide
    Arbitrary<List<Section>> sections() {
        return Combinators.combine(Arbitraries.of(Sample.TYPES), Arbitraries.integers().between(0, 67), Arbitraries.of(true, false),
                Arbitraries.of(How.class)).as(Section::new).list().ofMaxSize(12);
    }

    @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
    void whatIsWrittenIsRead(@ForAll("sections") List<Section> sections, @ForAll Sent sent, @ForAll long seed) throws IOException {
        TestPool pool = new TestPool();
        Random random = new Random(seed);
        try (PackedMessage message = PackedMessage.allocate(16, 1 << 16, pool);
                PackedMessage received = PackedMessage.allocate(16, 1 << 16, pool)) {
            List<List<Long>> written = new ArrayList<>();
            for (Section section : sections) {
                message.order(section.big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
                written.add(write(message.writer(), section.type, section.count, section.how, random));
            }
            message.commit();
            assertEquals(sections.size(), message.sections());
            SectionReader reader = send(message, received, sent, random).reader();
            for (int i = 0; i < sections.size(); i++) {
                assertEquals(sections.get(i).type, reader.nextType());
                assertEquals(sections.get(i).count, reader.nextCount());
                assertEquals(written.get(i), read(reader, sections.get(i).type, random));
            }
            assertEquals(null, reader.nextType());
            assertEquals(2, pool.pieces);
        }
        assertEquals(0, pool.pieces);
    }

    private static PackedMessage send(PackedMessage message, PackedMessage received, Sent sent, Random random) {
        try {
            if (sent == Sent.NOT) {
                return message;
            } else if (sent == Sent.BY_STREAM) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                message.writeTo(bytes);
                assertEquals(message.bytes(), bytes.size());
                assertTrue(received.readFrom(new ByteArrayInputStream(bytes.toByteArray())));
            } else {
                InPieces channel = new InPieces(random);
                message.send(channel);
                assertEquals(message.bytes(), channel.size());
                assertTrue(received.receive(channel));
            }
            assertEquals(message.bytes(), received.bytes());
            return received;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes a section of random elements. @return these */
    private static <A> List<Long> write(SectionWriter writer, BasicType<A> type, int count, How how, Random random) {
        int length = 3 * count + 5;
        A array = Sample.random(type, length, random.nextLong());
        int[] at = new int[count];
        int offset = random.nextInt(3);
        for (int i = 0; i < count; i++) {
            at[i] = switch (how) {
                case SLICE -> offset + i;
                case INDEXES -> random.nextInt(length);
                case REGION -> offset + count / 2 * 3 - i / 2 * 3 + i % 2; // two columns, from the last row to the first one
                case LAYOUT -> offset + i / 3 * 5 + i % 3;
            };
        }
        switch (how) {
            case SLICE -> writeSlice(writer, array, offset, count);
            case INDEXES -> gather(writer, type, array, at, random.nextInt(3));
            case REGION -> {
                if (count % 2 == 0) {
                    writer.gatherStrided(type, array, offset + count / 2 * 3, new int[] {count / 2, 2}, new int[] {-3, 1});
                } else {
                    gather(writer, type, array, at, random.nextInt(3));
                }
            }
            case LAYOUT -> {
                ArrayLayout<A> three = Layout.of(type).contiguous(3).resized(0, 5);
                int rest = count % 3;
                writer.pack(rest == 0 ? three.contiguous(count / 3) : withRest(Layout.of(type), count), array, offset, 1);
            }
        }
        List<Long> bits = new ArrayList<>();
        for (int i : at) {
            bits.add(Sample.bits(array, i));
        }
        return bits;
    }

    /** @param first at which place among more indexes these are */
    private static <A> void gather(SectionWriter writer, BasicType<A> type, A array, int[] at, int first) {
        int[] indexes = new int[first + at.length + 1];
        System.arraycopy(at, 0, indexes, first, at.length);
        writer.gather(type, array, indexes, first, at.length);
    }

    private static <A> ArrayLayout<A> withRest(ArrayLayout<A> one, int count) {
        int[] lengths = new int[count / 3 + 1];
        int[] displacements = new int[count / 3 + 1];
        for (int i = 0; i < lengths.length; i++) {
            lengths[i] = Math.min(3, count - 3 * i);
            displacements[i] = 5 * i;
        }
        return one.indexed(lengths, displacements);
    }

    private static void writeSlice(SectionWriter writer, Object array, int offset, int count) {
        if (array instanceof byte[] a) {
            writer.write(a, offset, count);
        } else if (array instanceof short[] a) {
            writer.write(a, offset, count);
        } else if (array instanceof char[] a) {
            writer.write(a, offset, count);
        } else if (array instanceof int[] a) {
            writer.write(a, offset, count);
        } else if (array instanceof long[] a) {
            writer.write(a, offset, count);
        } else if (array instanceof float[] a) {
            writer.write(a, offset, count);
        } else if (array instanceof double[] a) {
            writer.write(a, offset, count);
        } else {
            writer.write((boolean[]) array, offset, count);
        }
    }

    private static void readSlice(SectionReader reader, Object array, int offset, int count) {
        if (array instanceof byte[] a) {
            reader.read(a, offset, count);
        } else if (array instanceof short[] a) {
            reader.read(a, offset, count);
        } else if (array instanceof char[] a) {
            reader.read(a, offset, count);
        } else if (array instanceof int[] a) {
            reader.read(a, offset, count);
        } else if (array instanceof long[] a) {
            reader.read(a, offset, count);
        } else if (array instanceof float[] a) {
            reader.read(a, offset, count);
        } else if (array instanceof double[] a) {
            reader.read(a, offset, count);
        } else {
            reader.read((boolean[]) array, offset, count);
        }
    }

    /** Reads a whole section, in pieces. */
    private static <A> List<Long> read(SectionReader reader, BasicType<A> type, Random random) {
        A array = Sample.array(type, reader.nextCount());
        int left = reader.nextCount();
        int at = 0;
        do {
            int n = random.nextInt(left + 1);
            switch (random.nextInt(4)) {
                case 0 -> readSlice(reader, array, at, n);
                case 1 -> {
                    int[] indexes = new int[n + 2];
                    for (int i = 0; i < n; i++) {
                        indexes[i + 2] = at + i;
                    }
                    reader.scatter(type, array, indexes, 2, n);
                }
                case 2 -> reader.scatterStrided(type, array, at, new int[] {n, 1}, new int[] {1, 9});
                default -> reader.unpack(Layout.of(type), array, at, n);
            }
            at += n;
            left -= n;
        } while (left > 0);
        return Sample.bits(array);
    }
}
