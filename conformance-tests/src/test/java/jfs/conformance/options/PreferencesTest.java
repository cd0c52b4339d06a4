package jfs.conformance.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import filetransport.FileTransportProvider;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import jfs.JFS;
import jfs.conformance.harness.Bytes;
import jfs.conformance.harness.Pair;
import jfs.conformance.harness.Side;
import jfs.conformance.harness.Start;
import jfs.conformance.harness.Subject;
import jfs.spi.Preferences;
import jfs.testing.Background;
import org.junit.jupiter.api.Test;

/** What a program prefers for one socket ({@code jfs.JFS.setPreferences}). */
class PreferencesTest {

    @Side.AtEach
    void onlySocketsOfJfsHaveThem(Side side) throws Exception {
        side.call(() -> {
            try (Pair pair = Pair.fresh(); Socket unconnected = new Socket()) {
                assertEquals(side == Side.CLIENT || side == Side.BOTH, JFS.setPreferences(pair.client, 1, 2, 3));
                assertEquals(side == Side.SERVER || side == Side.BOTH, JFS.setPreferences(pair.server, -1, 0, Integer.MIN_VALUE));
                assertEquals(side == Side.CLIENT || side == Side.BOTH, JFS.setPreferences(unconnected, 0, 0, 0));
            }
            return null;
        });
    }

    /** A socket of TLS over another socket never uses its own SocketImpl, and JFS does not make that open a descriptor. */
    @Side.AtEach
    void aSocketOfTlsHasNone(Side side) throws Exception {
        SSLSocketFactory tls = SSLContext.getDefault().getSocketFactory();
        side.call(() -> {
            try (Pair pair = Pair.fresh();
                    Socket layered = tls.createSocket(pair.client, "localhost", pair.client.getPort(), true);
                    Socket direct = tls.createSocket()) {
                Set<String> before = sockets();
                assertFalse(JFS.setPreferences(layered, 1, 2, 3));
                assertFalse(JFS.setPreferences(direct, 1, 2, 3));
                assertEquals(before, sockets());
                assertEquals(side == Side.CLIENT || side == Side.BOTH, JFS.setPreferences(pair.client, 1, 2, 3));
            }
            return null;
        });
    }

    /** The descriptors of this process that are sockets. The JVM opens others for a moment when it loads a class. */
    private static Set<String> sockets() throws IOException {
        Set<String> sockets = new TreeSet<>();
        for (String descriptor : new File("/proc/self/fd").list()) {
            try {
                Path target = Files.readSymbolicLink(Path.of("/proc/self/fd", descriptor));
                if (target.toString().startsWith("socket:")) {
                    sockets.add(descriptor + " " + target);
                }
            } catch (NoSuchFileException e) { // it is closed by now
            }
        }
        return sockets;
    }

    /** What is said before the socket is connected, before there is a path, and afterwards. The path of this subject remembers it. */
    @Test
    void aPathIsToldWhatHolds() throws Exception {
        assumeTrue(Subject.current() == Subject.FILE, "only the transport of the subject file remembers what it was told");
        try (ServerSocket listener = Pair.listener(); Socket client = new Socket()) {
            JFS.setPreferences(client, 1, 0, 0);
            client.connect(listener.getLocalSocketAddress());
            try (Socket server = listener.accept()) {
                JFS.setPreferences(server, 0, 1, 0);
                JFS.setPreferences(server, 0, 0, 1);
                FileTransportProvider.preferred().clear();
                Pair.of(client, server).attach();
                assertEquals(Set.of(new Preferences(1, 0, 0), new Preferences(0, 0, 1)), Set.copyOf(FileTransportProvider.preferred()));
                FileTransportProvider.preferred().clear();
                JFS.setPreferences(client, 5, 6, 7);
                assertEquals(List.of(new Preferences(5, 6, 7)), List.copyOf(FileTransportProvider.preferred()));
            }
        }
    }

    @Start.AtEach
    void aClosedSocketHasNone(Start start) throws Exception {
        assumeTrue(Subject.current() != Subject.JDK, "the JDK's sockets have no preferences");
        try (Start.Ends ends = start.open()) {
            ends.near().close();
            assertThrows(SocketException.class, () -> JFS.setPreferences(ends.near(), 1, 2, 3));
        }
    }

    /** Whatever is preferred, and however often that changes, no byte is lost, and no thread sleeps for ever. */
    @Start.AtEach
    void bytesComeAsTheyWereWritten(Start start) throws Exception {
        int rounds = 400;
        try (Start.Ends ends = start.open()) {
            ends.near().setTcpNoDelay(true); // over TCP each of several small messages would wait for a delayed acknowledgement
            Background<Void> chooser = Background.run(() -> {
                Random lots = new Random(1);
                while (!ends.near().isClosed()) {
                    try {
                        Socket one = lots.nextBoolean() ? ends.near() : ends.far();
                        JFS.setPreferences(one, lots.nextInt(2), lots.nextInt(2), lots.nextInt(2));
                    } catch (SocketException e) { // it is closed now
                        return;
                    }
                    Thread.yield();
                }
            });
            Background<Void> echo = Background.run(() -> {
                Random lots = new Random(2);
                for (int i = 0; i < rounds; i++) {
                    for (int count = messages(lots); count > 0; count--) {
                        Bytes.expect(ends.farIn(), i, 0, length(lots));
                    }
                    ends.far().getOutputStream().write(Bytes.of(i, 0, 10));
                }
            });
            Random lots = new Random(2);
            for (int i = 0; i < rounds; i++) {
                for (int count = messages(lots); count > 0; count--) {
                    ends.out().write(Bytes.of(i, 0, length(lots)));
                }
                Bytes.expect(ends.near().getInputStream(), i, 0, 10);
            }
            echo.result();
            ends.near().close();
            ends.far().close();
            chooser.result();
        }
    }

    private static int messages(Random lots) {
        return lots.nextInt(4) == 0 ? 1 + lots.nextInt(50) : 1;
    }

    private static int length(Random lots) {
        return lots.nextInt(40) == 0 ? lots.nextInt(300_000) : 1 + lots.nextInt(100);
    }
}
