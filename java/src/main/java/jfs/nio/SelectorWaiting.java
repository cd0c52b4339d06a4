package jfs.nio;

import java.io.IOException;
import java.nio.channels.spi.JfsEnd;
import java.nio.channels.spi.JfsWaiting;
import java.util.function.BooleanSupplier;
import jfs.memory.Shared;
import jfs.memory.SleepWords;
import jfs.memory.WakeWord;
import jfs.nativelib.Posix;
import jfs.threads.VirtualThreads;
import jfs.wait.DescriptorWatch;
import jfs.wait.News;
import jfs.wait.SelectorPolling;

/** How one selector waits for news in shared memory: as a thread of a connection that waits for its peer. */
final class SelectorWaiting implements JfsWaiting, News {

    /** The selector has to ask the kernel too, at least this often. Microseconds. */
    private static final int POLL_MICROS_MAX = 50;

    private final int epoll;
    private final SelectorPolling polling;
    private final DescriptorWatch kernel;
    private final SleepWords words = new SleepWords();
    private final WakeWord own = new WakeWord();
    private BooleanSupplier news;
    /** The kernel has refused a sleep at words. */
    private boolean fails;

    /** @param pollMicros the longest poll; 0 for none */
    SelectorWaiting(int epoll, Runnable kernelNews, int pollMicros) {
        this.epoll = epoll;
        this.polling = new SelectorPolling(Math.min(pollMicros, POLL_MICROS_MAX));
        this.kernel = new DescriptorWatch(epoll, kernelNews);
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

    @Override
    public void found() {
        polling.found();
    }

    /** The kernel's selection is watched, or it can't be slept here. */
    @Override
    public boolean canSleep() {
        return !fails && Shared.canSleep() && !VirtualThreads.isCurrent() && kernel.begin();
    }

    @Override
    public void prepare() {
        words.clear();
    }

    @Override
    public long arm(JfsEnd end, int wanted) {
        return ((ChannelEnd) end).arm(wanted, words);
    }

    @Override
    public int words() {
        return words.count();
    }

    @Override
    public boolean kernelHasEvent() {
        return Posix.poll(epoll, Posix.POLLIN, -1, 0, 0) != 0;
    }

    @Override
    public void announce() {
        own.announce();
    }

    @Override
    public void sleep(long nanos) {
        fails = !words.sleep(own, nanos);
        own.retract();
    }

    @Override
    public void wake() {
        own.wake();
    }

    @Override
    public void close() {
        kernel.end();
    }
}
