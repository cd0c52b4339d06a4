package jfs.conformance.stream;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import jfs.conformance.harness.Bytes;
import jfs.conformance.harness.Pair;
import jfs.conformance.harness.Start;
import jfs.conformance.harness.Transcript;
import jfs.testing.Await;
import jfs.testing.Background;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Every method of the two streams, in every state of their socket, and other streams over them. */
@Tag("ends") // it knows what differs at the ends that are channels
class StreamMethodsTest {

    private static final byte[] NULL = null;

    @TempDir
    private Path folder;

    /** All calls that need no byte and wait for none. */
    private static void lookAtInput(Transcript seen, InputStream in) {
        byte[] ten = new byte[10];
        seen.see("read nothing", () -> in.read(new byte[0]));
        seen.see("read nothing at the end", () -> in.read(ten, 10, 0));
        seen.see("read to null", () -> in.read(NULL));
        seen.see("read a part to null", () -> in.read(NULL, 0, 1));
        seen.see("read nothing to null", () -> in.read(NULL, 0, 0));
        for (int[] range : new int[][] {{-1, 1}, {0, -1}, {0, 11}, {10, 1}, {11, 0}, {1, Integer.MAX_VALUE}}) {
            seen.see("read " + range[0] + " " + range[1], () -> in.read(ten, range[0], range[1]));
            seen.see("readNBytes " + range[0] + " " + range[1], () -> in.readNBytes(ten, range[0], range[1]));
        }
        seen.see("readNBytes 0", () -> in.readNBytes(0));
        seen.see("readNBytes -1", () -> in.readNBytes(-1));
        seen.see("skip -1", () -> in.skip(-1));
        seen.see("skip 0", () -> in.skip(0));
        seen.see("skipNBytes -1", () -> in.skipNBytes(-1));
        seen.see("skipNBytes 0", () -> in.skipNBytes(0));
        seen.see("transferTo null", () -> in.transferTo(null));
        seen.see("available", in::available);
        seen.see("markSupported", in::markSupported);
        seen.see("mark", () -> in.mark(10));
        seen.see("reset", in::reset);
        seen.see("available", in::available);
    }

    /** All calls that send no byte. */
    private static void lookAtOutput(Transcript seen, OutputStream out) {
        byte[] ten = new byte[10];
        seen.see("write nothing", () -> out.write(new byte[0]));
        seen.see("write nothing at the end", () -> out.write(ten, 10, 0));
        seen.see("write null", () -> out.write(NULL));
        seen.see("write a part of null", () -> out.write(NULL, 0, 1));
        seen.see("write nothing of null", () -> out.write(NULL, 0, 0));
        for (int[] range : new int[][] {{-1, 1}, {0, -1}, {0, 11}, {10, 1}, {11, 0}, {1, Integer.MAX_VALUE}}) {
            seen.see("write " + range[0] + " " + range[1], () -> out.write(ten, range[0], range[1]));
        }
        seen.see("flush", out::flush);
    }

    private static void lookAtStreams(Transcript seen, Socket socket, InputStream in, OutputStream out) {
        seen.see("the input stream again", () -> socket.getInputStream() == in);
        seen.see("the output stream again", () -> socket.getOutputStream() == out);
        lookAtInput(seen, in);
        lookAtOutput(seen, out);
    }

    /**
     * All calls that take bytes. Where no end will come a time-out ends them. It is set only when nothing is left to read:
     * a short one may end any read of a thread that waits for a core.
     */
    private static void drain(Transcript seen, Socket socket, InputStream in, boolean ends) throws Exception {
        int atTheEnd = ends ? 0 : 1;
        socket.setSoTimeout(in.available() == 0 ? atTheEnd : 0);
        seen.see("read a byte", () -> in.read());
        seen.see("readNBytes 3", () -> in.readNBytes(3));
        seen.see("readNBytes to an array", () -> in.readNBytes(new byte[10], 2, 3));
        seen.see("skip 4", () -> in.skip(4));
        seen.see("skipNBytes 2", () -> in.skipNBytes(2));
        seen.see("readNBytes 7", () -> in.readNBytes(7));
        socket.setSoTimeout(atTheEnd);
        ByteArrayOutputStream to = new ByteArrayOutputStream();
        seen.see("transferTo", () -> in.transferTo(to));
        seen.see("came", () -> to.toByteArray());
        seen.see("readAllBytes", in::readAllBytes);
        seen.see("skip 1", () -> in.skip(1));
        seen.see("skipNBytes 1", () -> in.skipNBytes(1));
        seen.see("read a byte", () -> in.read());
    }

    private static void twentyBytes(Start.Ends ends) throws Exception {
        ends.farOut().write(Bytes.of(1, 0, 20));
        Await.until("they are there", () -> ends.in().available() == 20);
    }

    /** Brings the connection into a state. */
    private interface Event {
        void happens(Start.Ends ends) throws Exception;
    }

    private static void lookAfter(Start start, boolean ended, Event event) throws Exception {
        start.sameAsJdk((ends, seen) -> {
            InputStream in = ends.in();
            OutputStream out = ends.out();
            event.happens(ends);
            lookAtStreams(seen, ends.near(), in, out);
            drain(seen, ends.near(), in, ended);
            lookAtStreams(seen, ends.near(), in, out);
        });
    }

    @Start.AtEach
    void withNothingThere(Start start) throws Exception {
        lookAfter(start, false, ends -> { });
    }

    @Start.AtEach
    void withBytesThere(Start start) throws Exception {
        lookAfter(start, false, StreamMethodsTest::twentyBytes);
    }

    @Start.AtEach
    void atTheEnd(Start start) throws Exception {
        lookAfter(start, true, ends -> ends.far().shutdownOutput());
    }

