package workloads.arrays;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Bytes through the socket's own streams. */
record ByteTransfer(InputStream in, OutputStream out) implements Transfer {
    @Override
    public void send(Elements message) throws IOException {
        out.write(((Bytes) message).array());
    }

    @Override
    public void receive(Elements message) throws IOException {
        byte[] array = ((Bytes) message).array();
        for (int done = 0; done < array.length; ) {
            int n = in.read(array, done, array.length - done);
            if (n < 0) {
                throw new EOFException();
            }
            done += n;
        }
    }
}
