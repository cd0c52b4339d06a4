package workloads.arrays;

import java.io.IOException;
import jfs.streams.TypedInput;
import jfs.streams.TypedOutput;
import jfs.streams.TypedStreams;

/** Values by way of an array: of the whole message, or of a piece of it. */
final class ComputedArrays extends Computed {
    private final TypedInput in;
    private final TypedOutput out;
    /** Elements. */
    private final int most;
    private double[] array = {};

    /** @param mostBytes the bytes of a piece */
    ComputedArrays(TypedStreams streams, int mostBytes) {
        this.in = streams.input();
        this.out = streams.output();
        this.most = mostBytes / Double.BYTES;
    }

    @Override
    void send(int count, int number) throws IOException {
        double[] values = array(Math.min(count, most));
        for (int done = 0; done < count; ) {
            int now = Math.min(most, count - done);
            for (int i = 0; i < now; i++) {
                values[i] = done + i + number;
            }
            out.write(values, 0, now);
            done += now;
        }
    }

    @Override
    double receive(int count) throws IOException {
        double[] values = array(Math.min(count, most));
        double sum = 0;
        for (int done = 0; done < count; ) {
            int now = Math.min(most, count - done);
            in.readFully(values, 0, now);
            for (int i = 0; i < now; i++) {
                sum += values[i];
            }
            done += now;
        }
        return sum;
    }

    private double[] array(int count) {
        if (array.length < count) {
            array = new double[count];
        }
        return array;
    }
}
