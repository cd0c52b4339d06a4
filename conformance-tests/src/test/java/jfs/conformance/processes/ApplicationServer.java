package jfs.conformance.processes;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import jfs.conformance.harness.processes.Jfs;
import jfs.conformance.harness.processes.Orders;
import jfs.testing.Await;
import jfs.testing.Background;

/**
 * A child process that obeys {@link Orders}. It runs an {@link Application} in a thread whose context class loader, thread
 * group and inheritable thread locals are the application's, and then drops the application.
 */
final class ApplicationServer {

    /** More rounds than a conversation needs that never becomes fast. */
    private static final int ROUNDS = 1_000;

    private final boolean withJfs;
    private WeakReference<ClassLoader> undeployed;

    private ApplicationServer(boolean withJfs) {
        this.withJfs = withJfs;
    }

    /** Arguments: whether to install JFS, which the application does. */
    public static void main(String[] args) throws IOException {
        new Orders().run(new ApplicationServer(Boolean.parseBoolean(args[0]))::obey);
    }

    private Object obey(String order, String[] words) throws Exception {
        switch (order) {
            case "run" -> // whether it shall become fast, whether in virtual threads
                undeployed = run(Boolean.parseBoolean(words[2]), Boolean.parseBoolean(words[3]));
            case "awaitUnloaded" -> Await.until(ApplicationServer::threads, () -> {
                System.gc();
                return undeployed.refersTo(null);
            });
            default -> throw new IllegalArgumentException(order);
        }
        return "done";
    }

    private static URL origin(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }

    private WeakReference<ClassLoader> run(boolean fast, boolean virtual) throws Exception {
        URL[] classes = {origin(Application.class), origin(Background.class)};
        try (URLClassLoader loader = new URLClassLoader(classes, ClassLoader.getPlatformClassLoader())) {
            Runnable application = (Runnable) loader.loadClass(Application.class.getName())
                    .getConstructor(Runnable.class, BooleanSupplier.class, boolean.class)
                    .newInstance((Runnable) this::start, enough(fast), virtual);
            ThreadGroup group = (ThreadGroup) loader.loadClass(Application.Group.class.getName())
                    .getConstructor().newInstance();
            Throwable[] failure = {null};
            Thread thread = new Thread(group, application, "application");
            thread.setContextClassLoader(loader);
            thread.setUncaughtExceptionHandler((which, what) -> failure[0] = what);
            thread.start();
            thread.join();
            if (failure[0] != null) {
                throw new AssertionError("the application failed: " + failure[0]);
            }
            return new WeakReference<>(loader);
        }
    }

    private void start() {
        if (withJfs) {
            Jfs.install();
        }
    }

    private static BooleanSupplier enough(boolean fast) {
        if (fast) { // both ends, both directions, and a thread has slept on the fast path
            return () -> Jfs.switched() == 4 && Jfs.sleeps() > 0;
        }
        AtomicInteger rounds = new AtomicInteger();
        return () -> rounds.incrementAndGet() > ROUNDS;
    }

    /** The message of a condition that failed, with the threads that may be the cause. */
    private static String threads() {
        return "the application's classes are unloaded; threads: " + Thread.getAllStackTraces().keySet();
    }
}
