package workloads.layouts;

import java.io.EOFException;
import java.io.IOException;
import jfs.buffers.PackedMessage;
import jfs.streams.TypedStreams;

/** Vectors in messages of {@code jfs-buffers}, over JFS's typed streams. */
final class MessageTransfer implements Transfer {
    private final TypedStreams streams;
    private final PackedMessage message;
    private final boolean packs;

    /** @param packs whether the elements are packed by a layout; else they are written in one piece */
    MessageTransfer(TypedStreams streams, PackedMessage message, boolean packs) {
        this.streams = streams;
        this.message = message;
        this.packs = packs;
    }

    @Override
    public void send(Vector vector) throws IOException {
        message.clear();
        if (packs) {
            message.writer().pack(vector.layout(), vector.spread(), 0, 1);
        } else {
            message.writer().write(vector.piece(), 0, vector.piece().length);
        }
        message.commit();
        message.writeTo(streams.output());
    }

    @Override
    public void receive(Vector vector) throws IOException {
        message.clear();
        if (!message.readFrom(streams.input())) {
            throw new EOFException();
        }
        message.reader().read(vector.piece(), 0, vector.piece().length);
    }
}
