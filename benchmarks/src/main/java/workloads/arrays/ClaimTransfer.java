package workloads.arrays;

import java.io.EOFException;
import java.io.IOException;
import jfs.streams.ReadClaim;
import jfs.streams.TypedInput;
import jfs.streams.TypedOutput;
import jfs.streams.TypedStreams;
import jfs.streams.WriteClaim;

/** Arrays through claims of JFS's typed streams: by one call into each claim, and out of it. */
final class ClaimTransfer implements Transfer {
    /** The most bytes of a claim, at both ends: so the receiver reads one piece while the sender fills the next. */
    static final int PIECE = 32 << 10;

    private final TypedInput in;
    private final TypedOutput out;

    ClaimTransfer(TypedStreams streams) {
        this.in = streams.input();
        this.out = streams.output();
    }

    @Override
    public void send(Elements message) throws IOException {
        int size = message.elementBytes();
        for (int done = 0; done < message.count(); ) {
            int count = Math.min(PIECE / size, message.count() - done);
            try (WriteClaim claim = out.claim(count * size)) {
                message.putAll(claim, done, count);
                claim.commit();
            }
            done += count;
        }
    }

    @Override
    public void receive(Elements message) throws IOException {
        int size = message.elementBytes();
        for (int done = 0; done < message.count(); ) {
            int count = Math.min(PIECE / size, message.count() - done);
            try (ReadClaim claim = in.claim(count * size)) {
                if (claim == null) {
                    throw new EOFException();
                }
                message.getAll(claim, done, count);
                claim.release(count * size);
            }
            done += count;
        }
    }
}
