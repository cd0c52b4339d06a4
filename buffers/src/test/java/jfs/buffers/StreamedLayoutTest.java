package jfs.buffers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import jfs.JFS;
import jfs.streams.ReadClaim;
import jfs.streams.TypedInput;
import jfs.streams.TypedOutput;
import jfs.streams.WriteClaim;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;

/** Layouts over the typed streams of a socket, and over claims. Without JFS's sockets: no claim is in place here. */
class StreamedLayoutTest {

    private ServerSocket listener;
    private Socket near;
    private Socket far;

    @BeforeProperty
    void connect() throws Exception {
        listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        near = new Socket(listener.getInetAddress(), listener.getLocalPort());
        far = listener.accept();
        near.setTcpNoDelay(true);
        far.setSoTimeout(10_000);
    }

    @AfterProperty
    void close() throws Exception {
        near.close();
        far.close();
        listener.close();
    }

    @Provide
    Arbitrary<List<LayoutModel.Step>> steps() {
        return LayoutModel.steps();
    }

    @Provide
    Arbitrary<BasicType<?>> types() {
        return Arbitraries.of(Sample.TYPES);
    }

    /**
     * The streams begin anew for each try, without a mark, so an order can be drawn for each. After a failure the connection has bytes
     * that no further try expects, so none is made.
     */
    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    void theElementsOfTheModelAreWrittenAndRead(@ForAll("types") BasicType<?> type, @ForAll("steps") List<LayoutModel.Step> steps,
            @ForAll @IntRange(min = -30, max = 90) int offset, @ForAll @IntRange(max = 4) int count,
            @ForAll @IntRange(max = 120) int length, @ForAll boolean big, @ForAll @IntRange(max = 7) int bytesBefore) throws Exception {
        check(type, steps, offset, count, length, big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN, bytesBefore);
    }

    private <A> void check(BasicType<A> type, List<LayoutModel.Step> steps, int offset, int count, int length, ByteOrder order,
            int bytesBefore) throws Exception {
        TypedOutput out = JFS.streams(near, order).output();
        TypedInput in = JFS.streams(far, order).input();
        ArrayLayout<A> layout = LayoutModel.layout(type, steps);
        List<Integer> items = LayoutModel.model(steps).items(offset, count);
        A from = Sample.random(type, length, 1);
        A into = Sample.random(type, length, 2);
        List<Long> expected = new ArrayList<>(Sample.bits(into));
        if (items.isEmpty() ? offset < 0 || offset > length : items.stream().anyMatch(i -> i < 0 || i >= length)) {
            assertThrows(IndexOutOfBoundsException.class, () -> layout.write(from, offset, count, out));
            assertThrows(IndexOutOfBoundsException.class, () -> layout.read(in, into, offset, count));
            assertEquals(expected, Sample.bits(into));
            out.write(7);
            assertEquals(7, in.read(), "the next byte: nothing was sent or taken");
            return;
        }
        items.forEach(i -> expected.set(i, Sample.bits(from, i)));
        out.write(new byte[bytesBefore]);
        layout.write(from, offset, count, out);
        out.write(7);
        in.readFully(new byte[bytesBefore]);
        layout.read(in, into, offset, count);
        assertEquals(expected, Sample.bits(into));
        assertEquals(7, in.read());

        // what a layout writes is a plain array to a reader, and the other way round
        ArrayLayout<A> plain = Layout.of(type);
        A packed = Sample.array(type, items.size());
        layout.write(from, offset, count, out);
        plain.read(in, packed, 0, items.size());
        assertEquals(items.stream().map(i -> Sample.bits(from, i)).toList(), Sample.bits(packed));
        A again = Sample.random(type, length, 2);
        plain.write(packed, 0, items.size(), out);
        layout.read(in, again, offset, count);
        assertEquals(expected, Sample.bits(again));

        int bytes = items.size() * type.bytes();
        A byClaims = Sample.random(type, length, 2);
        try (WriteClaim claim = out.claim(bytesBefore + bytes + 1)) {
            claim.putByte(bytesBefore + bytes, (byte) 9);
            layout.pack(from, offset, count, claim, bytesBefore);
            claim.commit();
        }
        try (ReadClaim claim = in.claim(bytesBefore + bytes + 1)) {
            layout.unpack(claim, bytesBefore, byClaims, offset, count);
            assertEquals(9, claim.getByte(bytesBefore + bytes));
            claim.release();
        }
        assertEquals(expected, Sample.bits(byClaims));
    }

