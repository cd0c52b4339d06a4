package jfs.conformance.typed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import jfs.JFS;
import jfs.buffers.ArrayLayout;
import jfs.buffers.BasicType;
import jfs.buffers.Layout;
import jfs.buffers.PackedMessage;
import jfs.buffers.pool.BufferPool;
import jfs.buffers.pool.PooledBuffer;
import jfs.conformance.harness.Bytes;
import jfs.conformance.harness.Start;
import jfs.conformance.harness.Subject;
import jfs.nativelib.NativeLibrary;
import jfs.streams.ReadClaim;
import jfs.streams.TypedInput;
import jfs.streams.TypedOutput;
import jfs.streams.WriteClaim;
import jfs.testing.Background;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Messages and layouts of jfs-buffers over sockets: by each way that a socket or a channel has. */
@Tag("ends")
class MessagesTest {

    private static final int ROWS = 1_000;
    private static final int COLUMNS = 7;
    private static final ArrayLayout<double[]> COLUMN = Layout.of(BasicType.DOUBLE).vector(ROWS, 1, COLUMNS);
    /** More than TCP and the ring take, so that the writer waits for the reader in the middle of a message. */
    private static final int MANY = 1_200_000;
    private static final int MOST = 32 << 20;

    @TempDir
    private Path folder;

    interface Send {
        void send(PackedMessage message) throws IOException;
    }

    interface Receive {
        boolean receive(PackedMessage message) throws IOException;
    }

    /** How messages go from one end to the other. A pair of typed streams is made once for each socket. */
    record Way(String name, Send sends, Receive receives) {
    }

    private static List<Way> ways(Start.Ends ends) throws IOException {
        TypedOutput out = JFS.streams(ends.near()).output();
        TypedInput in = JFS.streams(ends.far()).input();
        Way streams = new Way("streams", message -> message.writeTo(ends.out()), message -> message.readFrom(ends.farIn()));
        Way typed = new Way("typed streams", message -> message.writeTo(out), message -> message.readFrom(in));
        SocketChannel near = blockingChannel(ends.near());
        SocketChannel far = blockingChannel(ends.far());
        Way channels = new Way("channels", near == null ? streams.sends : message -> message.send(near),
                far == null ? streams.receives : message -> message.receive(far));
        return near == null && far == null ? List.of(streams, typed) : List.of(streams, typed, channels);
    }

    private static SocketChannel blockingChannel(Socket socket) {
        return socket.getChannel() != null && socket.getChannel().isBlocking() ? socket.getChannel() : null;
    }

    private static double[] numbers(int seed, int count) {
        return new Random(seed).doubles(count).toArray();
    }

    private static double[] column(double[] matrix, int column) {
        return IntStream.range(0, ROWS).mapToDouble(row -> matrix[row * COLUMNS + column]).toArray();
    }

    /** The ways are used in turns on one connection, while its directions go over to the fast path. */
    @Start.AtEach
    void messagesOfAllKindsComeByEachWay(Start start) throws Exception {
        try (Start.Ends ends = start.open(); PackedMessage sent = PackedMessage.allocate(MOST);
                PackedMessage seen = PackedMessage.allocate(MOST)) {
            List<Way> ways = ways(ends);
            Background<Void> sender = Background.run(() -> {
                for (int round = 0; round < 8; round++) {
                    fill(sent, round);
                    ways.get(round % ways.size()).sends.send(sent);
                }
            });
            for (int round = 0; round < 8; round++) {
                Way way = ways.get(round % ways.size());
                assertTrue(way.receives.receive(seen), way.name);
                check(seen, round);
                ends.farOut().write(round); // so that there is a conversation, and the other direction switches too
                assertEquals(round, ends.in().read());
            }
            sender.result();
            ends.near().shutdownOutput();
            seen.clear();
            assertFalse(ways.get(0).receives.receive(seen));
        }
    }

