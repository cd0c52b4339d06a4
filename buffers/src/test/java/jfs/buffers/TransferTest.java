package jfs.buffers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** Messages over real connections: sockets, channels and pipes, and more bytes than these keep. */
class TransferTest {

    /** More than the buffers of a connection take. */
    private static final int MANY = 1_500_000;
    private static final int MOST = 32 * 1024 * 1024;
    private static final int ROUNDS = 2;

    interface Send {
        void send(PackedMessage message) throws IOException;
    }

    interface Receive {
        boolean receive(PackedMessage message) throws IOException;
    }

    private static <T> FutureTask<T> background(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(task, "sender");
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    private static double[] numbers(int round) {
        double[] numbers = new double[MANY];
        for (int i = 0; i < MANY; i++) {
            numbers[i] = i * 0.5 + round;
        }
        return numbers;
    }

    private static Void sendAll(Send send, AutoCloseable end) throws Exception {
        TestPool pool = new TestPool();
        try (end; PackedMessage message = PackedMessage.allocate(1024, MOST, pool)) {
            for (int round = 0; round < ROUNDS; round++) {
                message.clear();
                message.order(round % 2 == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
                message.writer().write(new int[] {round}, 0, 1);
                message.writer().write(numbers(round), 0, MANY);
                message.writer().write(new Object[] {"round " + round, new byte[100_000]}, 0, 2);
                message.commit();
                send.send(message);
                message.clear();
                message.commit();
                send.send(message); // an empty message
            }
        }
        assertEquals(0, pool.pieces);
        return null;
    }

    private static void receiveAll(Receive receive) throws IOException {
        TestPool pool = new TestPool();
        try (PackedMessage message = PackedMessage.allocate(16, MOST, pool)) {
            double[] numbers = new double[MANY];
            Object[] objects = new Object[2];
            int[] number = new int[1];
            for (int round = 0; round < ROUNDS; round++) {
                assertTrue(receive.receive(message));
                message.reader().read(number, 0, 1);
                assertEquals(round, number[0]);
                message.reader().read(numbers, 0, MANY);
                assertArrayEquals(numbers(round), numbers);
                message.reader().read(objects, 0, 2);
                assertEquals("round " + round, objects[0]);
                assertArrayEquals(new byte[100_000], (byte[]) objects[1]);
                assertNull(message.reader().nextType());
                message.clear();
                assertTrue(receive.receive(message));
                assertEquals(0, message.sections());
                message.clear();
            }
            assertFalse(receive.receive(message)); // the end
            assertFalse(receive.receive(message));
        }
        assertEquals(0, pool.pieces);
    }

    @Test
    void overSocketChannels() throws Exception {
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SocketChannel near = SocketChannel.open(listener.getLocalAddress());
                SocketChannel far = listener.accept()) {
            FutureTask<Void> sender = background(() -> sendAll(message -> message.send(near), near));
            receiveAll(message -> message.receive(far));
            sender.get();
        }
    }

    @Test
    void overSockets() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket near = new Socket(listener.getInetAddress(), listener.getLocalPort());
                Socket far = listener.accept()) {
            FutureTask<Void> sender = background(() -> sendAll(message -> message.writeTo(near.getOutputStream()), near));
            receiveAll(message -> message.readFrom(far.getInputStream()));
            sender.get();
        }
    }

    @Test
    void fromASocketToAChannel() throws Exception {
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                Socket near = new Socket(listener.socket().getInetAddress(), listener.socket().getLocalPort());
                SocketChannel far = listener.accept()) {
            FutureTask<Void> sender = background(() -> sendAll(message -> message.writeTo(near.getOutputStream()), near));
            receiveAll(message -> message.receive(far));
            sender.get();
        }
    }

    /** The sink gathers; behind an interface it is a plain channel. */
    @Test
    void overAPipeThatDoesNotGather() throws Exception {
        Pipe pipe = Pipe.open();
        try (Pipe.SourceChannel source = pipe.source(); Pipe.SinkChannel sink = pipe.sink()) {
            WritableByteChannel plain = plain(sink);
            FutureTask<Void> sender = background(() -> sendAll(message -> message.send(plain), plain));
            receiveAll(message -> message.receive(source));
            sender.get();
        }
    }

    private static WritableByteChannel plain(WritableByteChannel channel) {
        return new WritableByteChannel() {
            @Override
            public int write(ByteBuffer from) throws IOException {
                assertTrue(from.isDirect() || from.capacity() < MANY); // the numbers come from the message's own memory
                return channel.write(from);
            }

            @Override
            public boolean isOpen() {
                return channel.isOpen();
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
    }

    /** A stream that is a channel too. As a stream it takes and gives nothing. */
    static final class Both extends OutputStream implements WritableByteChannel {

        private final InPieces channel;

        Both(InPieces channel) {
            this.channel = channel;
        }

        @Override
        public void write(int b) {
            throw new AssertionError("used as a stream");
        }

        @Override
        public int write(ByteBuffer from) {
            return channel.write(from);
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            // nothing to release
        }
    }

    /** The same for reading. */
    static final class BothIn extends InputStream implements ReadableByteChannel {

        private final InPieces channel;

        BothIn(InPieces channel) {
            this.channel = channel;
        }

        @Override
        public int read() {
            throw new AssertionError("used as a stream");
        }

        @Override
        public int read(ByteBuffer into) {
            return channel.read(into);
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            // nothing to release
        }
    }

    @Test
    void aStreamThatIsAChannelIsUsedAsOne() throws IOException {
        InPieces pieces = new InPieces(new Random(1));
        try (PackedMessage message = PackedMessage.allocate(64)) {
            message.writer().write(new int[] {7}, 0, 1);
            message.commit();
            message.writeTo(new Both(pieces));
            message.clear();
            assertTrue(message.readFrom(new BothIn(pieces)));
            int[] into = new int[1];
            message.reader().read(into, 0, 1);
            assertEquals(7, into[0]);
        }
    }

    /** A channel of the JDK copies what it gets from the heap to direct memory, which its thread keeps. */
    @Test
    void objectsGoInPiecesThroughChannels() throws IOException {
        byte[] large = new byte[1_000_000];
        new Random(2).nextBytes(large);
        for (boolean gathers : new boolean[] {true, false}) {
            Heap channel = new Heap();
            try (PackedMessage message = PackedMessage.allocate(1024, MOST, new TestPool())) {
                message.writer().write(new int[] {7}, 0, 1);
                message.writer().write(new Object[] {large}, 0, 1);
                message.commit();
                message.send(gathers ? channel : plain(channel));
                message.clear();
                assertTrue(message.receive(channel));
                message.reader().skip();
                Object[] read = new Object[1];
                message.reader().read(read, 0, 1);
                assertArrayEquals(large, (byte[]) read[0]);
            }
            assertEquals(65_536, channel.most);
        }
    }

    /** A channel that keeps what is written, until it is read, and the size of the largest buffer on the heap. */
    private static final class Heap implements GatheringByteChannel, ReadableByteChannel {

        private final ByteArrayOutputStream written = new ByteArrayOutputStream();
        private ByteBuffer toRead;
        private int most;

        private void look(ByteBuffer buffer) {
            if (!buffer.isDirect()) {
                most = Math.max(most, buffer.remaining());
            }
        }

        @Override
        public int write(ByteBuffer from) {
            look(from);
            byte[] bytes = new byte[Math.min(50_000, from.remaining())];
            from.get(bytes);
            written.writeBytes(bytes);
            return bytes.length;
        }

        @Override
        public long write(ByteBuffer[] from, int offset, int length) {
            long n = 0;
            for (int i = offset; i < offset + length; i++) {
                n += write(from[i]);
            }
            return n;
        }

        @Override
        public long write(ByteBuffer[] from) {
            return write(from, 0, from.length);
        }

        @Override
        public int read(ByteBuffer into) {
            look(into);
            if (toRead == null) {
                toRead = ByteBuffer.wrap(written.toByteArray());
            }
            int n = Math.min(into.remaining(), toRead.remaining());
            into.put(toRead.slice(toRead.position(), n));
            toRead.position(toRead.position() + n);
            return n;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            // nothing to release
        }
    }

    @Test
    void aNonBlockingChannelIsRefused() throws IOException {
        Pipe pipe = Pipe.open();
        try (Pipe.SourceChannel source = pipe.source(); Pipe.SinkChannel sink = pipe.sink();
                PackedMessage message = PackedMessage.allocate(64)) {
            source.configureBlocking(false);
            sink.configureBlocking(false);
            assertThrows(IllegalBlockingModeException.class, () -> message.receive(source));
            message.writer().write(new int[1], 0, 1);
            message.commit();
            assertThrows(IllegalBlockingModeException.class, () -> message.send(sink));
            assertEquals(1, message.sections());
        }
    }
}