    /** What each end uses for the same elements, one after the other, over streams with the byte order's mark, and the one that begins. */
    enum Means { LAYOUT, ARRAY, CLAIM }

    record Step(BasicType<?> type, int elements, Means written, Means read) {}

    @Provide
    Arbitrary<List<Step>> markedSteps() {
        return Combinators.combine(Arbitraries.of(Sample.TYPES), Arbitraries.integers().between(1, 40), Arbitraries.of(Means.class),
                Arbitraries.of(Means.class)).as(Step::new).list().ofMinSize(1).ofMaxSize(5);
    }

    /** Bytes and booleans have no mark before them, whichever call writes or reads them, and the first elements of other types have one. */
    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    void eachMeansReadsWhatEachOtherHasWritten(@ForAll("markedSteps") List<Step> steps) throws Exception {
        TypedOutput out = JFS.streams(near).output();
        TypedInput in = JFS.streams(far).input();
        for (Step step : steps) {
            transfer(step.type(), step, out, in);
        }
        out.write(7);
        assertEquals(7, in.read());
    }

    private static <A> void transfer(BasicType<A> type, Step step, TypedOutput out, TypedInput in) throws Exception {
        int n = step.elements();
        ArrayLayout<A> strided = Layout.of(type).vector(n, 1, 2);
        A from = Sample.random(type, 2 * n, 1);
        List<Long> expected = IntStream.range(0, n).mapToObj(i -> Sample.bits(from, 2 * i)).toList();
        A piece = Sample.array(type, n);
        for (int i = 0; i < n; i++) {
            Sample.setBits(piece, i, Sample.bits(from, 2 * i));
        }
        switch (step.written()) {
            case LAYOUT -> strided.write(from, 0, 1, out);
            case ARRAY -> Sample.write(out, piece);
            case CLAIM -> {
                try (WriteClaim claim = type.bytes() == 1 ? out.claimBytes(n) : out.claim(n * type.bytes())) {
                    strided.pack(from, 0, 1, claim, 0);
                    claim.commit();
                }
            }
        }
        A into = Sample.array(type, n);
        switch (step.read()) {
            case LAYOUT -> Layout.of(type).read(in, into, 0, n);
            case ARRAY -> Sample.readFully(in, into);
            case CLAIM -> {
                int bytes = n * type.bytes();
                try (ReadClaim claim = type.bytes() == 1 ? in.claimBytes(bytes) : in.claim(bytes)) {
                    Layout.of(type).unpack(claim, 0, into, 0, n);
                    claim.release(bytes);
                }
            }
        }
        assertEquals(expected, Sample.bits(into), step::toString);
    }

