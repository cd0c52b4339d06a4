package workloads.layouts;

import java.util.Arrays;
import java.util.Random;
import jfs.buffers.ArrayLayout;
import jfs.buffers.BasicType;
import jfs.buffers.Layout;

/** 1,000 blocks of {@code double}, each of which begins two blocks' lengths behind the one before; and the same elements in one piece. */
final class Vector {
    /** The number of blocks. */
    static final int BLOCKS = 1000;

    private final int length;
    private final ArrayLayout<double[]> layout;
    private final double[] spread;
    private final double[] piece;
    private final double[] gathered;

    /** @param length of a block, in elements */
    Vector(int length) {
        this.length = length;
        this.layout = Layout.of(BasicType.DOUBLE).vector(BLOCKS, length, 2 * length);
        this.spread = new double[2 * BLOCKS * length];
        this.piece = new double[BLOCKS * length];
        this.gathered = new double[BLOCKS * length];
        Random random = new Random(length);
        Arrays.setAll(piece, i -> random.nextDouble());
        for (int block = 0; block < BLOCKS; block++) {
            System.arraycopy(piece, block * length, spread, 2 * block * length, length);
        }
    }

    int length() {
        return length;
    }

    ArrayLayout<double[]> layout() {
        return layout;
    }

    /** The array with the blocks. */
    double[] spread() {
        return spread;
    }

    /** The elements one behind the other. */
    double[] piece() {
        return piece;
    }

    /** Copies the blocks one behind the other, as a program does that has no layouts. */
    void gather() {
        for (int block = 0; block < BLOCKS; block++) {
            System.arraycopy(spread, 2 * block * length, gathered, block * length, length);
        }
    }

    /** What {@link #gather} has copied. */
    double[] gathered() {
        return gathered;
    }

    boolean isSameAs(Vector other) {
        return Arrays.equals(piece, other.piece) && Arrays.equals(spread, other.spread);
    }
}
