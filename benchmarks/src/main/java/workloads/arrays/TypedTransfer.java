package workloads.arrays;

import java.io.IOException;
import jfs.streams.TypedInput;
import jfs.streams.TypedOutput;
import jfs.streams.TypedStreams;

/** Whole arrays through JFS's typed streams. */
final class TypedTransfer implements Transfer {
    private final TypedInput in;
    private final TypedOutput out;

    TypedTransfer(TypedStreams streams) {
        this.in = streams.input();
        this.out = streams.output();
    }

    @Override
    public void send(Elements message) throws IOException {
        message.write(out);
    }

    @Override
    public void receive(Elements message) throws IOException {
        message.readFully(in);
    }
}
