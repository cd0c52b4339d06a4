package jfs.conformance;

import java.util.Random;
import java.util.SplittableRandom;

/** What tests that depend on chance are played again by. */
public final class Seeds {

    private Seeds() {
    }

    /** The first numbers of {@link Random}s with seeds in a row are nearly the same; of these they have nothing in common. */
    public static Random random(long seed) {
        return new Random(new SplittableRandom(seed).nextLong());
    }
}