    private static void fill(PackedMessage message, int round) throws IOException {
        message.clear();
        message.order(round % 2 == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        message.writer().write(new int[] {round}, 0, 1);
        message.writer().pack(COLUMN, numbers(round, ROWS * COLUMNS), round % COLUMNS, 1);
        if (round % 3 == 1) {
            message.writer().write(new Object[] {"round " + round, new byte[100_000]}, 0, 2);
        }
        if (round == 2 || round == 7) {
            message.writer().write(numbers(round, MANY), 0, MANY);
        }
        message.commit();
    }

    private static void check(PackedMessage message, int round) throws IOException {
        int[] number = new int[1];
        message.reader().read(number, 0, 1);
        assertEquals(round, number[0]);
        double[] column = new double[ROWS];
        message.reader().read(column, 0, ROWS);
        assertArrayEquals(column(numbers(round, ROWS * COLUMNS), round % COLUMNS), column);
        if (round % 3 == 1) {
            Object[] objects = new Object[2];
            message.reader().read(objects, 0, 2);
            assertEquals("round " + round, objects[0]);
            assertEquals(100_000, ((byte[]) objects[1]).length);
        }
        if (round == 2 || round == 7) {
            double[] many = new double[MANY];
            message.reader().read(many, 0, MANY);
            assertArrayEquals(numbers(round, MANY), many);
        }
        assertNull(message.reader().nextType());
        message.clear();
    }

    @Start.AtEach
    void anEndInsideAMessageIsAnError(Start start) throws Exception {
        for (int way = 0; way < 2; way++) {
            try (Start.Ends ends = start.open(); PackedMessage message = PackedMessage.allocate(1_000);
                    PackedMessage seen = PackedMessage.allocate(1_000)) {
                Receive receive = ways(ends).get(way).receives;
                message.writer().write(new long[100], 0, 100);
                message.commit();
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                message.writeTo(bytes);
                ends.out().write(bytes.toByteArray(), 0, bytes.size() - 1);
                ends.near().shutdownOutput();
                assertThrows(EOFException.class, () -> receive.receive(seen));
            }
        }
    }

    /** Layouts at one end or at both, with blocks that lie across the pieces in which they go, and bytes in between. */
    @Start.AtEach
    void layoutsAreWrittenAndReadByTypedStreams(Start start) throws Exception {
        List<ArrayLayout<double[]>> layouts = Stream.of(1, 2, 3, 4, 5, 16, 301)
                .map(length -> Layout.of(BasicType.DOUBLE).vector(30_000 / length, length, 2 * length)).toList();
        double[] from = numbers(1, 60_000);
        for (ByteOrder order : new ByteOrder[] {null, ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            try (Start.Ends ends = start.open()) {
                TypedOutput out = (order == null ? JFS.streams(ends.near()) : JFS.streams(ends.near(), order)).output();
                TypedInput in = (order == null ? JFS.streams(ends.far()) : JFS.streams(ends.far(), order)).input();
                Background<Void> writer = Background.run(() -> {
                    for (int i = 0; i < layouts.size(); i++) {
                        layouts.get(i).write(from, 0, 1, out);
                        out.write(Bytes.of(i, 0, i)); // so that the next elements begin at each remainder
                        layouts.get(i).write(from, 0, 1, out);
                        out.write(gathered(layouts.get(i), from));
                    }
                });
                for (int i = 0; i < layouts.size(); i++) {
                    ArrayLayout<double[]> layout = layouts.get(i);
                    double[] gathered = new double[layout.size()];
                    in.readFully(gathered);
                    assertArrayEquals(gathered(layout, from), gathered);
                    Bytes.expect(in, i, 0, i);
                    for (int times = 0; times < 2; times++) {
                        double[] into = new double[from.length];
                        layout.read(in, into, 0, 1);
                        assertArrayEquals(gathered(layout, from), gathered(layout, into));
                        assertEquals(0, into[layout.extent()], "behind the last element");
                    }
                }
                writer.result();
            }
        }
    }

    /** Short ones, and ones with several records of the ring. */
    @Start.AtEach
    void layoutsOfAllTypesAreWrittenAndRead(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            TypedOutput out = JFS.streams(ends.near()).output();
            TypedInput in = JFS.streams(ends.far()).input();
            for (int blocks : new int[] {1, 10_000}) {
                Background<Void> writer = Background.run(() -> {
                    write(BasicType.BYTE, byte[]::new, blocks, out);
                    write(BasicType.BOOLEAN, boolean[]::new, blocks, out);
                    write(BasicType.CHAR, char[]::new, blocks, out);
                    write(BasicType.SHORT, short[]::new, blocks, out);
                    write(BasicType.INT, int[]::new, blocks, out);
                    write(BasicType.LONG, long[]::new, blocks, out);
                    write(BasicType.FLOAT, float[]::new, blocks, out);
                });
                read(BasicType.BYTE, byte[]::new, blocks, in);
                read(BasicType.BOOLEAN, boolean[]::new, blocks, in);
                read(BasicType.CHAR, char[]::new, blocks, in);
                read(BasicType.SHORT, short[]::new, blocks, in);
                read(BasicType.INT, int[]::new, blocks, in);
                read(BasicType.LONG, long[]::new, blocks, in);
                read(BasicType.FLOAT, float[]::new, blocks, in);
                writer.result();
                ends.farOut().write(1); // so that there is a conversation, and the other direction switches too
                assertEquals(1, ends.in().read());
            }
        }
    }

    private static <A> ArrayLayout<A> blocksOfThree(BasicType<A> type, int blocks) {
        return Layout.of(type).vector(blocks, 3, 5);
    }

    private static <A> void write(BasicType<A> type, IntFunction<A> array, int blocks, TypedOutput out) throws IOException {
        A from = array.apply(5 * blocks);
        blocksOfThree(type, blocks).unpack(elements(type, blocks), from, 0, 1);
        blocksOfThree(type, blocks).write(from, 0, 1, out);
    }

    private static <A> void read(BasicType<A> type, IntFunction<A> array, int blocks, TypedInput in) throws IOException {
        A into = array.apply(5 * blocks);
        blocksOfThree(type, blocks).read(in, into, 0, 1);
        ByteBuffer read = ByteBuffer.allocate(3 * blocks * type.bytes());
        blocksOfThree(type, blocks).pack(into, 0, 1, read);
        assertEquals(elements(type, blocks), read.flip(), type.toString());
    }

    /** Bytes of elements. Each has the value 0 or 1 in its bytes, since any other byte of a boolean is true, and comes back as 1. */
    private static ByteBuffer elements(BasicType<?> type, int blocks) {
        ByteBuffer elements = ByteBuffer.allocate(3 * blocks * type.bytes());
        Random random = new Random(type.bytes());
        while (elements.hasRemaining()) {
            elements.put((byte) random.nextInt(2));
        }
        return elements.flip();
    }

    /** Two threads, of which one writes by the socket's own stream. The bytes of each call are all the same. */
    @Start.AtEach
    void noBytesComeBetweenTheElementsOfALayout(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            int count = 20_000;
            int times = 20;
            TypedOutput out = JFS.streams(ends.near(), ByteOrder.BIG_ENDIAN).output();
            boolean isOfJfs = Subject.current() != Subject.JDK && ends.near().getChannel() == null; // others may mix the two
            long[] from = new long[2 * count];
            Arrays.fill(from, 0x0101010101010101L);
            byte[] others = new byte[Long.BYTES * count];
            ArrayLayout<long[]> layout = Layout.of(BasicType.LONG).vector(count, 1, 2);
            Background<Void> elements = Background.run(() -> {
                for (int i = 0; i < times; i++) {
                    layout.write(from, 0, 1, out);
                }
            });
            Background<Void> bytes = Background.run(() -> {
                for (int i = 0; i < times; i++) {
                    ends.out().write(others);
                }
            });
            byte[] seen = new byte[others.length];
            for (int i = 0; i < 2 * times; i++) {
                ends.farIn().readNBytes(seen, 0, seen.length);
                int first = seen[0];
                assertTrue(!isOfJfs || IntStream.range(0, seen.length).allMatch(at -> seen[at] == first), "two writes in one");
            }
            elements.result();
            bytes.result();
        }
    }

