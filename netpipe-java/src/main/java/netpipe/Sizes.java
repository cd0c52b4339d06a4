package netpipe;

import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * The message sizes of a sweep. They grow by steps whose increment doubles every other time. Once the steps are far enough
 * apart, each step also has a neighbour on either side.
 */
final class Sizes implements Iterable<Sizes.Step> {

    /**
     * @param increment by how much the next step is larger than this one
     * @param sizes the sizes to measure at this step, in bytes, ascending
     */
    record Step(int increment, int... sizes) {
    }

    private final int lower;
    private final int upper;
    private final int perturbation;

    /** @param upper the limit of the steps; the neighbour above the last one may exceed it */
    Sizes(int lower, int upper, int perturbation) {
        this.lower = lower;
        this.upper = upper;
        this.perturbation = perturbation;
    }

    @Override
    public Iterator<Step> iterator() {
        return new Iterator<>() {
            private long size = lower;
            private int increment = lower > 1 ? lower / 2 : 1;
            private int steps = lower > 1 ? 1 : 0;

            @Override
            public boolean hasNext() {
                return size <= upper;
            }

            @Override
            public Step next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                if (steps > 2 && steps % 2 == 1) {
                    increment *= 2;
                }
                Step step = around((int) size, increment);
                size += increment;
                steps++;
                return step;
            }
        };
    }

    private Step around(int size, int increment) {
        if (perturbation > 0 && increment > perturbation + 1) {
            return new Step(increment, size - perturbation, size, size + perturbation);
        }
        return new Step(increment, size);
    }
}
