package workloads.arrays;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Elements one after the other, as numbers of {@code java.io}: big-endian. */
final class DataTransfer implements Transfer {
    private final DataInputStream in;
    private final DataOutputStream out;

    DataTransfer(InputStream in, OutputStream out) {
        this.in = new DataInputStream(new BufferedInputStream(in));
        this.out = new DataOutputStream(new BufferedOutputStream(out));
    }

    @Override
    public void send(Elements message) throws IOException {
        message.write(out);
        out.flush();
    }

    @Override
    public void receive(Elements message) throws IOException {
        message.read(in);
    }
}