    @Start.AtEach
    void withBytesBeforeTheEnd(Start start) throws Exception {
        lookAfter(start, true, ends -> {
            twentyBytes(ends);
            ends.far().shutdownOutput();
        });
    }

    @Start.AtEach
    void withBytesOfAPeerThatHasClosed(Start start) throws Exception {
        lookAfter(start, true, ends -> {
            twentyBytes(ends);
            ends.far().close();
        });
    }

    @Start.AtEach
    void withBytesBeforeAReset(Start start) throws Exception {
        lookAfter(start, true, ends -> {
            twentyBytes(ends);
            ends.far().setSoLinger(true, 0);
            ends.far().close();
        });
    }

    @Start.AtEach
    void afterShutdownInput(Start start) throws Exception {
        lookAfter(start, true, ends -> {
            twentyBytes(ends);
            ends.near().shutdownInput();
        });
    }

    @Start.AtEach
    void afterShutdownOutput(Start start) throws Exception {
        lookAfter(start, false, ends -> {
            twentyBytes(ends);
            ends.near().shutdownOutput();
        });
    }

    @Start.AtEach
    void afterTheStreamsWereClosed(Start start) throws Exception {
        start.sameAsJdk((ends, seen) -> {
            InputStream in = ends.in();
            OutputStream out = ends.out();
            twentyBytes(ends);
            seen.see("close the output stream", out::close);
            seen.see("the socket is closed", () -> ends.near().isClosed());
            lookAtStreams(seen, ends.near(), in, out);
            seen.see("read", () -> in.read());
            seen.see("write", () -> out.write(1));
            seen.see("readAllBytes", in::readAllBytes);
            seen.see("skip 1", () -> in.skip(1));
            seen.see("close it again", out::close);
            seen.see("close the input stream", in::close);
            InputStream farIn = ends.farIn();
            OutputStream farOut = ends.farOut();
            seen.see("close the other end's input stream", farIn::close);
            lookAtStreams(seen, ends.far(), farIn, farOut);
        });
    }

    /** Copies bytes to a file, and from one connection to another. */
    @Start.AtEach
    void transfers(Start start) throws Exception {
        int length = 300_000;
        Path file = folder.resolve("bytes");
        start.sameAsJdk((ends, seen) -> {
            Background<Void> writer = Background.run(() -> {
                ends.farOut().write(Bytes.of(1, 0, length));
                ends.far().shutdownOutput();
            });
            try (OutputStream out = Files.newOutputStream(file)) {
                seen.see("to a file", () -> ends.in().transferTo(out));
            }
            writer.result();
            Background<Long> reader = Background.call(() -> Bytes.expectToEnd(ends.farIn(), 1));
            try (InputStream in = Files.newInputStream(file)) {
                seen.see("from a file", () -> in.transferTo(ends.out()));
            }
            ends.near().shutdownOutput();
            seen.see("came back", reader);
        });
        start.sameAsJdk((ends, seen) -> {
            try (Pair next = Pair.fresh()) {
                Background<Void> writer = Background.run(() -> {
                    ends.farOut().write(Bytes.of(2, 0, length));
                    ends.far().shutdownOutput();
                });
                Background<Long> reader = Background.call(() -> Bytes.expectToEnd(next.server.getInputStream(), 2));
                seen.see("to another connection", () -> ends.in().transferTo(next.client.getOutputStream()));
                next.client.close();
                seen.see("came", reader);
                writer.result();
            }
        });
    }

    @Start.AtEach
    void streamsOverThem(Start start) throws Exception {
        start.sameAsJdk((ends, seen) -> {
            ObjectOutputStream objects = new ObjectOutputStream(ends.out());
            objects.writeObject(Map.of("key", List.of(1, "two", 3.0)));
            objects.writeObject(new IOException("an exception"));
            objects.flush();
            ObjectInputStream received = new ObjectInputStream(ends.farIn());
            seen.see("an object", received::readObject);
            seen.see("an exception", received::readObject);
            DataOutputStream data = new DataOutputStream(ends.farOut());
            data.writeUTF("h\u00e9llo");
            data.writeDouble(1.5);
            data.writeLong(Long.MIN_VALUE);
            DataInputStream values = new DataInputStream(ends.in());
            seen.see("UTF", () -> values.readUTF());
            seen.see("double", values::readDouble);
            seen.see("long", values::readLong);
            PrintWriter text = new PrintWriter(new OutputStreamWriter(ends.out(), StandardCharsets.UTF_8), true);
            text.println("one line");
            text.print("no line");
            text.flush();
            ends.near().shutdownOutput();
            BufferedReader lines = new BufferedReader(new InputStreamReader(ends.farIn(), StandardCharsets.UTF_8));
            seen.see("line", lines::readLine);
            seen.see("rest", lines::readLine);
            seen.see("end", lines::readLine);
            seen.see("an object after the end", received::readObject);
            seen.see("print after the end", () -> {
                text.println("more");
                return text.checkError();
            });
            ends.far().shutdownOutput();
            seen.see("UTF after the end", () -> values.readUTF());
            lines.close();
            seen.see("the socket is closed", () -> ends.far().isClosed());
        });
    }

    /** The reading thread closes its own socket, in the middle of its work with the bytes. */
    @Start.AtEach
    void closedFromWithin(Start start) throws Exception {
        start.sameAsJdk((ends, seen) -> {
            ends.farOut().write(Bytes.of(3, 0, 100));
            InputStream in = ends.in();
            seen.see("transfer", () -> in.transferTo(new OutputStream() {
                @Override
                public void write(int b) throws IOException {
                    ends.near().close();
                }

                @Override
                public void write(byte[] from, int offset, int length) throws IOException {
                    ends.near().close();
                }
            }));
            seen.see("read", () -> in.read());
        });
    }
}