    /** Longer than a piece: pieces end at blocks, inside of blocks, and inside of the first and the last one of an item. */
    @Example
    void itemsMayBeLongerThanAPiece() throws Exception {
        List<ArrayLayout<int[]>> layouts = List.of(
                Layout.of(BasicType.INT).vector(70_000, 1, 2),
                Layout.of(BasicType.INT).vector(1_000, 70, 101),
                Layout.of(BasicType.INT).vector(3, 20_001, 20_003),
                Layout.of(BasicType.INT).contiguous(3).vector(5, 2, 3).resized(0, 47),
                Layout.of(BasicType.INT).indexed(new int[] {30_000, 1, 5_000, 2}, new int[] {100_000, 5, 40_000, 0}));
        for (ArrayLayout<int[]> layout : layouts) {
            int count = 300_000 / layout.extent() + 1;
            int[] from = IntStream.range(0, count * layout.extent() + layout.lowerBound()).toArray();
            int[] expected = new int[from.length];
            byte[] packed = new byte[(int) (count * layout.bytes())];
            ByteBuffer buffer = ByteBuffer.wrap(packed);
            layout.pack(from, 0, count, buffer);
            layout.unpack(buffer.flip(), expected, 0, count);
            TypedOutput out = JFS.streams(near, ByteOrder.BIG_ENDIAN).output();
            TypedInput in = JFS.streams(far, ByteOrder.BIG_ENDIAN).input();
            FutureTask<Void> writer = new FutureTask<>(() -> {
                layout.write(from, 0, count, out);
                layout.write(from, 0, count, out);
                return null;
            });
            new Thread(writer, "writer").start();
            byte[] seen = new byte[packed.length];
            in.readFully(seen);
            assertArrayEquals(packed, seen);
            int[] into = new int[from.length];
            layout.read(in, into, 0, count);
            assertArrayEquals(expected, into);
            writer.get(10, TimeUnit.SECONDS);
        }
    }

    /** The writer is a machine of the other byte order: its stream begins with the mark in that order. */
    @Example
    void elementsOfTheOtherOrderAreConverted() throws Exception {
        ByteOrder other = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        near.getOutputStream().write(ByteBuffer.allocate(8).order(other).putLong(0x89006a66732d7479L).array());
        TypedOutput out = JFS.streams(near, other).output();
        TypedInput in = JFS.streams(far).input();
        out.write(new long[] {-5}); // the first element of more than one byte: the reader takes the mark with it
        long[] first = new long[1];
        in.readFully(first);
        assertEquals(-5, first[0]);
        for (BasicType<?> type : Sample.TYPES) {
            checkOtherOrder(type, in, out);
        }
    }

    private static <A> void checkOtherOrder(BasicType<A> type, TypedInput in, TypedOutput out) throws Exception {
        ArrayLayout<A> one = Layout.of(type);
        for (ArrayLayout<A> layout : List.of(one, one.contiguous(3), one.vector(5, 1, 2), one.vector(3, 7, 11),
                one.indexed(new int[] {3, 1, 40}, new int[] {9, 1, 20}).contiguous(2))) {
            int count = 7;
            int length = layout.lowerBound() + count * layout.extent();
            A from = Sample.random(type, length, 1);
            ByteBuffer packed = ByteBuffer.allocate((int) layout.bytes() * count);
            A expected = Sample.random(type, length, 2);
            layout.pack(from, 0, count, packed);
            layout.unpack(packed.flip(), expected, 0, count);
            A into = Sample.random(type, length, 2);
            out.write(new byte[3]);
            layout.write(from, 0, count, out);
            in.readFully(new byte[3]);
            layout.read(in, into, 0, count);
            assertEquals(Sample.bits(expected), Sample.bits(into), () -> layout + ", by streams");
            A byClaims = Sample.random(type, length, 2);
            try (WriteClaim claim = out.claim(packed.capacity() + 1)) {
                layout.pack(from, 0, count, claim, 1);
                claim.commit();
            }
            try (ReadClaim claim = in.claim(packed.capacity() + 1)) {
                layout.unpack(claim, 1, byClaims, 0, count);
                claim.release(packed.capacity() + 1);
            }
            assertEquals(Sample.bits(expected), Sample.bits(byClaims), () -> layout + ", by claims");
        }
    }

