package jfs.wait;

import java.util.function.LongSupplier;

/** {@link System#nanoTime} as an object. A method reference would cost each of its users a millisecond when the JVM starts. */
public final class NanoClock implements LongSupplier {

    @Override
    public long getAsLong() {
        return System.nanoTime();
    }
}
