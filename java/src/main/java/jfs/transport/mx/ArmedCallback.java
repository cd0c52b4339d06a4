package jfs.transport.mx;

import java.util.concurrent.atomic.AtomicReference;
import jfs.mx.Leadership;

/**
 * The listener of an armed direction. While it is armed it counts as a thread that sleeps and follows ({@link Leadership}), so that some
 * thread is at the endpoint for its messages. Any thread may run it or end it. It ends once.
 */
final class ArmedListener implements Runnable {

    private final Leadership leadership;
    /** What is to be run; null once the listener has ended. */
    private final AtomicReference<Runnable> news;

    ArmedListener(Leadership leadership, Runnable news) {
        this.leadership = leadership;
        this.news = new AtomicReference<>(news);
        leadership.beginSleep();
    }

    /** From now on the listener is not armed. @return what was to be run, null if it had ended before */
    private Runnable take() {
        Runnable it = news.getAndSet(null);
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