    /** Longer than a piece of the stream's memory. Each thread writes another value, so elements of two calls would show. */
    @Example
    void noOtherThreadsElementsComeBetweenThoseOfAWrite() throws Exception {
        int count = 20_000;
        int writes = 50;
        ArrayLayout<long[]> layout = Layout.of(BasicType.LONG).vector(count, 1, 2);
        TypedOutput out = JFS.streams(near).output();
        List<FutureTask<Void>> writers = new ArrayList<>();
        for (long value = 1; value <= 2; value++) {
            long[] from = new long[2 * count];
            Arrays.fill(from, value);
            FutureTask<Void> writer = new FutureTask<>(() -> {
                for (int i = 0; i < writes; i++) {
                    layout.write(from, 0, 1, out);
                }
                return null;
            });
            writers.add(writer);
            new Thread(writer, "writer of " + value).start();
        }
        TypedInput in = JFS.streams(far).input();
        long[] into = new long[count];
        for (int i = 0; i < writers.size() * writes; i++) {
            in.readFully(into);
            assertEquals(into[0] * count, Arrays.stream(into).sum(), "elements of two writes in one");
        }
        for (FutureTask<Void> writer : writers) {
            writer.get(10, TimeUnit.SECONDS);
        }
    }

    @Example
    void anEndBeforeTheLastElementIsAnError() throws Exception {
        ArrayLayout<long[]> layout = Layout.of(BasicType.LONG).vector(3, 1, 2);
        JFS.streams(near).output().write(new long[] {5});
        near.shutdownOutput();
        TypedInput in = JFS.streams(far).input();
        long[] into = new long[5];
        String text = assertThrows(EOFException.class, () -> layout.read(in, into, 0, 1)).getMessage();
        assertTrue(text.contains("1 of 3 elements of type long"), text);
        assertArrayEquals(new long[] {5, 0, 0, 0, 0}, into, "what has come is stored, as by readFully");
        text = assertThrows(EOFException.class, () -> layout.read(in, new long[5], 0, 1)).getMessage();
        assertTrue(text.contains("0 of 3 elements of type long"), text);
    }

    @Example
    void anEndInsideAnElementIsAnError() throws Exception {
        JFS.streams(near, ByteOrder.BIG_ENDIAN).output().write(new byte[] {0, 0, 0, 0, 0, 0, 0, 5, 1, 2, 3});
        near.shutdownOutput();
        TypedInput in = JFS.streams(far, ByteOrder.BIG_ENDIAN).input();
        long[] into = new long[5];
        String text = assertThrows(EOFException.class, () -> Layout.of(BasicType.LONG).vector(3, 1, 2).read(in, into, 0, 1)).getMessage();
        assertTrue(text.contains("3 of the 8 bytes of an element of type long, after 1 elements"), text);
        assertArrayEquals(new long[] {5, 0, 0, 0, 0}, into);
        assertArrayEquals(new byte[] {1, 2, 3}, in.readAllBytes());
    }

    @Example
    void aClaimIsNotUsedAfterItsEndOrBehindItsLength() throws Exception {
        ArrayLayout<int[]> layout = Layout.of(BasicType.INT).vector(2, 1, 2);
        TypedOutput out = JFS.streams(near, ByteOrder.BIG_ENDIAN).output();
        TypedInput in = JFS.streams(far, ByteOrder.BIG_ENDIAN).input();
        WriteClaim claim = out.claim(9);
        assertThrows(IndexOutOfBoundsException.class, () -> layout.pack(new int[3], 0, 1, claim, 2));
        assertThrows(IndexOutOfBoundsException.class, () -> layout.pack(new int[3], 0, 1, claim, -1));
        assertThrows(IndexOutOfBoundsException.class, () -> layout.pack(new int[3], 1, 1, claim, 0));
        assertThrows(IllegalStateException.class, () -> layout.write(new int[3], 0, 1, out));
        layout.pack(new int[] {1, 2, 3}, 0, 1, claim, 1);
        claim.putByte(0, (byte) 0);
        claim.commit();
        assertThrows(IllegalStateException.class, () -> layout.pack(new int[3], 0, 1, claim, 1));
        ReadClaim seen = in.claim(9);
        int[] into = new int[3];
        assertThrows(IndexOutOfBoundsException.class, () -> layout.unpack(seen, 2, into, 0, 1));
        layout.unpack(seen, 1, into, 0, 1);
        assertArrayEquals(new int[] {1, 0, 3}, into);
        seen.release();
        assertThrows(IllegalStateException.class, () -> layout.unpack(seen, 1, into, 0, 1));
    }
}
