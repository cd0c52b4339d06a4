package workloads.layouts;

import java.io.IOException;
import jfs.buffers.PackedMessage;
import jfs.streams.TypedStreams;

/** The ways of sending a vector. */
public enum Manner {
    /** The elements lie in one piece already: {@code TypedOutput.write} of an array, {@code TypedInput.readFully} of an array. */
    PIECE,
    /** The layout writes to the typed stream. The receiver reads an array. */
    LAYOUT,
    /** The same, and the receiver reads by the layout too. */
    LAYOUT_BOTH,
    /** The elements lie in one piece already, as of {@link #PIECE}. The receiver reads by the layout. */
    PIECE_READ,
    /** The program copies block after block into an array, and writes that. The receiver reads an array. */
    BY_HAND,
    /** The elements lie in one piece already, and are written into a message. The receiver reads an array out of the message. */
    MESSAGE_PIECE,
    /** The layout packs into a message. The receiver reads an array out of the message. */
    MESSAGE;

    Transfer over(TypedStreams streams, int most) {
        return switch (this) {
            case PIECE -> new Transfer() {
                @Override
                public void send(Vector vector) throws IOException {
                    streams.output().write(vector.piece());
                }

                @Override
                public void receive(Vector vector) throws IOException {
                    streams.input().readFully(vector.piece());
                }
            };
            case LAYOUT -> new Transfer() {
                @Override
                public void send(Vector vector) throws IOException {
                    vector.layout().write(vector.spread(), 0, 1, streams.output());
                }

                @Override
                public void receive(Vector vector) throws IOException {
                    streams.input().readFully(vector.piece());
                }
            };
            case LAYOUT_BOTH -> new Transfer() {
                @Override
                public void send(Vector vector) throws IOException {
                    vector.layout().write(vector.spread(), 0, 1, streams.output());
                }

                @Override
                public void receive(Vector vector) throws IOException {
                    vector.layout().read(streams.input(), vector.spread(), 0, 1);
                }
            };
            case PIECE_READ -> new Transfer() {
                @Override
                public void send(Vector vector) throws IOException {
                    streams.output().write(vector.piece());
                }

                @Override
                public void receive(Vector vector) throws IOException {
                    vector.layout().read(streams.input(), vector.spread(), 0, 1);
                }
            };
            case BY_HAND -> new Transfer() {
                @Override
                public void send(Vector vector) throws IOException {
                    vector.gather();
                    streams.output().write(vector.gathered());
                }

                @Override
                public void receive(Vector vector) throws IOException {
                    streams.input().readFully(vector.piece());
                }
            };
            case MESSAGE_PIECE, MESSAGE -> new MessageTransfer(streams, PackedMessage.allocate(most), this == MESSAGE);
        };
    }
}
