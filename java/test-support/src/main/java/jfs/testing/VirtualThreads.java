package jfs.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.Callable;
import java.util.concurrent.ThreadFactory;

/** Virtual threads by reflection, because this class is compiled for Java 17. */
public final class VirtualThreads {

    private static final ThreadFactory FACTORY = find();

    private VirtualThreads() {
    }

    /** Skips the test on a JDK without virtual threads. */
    public static void assume() {
        assumeTrue(FACTORY != null, "virtual threads need JDK 21");
    }

    /** Makes virtual threads and does not start them. Null on a JDK without virtual threads. */
    public static ThreadFactory factory() {
        return FACTORY;
    }

    public static <T> Background<T> call(Callable<T> work) {
        return Background.call(work, FACTORY);
    }

    public static Background<Void> run(Background.Action work) {
        return call(() -> {
            work.run();
            return null;
        });
    }

    private static ThreadFactory find() {
        if (Runtime.version().feature() < 21) {
            return null;
        }
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            return (ThreadFactory) Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