    /** The elements of a vector whose gaps are as long as its blocks. */
    private static double[] gathered(ArrayLayout<double[]> layout, double[] array) {
        int length = 2 * layout.size() - layout.extent(); // the extent has one gap less than it has blocks
        return IntStream.range(0, layout.size()).mapToDouble(i -> array[i / length * 2 * length + i % length]).toArray();
    }

    @Start.AtEach
    void aLayoutIsPackedIntoAClaim(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            TypedOutput out = JFS.streams(ends.near()).output();
            TypedInput in = JFS.streams(ends.far()).input();
            for (int round = 0; round < 5; round++) {
                double[] matrix = numbers(round, ROWS * COLUMNS);
                try (WriteClaim claim = out.claim(Integer.BYTES + 8 * ROWS)) {
                    claim.putInt(0, round);
                    COLUMN.pack(matrix, 3, 1, claim, Integer.BYTES);
                    claim.commit();
                }
                double[] other = new double[COLUMNS * ROWS];
                try (ReadClaim claim = in.claim(Integer.BYTES + 8 * ROWS)) {
                    assertEquals(round, claim.getInt(0));
                    COLUMN.unpack(claim, Integer.BYTES, other, 2, 1);
                    claim.release(Integer.BYTES + 8 * ROWS);
                }
                assertArrayEquals(column(matrix, 3), column(other, 2));
                ends.farOut().write(round);
                assertEquals(round, ends.in().read());
            }
        }
    }

    /** The claim's memory is not the program's after the socket was closed, nor a layout's. */
    @Start.AtEach
    void aLayoutDoesNotTouchAClaimOfAClosedSocket(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            TypedOutput out = JFS.streams(ends.near(), ByteOrder.BIG_ENDIAN).output();
            out.write(new long[1]);
            WriteClaim claim = out.claim(8 * ROWS);
            boolean inPlace = claim.isInPlace();
            ends.near().close();
            if (inPlace) {
                assertThrows(IllegalStateException.class, () -> COLUMN.pack(new double[ROWS * COLUMNS], 0, 1, claim, 0));
            } else {
                COLUMN.pack(new double[ROWS * COLUMNS], 0, 1, claim, 0); // memory of the stream
            }
            claim.close();
        }
    }

    /** A program's own memory may go away at any time. A copy in Java is an error then; native code would end the JVM (BLOCKS-1). */
    @Start.AtEach
    void theJvmGoesOnAfterALayoutInAFileThatBecameShorter(Start start) throws Exception {
        int size = 256 << 10;
        NativeLibrary.wantBlocks(true);
        try (Start.Ends ends = start.open(); // so that the native library is there
                FileChannel file = FileChannel.open(folder.resolve("file"), StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            ByteBuffer mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, size).order(ByteOrder.nativeOrder());
            BufferPool ofTheProgram = bytes -> new PooledBuffer() {
                @Override
                public ByteBuffer memory() {
                    return mapped;
                }

                @Override
                public void close() {
                    // the memory stays
                }
            };
            PackedMessage message = PackedMessage.allocate(size, size, ofTheProgram);
            message.order(ByteOrder.nativeOrder());
            file.truncate(size / 4); // a whole page of any system
            ArrayLayout<long[]> layout = Layout.of(BasicType.LONG).vector(20_000, 1, 2);
            long[] array = new long[40_000];
            fault(() -> mapped.asLongBuffer().put(0, array, 0, 20_000)); // the JDK
            fault(() -> layout.pack(array, 0, 1, mapped.duplicate().order(ByteOrder.nativeOrder())));
            fault(() -> layout.unpack(mapped.duplicate().order(ByteOrder.nativeOrder()), array, 0, 1));
            fault(() -> message.writer().pack(layout, array, 0, 1));
            fault(() -> message.writer().gatherStrided(BasicType.LONG, array, 0, new int[] {20_000}, new int[] {2}));
        } finally {
            NativeLibrary.wantBlocks(Runtime.version().feature() >= 25); // the default
        }
    }

    /**
     * In a thread of its own, which ends by an InternalError. HotSpot may throw that later than at the access, and once more after it was
     * caught. All that a test can say is that the JVM goes on.
     */
    private static void fault(Runnable copy) throws InterruptedException {
        Thread thread = new Thread(copy);
        thread.setUncaughtExceptionHandler((it, error) -> { });
        thread.start();
        thread.join();
    }
}
