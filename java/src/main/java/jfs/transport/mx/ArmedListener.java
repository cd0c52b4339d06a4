package jfs.transport.mx;

import java.util.concurrent.atomic.AtomicBoolean;
import jfs.mx.Leadership;

/**
 * The listener of an armed direction. While it is armed it counts as a thread that sleeps and follows ({@link Leadership}), so that some
 * thread is at the endpoint for its messages. Any thread may run it; it ends once.
 */
final class ArmedListener implements Runnable {

    private final Leadership leadership;
    private final Runnable news;
    private final AtomicBoolean ended = new AtomicBoolean();

    ArmedListener(Leadership leadership, Runnable news) {
        this.leadership = leadership;
        this.news = news;
        leadership.beginSleep();
    }

    /** From now on the listener is not armed. @return whether it was until now */
    boolean end() {
        boolean first = ended.compareAndSet(false, true);
        if (first) {
            leadership.endSleep();
        }
        return first;
    }

    @Override
    public void run() {
        if (end()) {
            news.run();
        }
    }
}
