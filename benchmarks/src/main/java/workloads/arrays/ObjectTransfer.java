package workloads.arrays;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;

/** Arrays as serialized objects. The receiver has a new array each time. */
final class ObjectTransfer implements Transfer {
    private final ObjectInputStream in;
    private final ObjectOutputStream out;

    /**
     * Sends the header of its stream, and waits for the peer's. The server waits first: so it has read the client's header before the
     * client sends anything else, and its buffer takes nothing else.
     */
    ObjectTransfer(InputStream in, OutputStream out, boolean serves) throws IOException {
        if (serves) {
            this.in = new ObjectInputStream(new BufferedInputStream(in));
            this.out = new ObjectOutputStream(new BufferedOutputStream(out));
            this.out.flush();
        } else {
            this.out = new ObjectOutputStream(new BufferedOutputStream(out));
            this.out.flush();
            this.in = new ObjectInputStream(new BufferedInputStream(in));
        }
    }

    /** Without the reset both ends would keep each array. Its mark goes before the array, so the receiver reads all that was sent. */
    @Override
    public void send(Elements message) throws IOException {
        out.reset();
        out.writeUnshared(message.array());
        out.flush();
    }

    @Override
    public void receive(Elements message) throws IOException {
        try {
            message.take(in.readUnshared());
        } catch (ClassNotFoundException e) {
            throw new IOException(e);
        }
    }
}
