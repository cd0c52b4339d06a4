package jfs.conformance.typed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import jfs.JFS;
import jfs.conformance.harness.Subject;
import jfs.streams.TypedInput;
import jfs.streams.TypedOutput;
import jfs.streams.TypedStreams;
import jfs.streams.WriteClaim;
import jfs.testing.Background;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Typed streams of sockets whose bytes are not simply those of the connection, of channels, and of sockets that have no streams. */
class OtherSocketsTest {

    private static final int KEY = 0x5a;

    @BeforeAll
    static void install() {
        Subject.current();
    }

    /** As a TLS socket, it gives its program other bytes than those of the connection. */
    private static class CipherSocket extends Socket {

        CipherSocket() {
        }

        CipherSocket(InetAddress address, int port) throws IOException {
            super(address, port);
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            return new FilterOutputStream(super.getOutputStream()) {
                @Override
                public void write(int b) throws IOException {
                    out.write(b ^ KEY);
                }
            };
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read() throws IOException {
                    int b = super.read();
                    return b < 0 ? b : b ^ KEY;
                }

                @Override
                public int read(byte[] into, int offset, int length) throws IOException {
                    int n = super.read(into, offset, length);
                    for (int i = 0; i < n; i++) {
                        into[offset + i] ^= KEY;
                    }
                    return n;
                }
            };
        }
    }

    /** Nothing may leave such a socket past its own streams. */
    @Test
    void theStreamsOfASubclassAreUsed() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket near = new CipherSocket(listener.getInetAddress(), listener.getLocalPort());
                Socket far = listener.accept()) {
            TypedOutput out = JFS.streams(near, ByteOrder.BIG_ENDIAN).output();
            out.write(new int[] {1});
            try (WriteClaim claim = out.claim(2)) {
                claim.putShort(0, (short) 2);
                claim.commit();
            }
            assertArrayEquals(new byte[] {KEY, KEY, KEY, KEY ^ 1, KEY, KEY ^ 2}, far.getInputStream().readNBytes(6));
            far.getOutputStream().write(new byte[] {KEY, KEY ^ 3});
            char[] seen = new char[1];
            JFS.streams(near, ByteOrder.BIG_ENDIAN).input().readFully(seen);
            assertEquals(3, seen[0]);
        }
    }

    /** TCP may keep a second small write back until the first one is acknowledged, so the mark is no write of its own. */
    @Test
    void theMarkGoesWithTheFirstElements() throws Exception {
        List<Integer> writes = new ArrayList<>();
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket near = new CipherSocket(listener.getInetAddress(), listener.getLocalPort()) {
                    @Override
                    public OutputStream getOutputStream() throws IOException {
                        return new FilterOutputStream(super.getOutputStream()) {
                            @Override
                            public void write(byte[] from, int offset, int length) throws IOException {
                                writes.add(length);
                                super.write(from, offset, length);
                            }
                        };
                    }
                }) {
            JFS.streams(near).output().write(new int[2]);
            assertEquals(List.of(8 + 8), writes);
            TypedOutput out = JFS.streams(near).output();
            try (WriteClaim given = out.claim(8)) {
                assertEquals(8, given.length());
            }
            try (WriteClaim claim = out.claim(12)) {
                claim.commit(4);
            }
            out.write(new long[1]);
            assertEquals(List.of(16, 8 + 4, 8), writes);
        }
    }

    @Test
    void aChannelInBlockingModeHasThem() throws Exception {
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(null);
                SocketChannel near = SocketChannel.open(listener.getLocalAddress());
                SocketChannel far = listener.accept()) {
            TypedOutput out = JFS.streams(near).output();
            TypedInput in = JFS.streams(far).input();
            Background<Void> writer = Background.run(() -> {
                for (Slices type : Slices.values()) {
                    type.write(out, type.random(300_001, 1), 0, 300_001);
                }
            });
            for (Slices type : Slices.values()) {
                Object seen = type.zeros(300_001);
                type.readAll(in, seen, new Random(2));
                assertArrayEquals(new Object[] {type.random(300_001, 1)}, new Object[] {seen});
            }
            writer.result();
            near.configureBlocking(false);
            assertThrows(IllegalBlockingModeException.class, () -> out.write(new int[1]));
            far.configureBlocking(false);
            assertThrows(IllegalBlockingModeException.class, () -> in.read(new int[1]));
            near.configureBlocking(true);
            out.write(new int[] {5});
            far.configureBlocking(true);
            int[] seen = new int[1];
            in.readFully(seen);
            assertEquals(5, seen[0]);
            near.close();
            assertEquals(-1, in.read(seen));
        }
    }

    /** As the JDK's streams of a channel: each call that moves bytes throws what the channel throws. */
    @Test
    void aClosedChannelIsToldAsByTheJdk() throws Exception {
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(null);
                SocketChannel near = SocketChannel.open(listener.getLocalAddress());
                SocketChannel far = listener.accept()) {
            JFS.streams(far).output().write(new int[1]);
            TypedOutput out = JFS.streams(near).output();
            TypedInput in = JFS.streams(near).input();
            WriteClaim claim = out.claim(8);
            near.close();
            Class<?> asOfTheJdk = thrown(() -> Channels.newOutputStream(near).write(1));
            assertEquals(ClosedChannelException.class, asOfTheJdk);
            assertEquals(asOfTheJdk, thrown(() -> Channels.newInputStream(near).read()));
            assertEquals(asOfTheJdk, thrown(claim::commit));
            assertEquals(asOfTheJdk, thrown(() -> out.write(1)));
            assertEquals(asOfTheJdk, thrown(() -> out.write(new int[1])));
            assertEquals(asOfTheJdk, thrown(() -> out.claim(8)));
            assertEquals(asOfTheJdk, thrown(() -> JFS.streams(near).output().claim(8)));
            assertEquals(asOfTheJdk, thrown(in::read));
            assertEquals(asOfTheJdk, thrown(() -> in.read(new int[1])));
            assertEquals(asOfTheJdk, thrown(() -> in.claim(1)));
        }
    }

    /** As the socket's own streams: each call that moves bytes throws what they throw. */
    @Test
    void aClosedSocketIsToldAsByTheJdk() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket near = new Socket(listener.getInetAddress(), listener.getLocalPort());
                Socket far = listener.accept()) {
            JFS.streams(far).output().write(new int[1]);
            OutputStream own = near.getOutputStream();
            TypedOutput out = JFS.streams(near).output();
            TypedInput in = JFS.streams(near).input();
            WriteClaim claim = out.claim(8);
            near.close();
            Class<?> asOfTheJdk = thrown(() -> own.write(1));
            assertEquals(SocketException.class, asOfTheJdk);
            assertEquals(asOfTheJdk, thrown(claim::commit));
            assertEquals(asOfTheJdk, thrown(() -> out.write(new int[1])));
            assertEquals(asOfTheJdk, thrown(() -> out.claim(8)));
            assertEquals(asOfTheJdk, thrown(() -> in.read(new int[1])));
            assertEquals(asOfTheJdk, thrown(() -> in.claim(1)));
        }
    }

    private static Class<?> thrown(Executable call) {
        return assertThrows(IOException.class, call).getClass();
    }

    /** The limit is one for all of them; the memory of one stream would be a thirty-second of it. */
    @Test
    void channelStreamsKeepNoDirectMemory() throws Exception {
        BufferPoolMXBean direct = directMemory();
        long before = 0;
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(null)) {
            for (int i = 0; i <= 250; i++) { // four streams each
                try (SocketChannel near = SocketChannel.open(listener.getLocalAddress());
                        SocketChannel far = listener.accept()) {
                    conversation(JFS.streams(near), JFS.streams(far));
                    conversation(JFS.streams(far), JFS.streams(near));
                }
                before = i == 0 ? direct.getMemoryUsed() : before; // the JDK has its own for this thread now
            }
        }
        assertTrue(direct.getMemoryUsed() - before < 1 << 20, before + " bytes before, " + direct.getMemoryUsed() + " bytes after");
    }

    /** The JDK copies an array's bytes through direct memory of the length of one call, which it keeps for the thread. */
    @Test
    void longArraysOfBytesNeedLittleDirectMemory() throws Exception {
        int length = 16 << 20;
        BufferPoolMXBean direct = directMemory();
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(null);
                SocketChannel near = SocketChannel.open(listener.getLocalAddress());
                SocketChannel far = listener.accept()) {
            long before = direct.getMemoryUsed();
            byte[] sent = (byte[]) Slices.BYTE.random(length, 3);
            byte[] seen = new byte[length];
            Background<Long> writer = Background.call(() -> {
                JFS.streams(near).output().write(sent);
                return direct.getMemoryUsed();
            });
            Background<Long> reader = Background.call(() -> {
                JFS.streams(far).input().readNBytes(seen, 0, length);
                return direct.getMemoryUsed();
            });
            assertTrue(writer.result() - before < 1 << 20, before + " bytes before, " + writer.result() + " bytes after the write");
            assertTrue(reader.result() - before < 1 << 20, before + " bytes before, " + reader.result() + " bytes after the read");
            assertArrayEquals(sent, seen);
        }
    }

    private static BufferPoolMXBean directMemory() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct")).findFirst().orElseThrow();
    }

    private static void conversation(TypedStreams near, TypedStreams far) throws IOException {
        near.output().write(new int[] {6});
        int[] seen = new int[1];
        far.input().readFully(seen);
        assertEquals(6, seen[0]);
    }

    /** A client that has sent all may still want typed input. Only the use of the other direction throws. */
    @Test
    void afterAHalfCloseTheOtherDirectionHasItsStream() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            try (Socket near = new Socket(listener.getInetAddress(), listener.getLocalPort()); Socket far = listener.accept()) {
                afterAHalfClose(near, far);
            }
        }
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()) {
            @Override
            public Socket accept() throws IOException {
                Socket accepted = new CipherSocket();
                implAccept(accepted);
                return accepted;
            }
        };
                Socket near = new CipherSocket(listener.getInetAddress(), listener.getLocalPort());
                Socket far = listener.accept()) {
            afterAHalfClose(near, far);
        }
    }

    private static void afterAHalfClose(Socket near, Socket far) throws IOException {
        near.shutdownOutput();
        far.shutdownInput();
        TypedStreams ofNear = JFS.streams(near);
        TypedStreams ofFar = JFS.streams(far);
        conversation(ofFar, ofNear);
        assertShut("Socket output is shutdown", () -> ofNear.output().write(1));
        assertShut("Socket output is shutdown", () -> ofNear.output().write(new byte[1]));
        assertShut("Socket output is shutdown", () -> ofNear.output().write(new int[1]));
        assertShut("Socket output is shutdown", () -> ofNear.output().claim(1));
        ofNear.output().flush();
        assertShut("Socket input is shutdown", () -> ofFar.input().read());
        assertShut("Socket input is shutdown", () -> ofFar.input().read(new byte[1]));
        assertShut("Socket input is shutdown", () -> ofFar.input().read(new int[1]));
        assertShut("Socket input is shutdown", () -> ofFar.input().claim(1));
        assertShut("Socket input is shutdown", () -> ofFar.input().available());
        conversation(ofFar, ofNear);
        assertTrue(ofNear.output().isOpen());
        near.close();
        assertFalse(ofNear.output().isOpen());
        assertEquals("Socket is closed", assertThrows(SocketException.class, () -> ofNear.output().write(new int[1])).getMessage());
    }

    private static void assertShut(String text, Executable call) {
        assertEquals(text, assertThrows(SocketException.class, call).getMessage());
    }

    @Test
    void aSocketWithoutStreamsIsRefusedAsByJavaNet() throws Exception {
        try (Socket unconnected = new Socket()) {
            assertEquals("Socket is not connected", assertThrows(SocketException.class, () -> JFS.streams(unconnected)).getMessage());
            unconnected.close();
            assertEquals("Socket is closed", assertThrows(SocketException.class, () -> JFS.streams(unconnected)).getMessage());
        }
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket near = new Socket(listener.getInetAddress(), listener.getLocalPort())) {
            near.shutdownOutput();
            near.shutdownInput();
            assertEquals("Socket input is shutdown", assertThrows(SocketException.class, () -> JFS.streams(near)).getMessage());
            near.close();
            assertEquals("Socket is closed", assertThrows(SocketException.class, () -> JFS.streams(near)).getMessage());
            assertThrows(NullPointerException.class, () -> JFS.streams(near, null));
            assertThrows(NullPointerException.class, () -> JFS.streams((Socket) null));
            assertThrows(NullPointerException.class, () -> JFS.streams((SocketChannel) null));
        }
    }
}
