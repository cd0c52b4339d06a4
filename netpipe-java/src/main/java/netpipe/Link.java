package netpipe;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** NPtcp's protocol: messages, and a few control words between the trials. Numbers are big-endian, 32 bits. */
final class Link implements Closeable {

    private static final byte[] SYNC = "SyncMe".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] QUIT = "QUIT\0".getBytes(StandardCharsets.US_ASCII);
    /** A time is sent as a whole number of ticks. */
    private static final double TICKS_PER_SECOND = 1e8;

    private final Endpoint endpoint;
    private final byte[] control = new byte[SYNC.length];
    private Socket socket;
    private InputStream in;
    private OutputStream out;

    Link(Endpoint endpoint) throws IOException {
        this.endpoint = endpoint;
        use(endpoint.open());
    }

    private void use(Socket opened) throws IOException {
        socket = opened;
        in = opened.getInputStream();
        out = opened.getOutputStream();
    }

    void send(byte[] buffer, int offset, int length) throws IOException {
        out.write(buffer, offset, length);
    }

    /** Reads until all of the message is there. */
    void receive(byte[] buffer, int offset, int length) throws IOException {
        int end = offset + length;
        while (offset < end) {
            int count = in.read(buffer, offset, end - offset);
            if (count < 0) {
                throw new EOFException("the peer closed the connection");
            }
            offset += count;
        }
    }

    /**
     * Waits until the peer has reached this point too.
     *
     * @return false if the peer has ended the sweep instead. Each end decides that by itself, from times that differ a
     *         little. So one end may quit while the other would go on. The end that quits first ends the sweep.
     */
    boolean syncOrQuit() throws IOException {
        send(SYNC, 0, SYNC.length);
        receive(control, 0, QUIT.length);
        if (Arrays.equals(control, 0, QUIT.length, QUIT, 0, QUIT.length)) {
            return false;
        }
        receive(control, QUIT.length, SYNC.length - QUIT.length);
        if (!Arrays.equals(control, SYNC)) {
            throw new ProtocolException("synchronization string incorrect: the two ends run different options");
        }
        return true;
    }

    /** The same at a point where the peer cannot have ended the sweep. */
    void sync() throws IOException {
        if (!syncOrQuit()) {
            throw new ProtocolException("the peer quit within a trial: the two ends run different options");
        }
    }

    void sendRepeats(int repeats) throws IOException {
        sendInt(repeats);
    }

    int receiveRepeats() throws IOException {
        int repeats = receiveInt();
        if (repeats < 1) {
            throw new ProtocolException("the peer asks for " + Integer.toUnsignedString(repeats) + " repeats");
        }
        return repeats;
    }

    void sendTime(double seconds) throws IOException {
        sendInt((int) (long) (seconds * TICKS_PER_SECOND));
    }

    double receiveTime() throws IOException {
        return Integer.toUnsignedLong(receiveInt()) / TICKS_PER_SECOND;
    }

    private void sendInt(int value) throws IOException {
        send(new byte[] {(byte) (value >>> 24), (byte) (value >>> 16), (byte) (value >>> 8), (byte) value}, 0, 4);
    }

    private int receiveInt() throws IOException {
        receive(control, 0, 4);
        return (control[0] & 0xff) << 24 | (control[1] & 0xff) << 16 | (control[2] & 0xff) << 8 | control[3] & 0xff;
    }

    /** Sends QUIT and goes on with a new connection. */
    void reset() throws IOException {
        quit();
        use(endpoint.reopen());
    }

    /** Sends QUIT and waits until the peer closes. So the peer loses no bytes, and no longer uses this connection. */
    void quit() throws IOException {
        try (Socket closing = socket) {
            out.write(QUIT);
            closing.shutdownOutput();
            while (in.read(control) >= 0) {
                // Only the peer's own QUIT can still come.
            }
        } catch (IOException e) {
            // The peer has closed first. All measurements are done, so nothing is lost. If the peer has died, opening the
            // next connection fails.
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
