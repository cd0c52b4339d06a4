package jfs.testing;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Work that another thread does meanwhile. */
public final class Background<T> {

    /**
     * How many checks in a row must find the thread waiting. So a thread that only passes through a waiting call is not
     * taken for one that waits.
     */
    private static final int LOOKS = 10;

    /** Work for another thread that has no result. */
    public interface Action {
        void run() throws Exception;
    }

    private final FutureTask<T> task;
    private final Thread thread;
    private final KernelThread kernelThread;

    private Background(FutureTask<T> task, Thread thread, KernelThread kernelThread) {
        this.task = task;
        this.thread = thread;
        this.kernelThread = kernelThread;
        thread.start();
    }

    public static <T> Background<T> call(Callable<T> work) {
        return call(work, runnable -> {
            Thread thread = new Thread(runnable, "background");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** @param threads makes the thread and does not start it */
    public static <T> Background<T> call(Callable<T> work, ThreadFactory threads) {
        KernelThread kernelThread = new KernelThread();
        FutureTask<T> task = new FutureTask<>(() -> {
            kernelThread.isThisThread();
            return work.call();
        });
        return new Background<>(task, threads.newThread(task), kernelThread);
    }

    public static Background<Void> run(Action action) {
        return call(() -> {
            action.run();
            return null;
        });
    }

    public Thread thread() {
        return thread;
    }

    public boolean isDone() {
        return task.isDone();
    }

    /** Waits for the work to end. Returns its result, or throws the exception that it threw. */
    public T result() throws Exception {
        try {
            return task.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw (Exception) e.getCause();
        } catch (TimeoutException e) {
            Throwable there = new Throwable(thread.getName() + " " + thread.getState());
            there.setStackTrace(thread.getStackTrace());
            throw new AssertionError("still here, in the thread of the cause", there);
        }
    }

    /** Returns when the thread waits in a socket operation. Fails if the work ends instead. */
    public Background<T> blocked() throws Exception {
        int[] looks = {0};
        Await.until(() -> thread.getName() + " blocks", () -> {
            if (task.isDone()) {
                throw new AssertionError("did not block but returned " + result());
            }
            looks[0] = waits() ? looks[0] + 1 : 0;
            return looks[0] >= LOOKS;
        });
        return this;
    }

    /** Whether the thread waits in a socket operation now, or passes through a waiting call. */
    boolean waits() {
        StackTraceElement[] stack = thread.getStackTrace();
        return stack.length > 0 && waits(stack[0]) && !kernelThread.runs();
    }

    /** Whether the thread is in a native method or parked. It may still run there: JFS's threads poll in a native method. */
    private static boolean waits(StackTraceElement top) {
        String type = top.getClassName();
        return top.isNativeMethod() && (type.startsWith("sun.nio.ch.") || type.startsWith("jfs.nativelib."))
                || top.getMethodName().startsWith("park");
    }
}
