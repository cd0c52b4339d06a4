package jfs.nio;

import java.io.IOException;
import java.nio.channels.spi.JfsPolling;
import java.util.function.BooleanSupplier;
import jfs.wait.News;
import jfs.wait.Polling;

/** The polling of one selector: that of a thread that waits for news in shared memory. */
final class SelectorPolling implements JfsPolling, News {

    /** The selector has to ask the kernel too, at least this often. Microseconds. */
    private static final int MICROS_MAX = 50;

    private final Polling polling;
    private BooleanSupplier news;

    SelectorPolling(int micros) {
        polling = Polling.ofMemory(Math.min(micros, MICROS_MAX));
    }

    @Override
    public boolean poll(BooleanSupplier isNews) {
        news = isNews;
        try {
            return polling.poll(this);
        } catch (IOException e) { // arrived() throws none
            return true;
        }
    }

    @Override
    public boolean arrived() {
        return news.getAsBoolean();
    }

    @Override
    public void slept(long nanos) {
        polling.slept(nanos);
    }
}
