package workloads.arrays;

import java.io.IOException;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import jfs.JFS;

/** The ways of sending an array there and back. */
public enum Manner {
    /** A {@code byte[]} through the socket's streams, of as many bytes. */
    BYTES,
    /** {@link java.io.DataOutputStream} and {@link java.io.DataInputStream} over buffered streams. */
    DATA,
    /** {@link java.io.ObjectOutputStream} and {@link java.io.ObjectInputStream} over buffered streams. */
    OBJECTS,
    /** A channel, with {@link Conversion#SIMPLE}, and so on. */
    SIMPLE,
    WRAP,
    CHUNK,
    HYBRID,
    /** JFS's typed streams: whole arrays. */
    TYPED,
    /** The same, but the array is copied into claims and out of them. */
    CLAIMS,
    /** Each value is computed: into an array, which is then written; the receiver reads an array, and adds its values up. */
    COMPUTED_ARRAY,
    /** The same in pieces. */
    COMPUTED_PIECES,
    /** Each value is computed straight into a claim, and added up straight from a claim. */
    COMPUTED_CLAIMS;

    /** Whether it uses a channel. */
    public boolean overChannel() {
        return this == SIMPLE || this == WRAP || this == CHUNK || this == HYBRID;
    }

    /** Whether it exists for that type: values are computed as {@code double}, and a view has no elements of type {@code boolean}. */
    public boolean has(ElementType type) {
        return computes() ? type == ElementType.DOUBLE : type != ElementType.BOOLEAN || !usesViews();
    }

    /** Whether it puts elements into a view of a buffer by one call, for messages of some sizes at least. */
    private boolean usesViews() {
        return this == WRAP || this == CHUNK || this == HYBRID;
    }

    /** Whether the values are computed. */
    public boolean computes() {
        return this == COMPUTED_ARRAY || this == COMPUTED_PIECES || this == COMPUTED_CLAIMS;
    }

    /** @param serves whether this is the server's end */
    Transfer over(Socket socket, boolean serves) throws IOException {
        return switch (this) {
            case BYTES -> new ByteTransfer(socket.getInputStream(), socket.getOutputStream());
            case DATA -> new DataTransfer(socket.getInputStream(), socket.getOutputStream());
            case OBJECTS -> new ObjectTransfer(socket.getInputStream(), socket.getOutputStream(), serves);
            case TYPED -> new TypedTransfer(JFS.streams(socket));
            case CLAIMS -> new ClaimTransfer(JFS.streams(socket));
            case COMPUTED_ARRAY -> new ComputedArrays(JFS.streams(socket), Integer.MAX_VALUE);
            case COMPUTED_PIECES -> new ComputedArrays(JFS.streams(socket), ClaimTransfer.PIECE);
            case COMPUTED_CLAIMS -> new ComputedClaims(JFS.streams(socket));
            case SIMPLE, WRAP, CHUNK, HYBRID -> throw new IllegalStateException(this + " needs a channel");
        };
    }

    Transfer over(SocketChannel channel) {
        return new ChannelTransfer(channel, Conversion.valueOf(name()));
    }
}
