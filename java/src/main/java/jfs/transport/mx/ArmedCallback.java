package jfs.transport.mx;

import java.util.concurrent.atomic.AtomicReference;
import jfs.mx.Leadership;

/**
 * The callback of an armed direction. While it is armed it counts as a thread that sleeps and follows ({@link Leadership}), so that some
 * thread is at the endpoint for its messages. Any thread may run it or end it. It ends once.
 */
final class ArmedCallback implements Runnable {

    private final Leadership leadership;
    /** The caller's callback; null once it has been run or disarmed. */
    private final AtomicReference<Runnable> callback;

    ArmedCallback(Leadership leadership, Runnable callback) {
        this.leadership = leadership;
        this.callback = new AtomicReference<>(callback);
        leadership.beginSleep();
    }

    /** From now on the callback is not armed. @return the caller's callback, null if it had ended before */
    private Runnable take() {
        Runnable it = callback.getAndSet(null);
        if (it != null) {
            leadership.endSleep();
        }
        return it;
    }

    void end() {
        take();
    }

    @Override
    public void run() {
        Runnable it = take();
        if (it != null) {
            it.run();
        }
    }
}
