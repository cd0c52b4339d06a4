package workloads.arrays;

import java.io.EOFException;
import java.io.IOException;
import jfs.streams.ReadClaim;
import jfs.streams.TypedInput;
import jfs.streams.TypedOutput;
import jfs.streams.TypedStreams;
import jfs.streams.WriteClaim;

/** Values straight into claims and from claims, without an array. */
final class ComputedClaims extends Computed {
    private final TypedInput in;
    private final TypedOutput out;

    ComputedClaims(TypedStreams streams) {
        this.in = streams.input();
        this.out = streams.output();
    }

    @Override
    void send(int count, int number) throws IOException {
        int most = ClaimTransfer.PIECE / Double.BYTES;
        for (int done = 0; done < count; ) {
            int now = Math.min(most, count - done);
            try (WriteClaim claim = out.claim(now * Double.BYTES)) {
                for (int i = 0; i < now; i++) {
                    claim.putDouble(i * Double.BYTES, done + i + number);
                }
                claim.commit();
            }
            done += now;
        }
    }

    @Override
    double receive(int count) throws IOException {
        int most = ClaimTransfer.PIECE / Double.BYTES;
        double sum = 0;
        for (int done = 0; done < count; ) {
            int now = Math.min(most, count - done);
            try (ReadClaim claim = in.claim(now * Double.BYTES)) {
                if (claim == null) {
                    throw new EOFException();
                }
                for (int i = 0; i < now; i++) {
                    sum += claim.getDouble(i * Double.BYTES);
                }
                claim.release(now * Double.BYTES);
            }
            done += now;
        }
        return sum;
    }
}
