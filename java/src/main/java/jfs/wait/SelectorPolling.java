package jfs.wait;

import java.io.IOException;

/**
 * {@link Polling#ofMemory} for the thread of a selector. Where other threads of this process compute, they may do what that thread has
 * handed to them. Then they are soon done, and a poll that yields the core early brings the answer sooner than a sleep. Or they have work of
 * their own, which a poll delays. So both ways are tried in turns, and the caller tells what it has {@link #found}.
 *
 * <p>A class of its own, because each connection has objects of the other one.
 */
public final class SelectorPolling extends Polling {

    /** Whether polls pay although other threads of this process compute. */
    private final PollTrial besideOthers = new PollTrial(true);
    /** Other threads computed at the last wait, so what it finds counts for {@link #besideOthers}. */
    private boolean tries;

    /** @param micros the longest poll, microseconds; with 0 the thread never polls, and yields no core */
    public SelectorPolling(int micros) {
        this(Cores.HERE, micros);
    }

    SelectorPolling(Cores cores, int micros) {
        super(cores, micros, NewsKind.MEMORY, null);
    }

    @Override
    public boolean poll(News news) throws IOException {
        tries = false;
        return super.poll(news);
    }

    @Override
    boolean pollsBesideOthers() {
        tries = !cores.isSingleCore();
        return tries && besideOthers.polls();
    }

    /** The selector has found news of a path, however it has waited. Called after {@link #poll}. */
    public void found() {
        if (tries) {
            besideOthers.ended(cores.nanoTime());
        }
    }
}
