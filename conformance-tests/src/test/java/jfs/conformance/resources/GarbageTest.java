package jfs.conformance.resources;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ref.WeakReference;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import jfs.conformance.harness.Bytes;
import jfs.conformance.harness.Family;
import jfs.conformance.harness.Pair;
import jfs.conformance.harness.Start;
import jfs.testing.Await;
import jfs.testing.Background;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sockets that a program forgets to close. When the garbage collector finds such a socket its peer sees an end, as with the
 * JDK. {@link ResourcesTest} covers the system resources that such sockets held.
 */
class GarbageTest {

    /** Makes the object that is to be forgotten. So the object was never in a stack frame of the test's own. */
    private interface Forgetting<T> {
        T from(Start.Ends ends) throws Exception;
    }

    private static <T> T only(Start start, Forgetting<T> kept) throws Exception {
        return kept.from(start.open());
    }

    /** Runs the collector until the work has been done. Returns the result of the work. */
    private static <T> T collectingUntilDone(Background<T> work) throws Exception {
        Await.until("an end after all", () -> {
            System.gc();
            return work.isDone();
        });
        return work.result();
    }

    /** Collects all present garbage, sockets included: it returns when a socket that is forgotten here has been closed. */
    private static void collect() throws Exception {
        WeakReference<Object> canary = new WeakReference<>(new Object());
        Await.until("the collector has run", () -> {
            System.gc();
            return canary.get() == null;
        });
        Socket far = only(new Start(Start.Progress.FRESH, true, Family.IPV4), Start.Ends::far);
        assertEquals(-1, collectingUntilDone(Background.call(() -> far.getInputStream().read())));
        far.close();
    }

    @ParameterizedTest
    @MethodSource("jfs.conformance.harness.Start#overIPv4")
    void thePeerSeesAnEnd(Start start) throws Exception {
        try (Socket far = only(start, Start.Ends::far)) {
            assertEquals(-1, collectingUntilDone(Background.call(() -> far.getInputStream().read())));
        }
    }

    @ParameterizedTest
    @MethodSource("jfs.conformance.harness.Start#overIPv4")
    void thePeerCanNotWriteForLong(Start start) throws Exception {
        try (Socket far = only(start, Start.Ends::far)) {
            SocketException e = collectingUntilDone(Background.call(() -> {
                for (;;) {
                    try {
                        far.getOutputStream().write(new byte[100_000]);
                    } catch (SocketException failure) {
                        return failure;
                    }
                }
            }));
            // Bytes that were not read turn the end into a reset. The kernel reports it to the thread that asks first.
            assertEquals(SocketException.class, e.getClass());
        }
    }

    @ParameterizedTest
    @MethodSource("jfs.conformance.harness.Start#overIPv4")
    void whatWasWrittenArrives(Start start) throws Exception {
        int length = 300_000;
        try (Socket far = only(start, ends -> {
            ends.out().write(Bytes.of(1, 0, length));
            return ends.far();
        })) {
            collect();
            Bytes.expect(far.getInputStream(), 1, 0, length);
            // Collects again: the write may have started the search for a fast path, and that search holds the socket.
            assertEquals(-1, collectingUntilDone(Background.call(() -> far.getInputStream().read())));
        }
    }

    /** Either stream is enough. */
    @ParameterizedTest
    @MethodSource("jfs.conformance.harness.Start#overIPv4")
    void aStreamKeepsItsSocket(Start start) throws Exception {
        record Kept(InputStream in, Socket far) {
        }
        record KeptToo(OutputStream out, Socket far) {
        }
        Kept kept = only(start, ends -> new Kept(ends.in(), ends.far()));
        KeptToo keptToo = only(start, ends -> new KeptToo(ends.out(), ends.far()));
        collect();
        kept.far.getOutputStream().write('a');
        assertEquals('a', kept.in.read());
        keptToo.out.write('b');
        assertEquals('b', keptToo.far.getInputStream().read());
        kept.in.close();
        assertEquals(-1, kept.far.getInputStream().read());
        kept.far.close();
        keptToo.out.close();
        assertEquals(-1, keptToo.far.getInputStream().read());
        keptToo.far.close();
    }

    @ParameterizedTest
    @MethodSource("jfs.conformance.harness.Start#overIPv4")
    void aBlockedReaderKeepsItsSocket(Start start) throws Exception {
        record Kept(Background<Integer> reader, Socket far) {
        }
        Kept kept = only(start, ends -> {
            InputStream in = ends.in();
            return new Kept(Background.call(() -> in.read()).blocked(), ends.far());
        });
        collect();
        kept.far.getOutputStream().write('a');
        assertEquals('a', kept.reader.result());
        kept.far.close();
    }

    /** The client is forgotten at any moment of the negotiation. */
    @Test
    void aClientThatHasJustAsked() throws Exception {
        for (int i = 0; i < 10; i++) {
            try (Socket far = only(new Start(Start.Progress.FRESH, true, Family.IPV4), ends -> {
                ends.pair().pingPong();
                ends.out().write('?');
                return ends.far();
            })) {
                assertEquals('?', far.getInputStream().read());
                assertEquals(-1, collectingUntilDone(Background.call(() -> far.getInputStream().read())));
            }
        }
    }

    private static SocketAddress forgottenListener() throws IOException {
        return Pair.listener().getLocalSocketAddress();
    }

    @Test
    void aListener() throws Exception {
        SocketAddress address = forgottenListener();
        Await.until("nobody listens any more", () -> {
            System.gc();
            try (Socket socket = new Socket()) {
                socket.connect(address);
                return false;
            } catch (SocketException e) { // a reset, if the connection came just before the listener's end
                return e instanceof ConnectException;
            }
        });
        try (ServerSocket next = new ServerSocket()) {
            next.bind(new InetSocketAddress("127.0.0.1", ((InetSocketAddress) address).getPort()));
            Pair.via(next).converse().close();
        }
    }

    @Test
    void aBlockedAcceptKeepsItsListener() throws Exception {
        record Kept(Background<Socket> accepting, SocketAddress address) {
        }
        Forgetting<Kept> accepting = nothing -> {
            ServerSocket listener = Pair.listener();
            SocketAddress address = listener.getLocalSocketAddress();
            return new Kept(Background.call(() -> listener.accept()).blocked(), address);
        };
        Kept kept = accepting.from(null);
        collect();
        try (Socket client = new Socket()) {
            client.connect(kept.address);
            kept.accepting.result().close();
        }
    }
}
