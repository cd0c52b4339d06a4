package jfs.testing;

import java.util.Random;
import java.util.SplittableRandom;

/** Random numbers by which tests that depend on chance can be repeated. */
public final class Seeds {

    private Seeds() {
    }

    /** The first numbers of {@link Random}s with consecutive seeds are nearly the same. Those of the generators made here differ. */
    public static Random random(long seed) {
        return new Random(new SplittableRandom(seed).nextLong());
    }
}
