package jfs.mx;

import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** The channels of an endpoint, by their numbers, and what is done to all of them. Thread-safe; nothing blocks. */
final class Channels implements Iterable<MxChannel> {

    private final Map<Integer, MxChannel> all = new ConcurrentHashMap<>();
    private final AtomicInteger numbers;
    /** Those that nobody holds any more and whose peers have not confirmed their end. */
    private final Set<MxChannel> lingering = ConcurrentHashMap.newKeySet();
    /** By who looks for completions. */
    private volatile boolean allFail;
    private volatile boolean someUntold;

    /** @param last where numbers begin */
    Channels(int last) {
        this.numbers = new AtomicInteger(last);
    }

    int size() {
        return all.size();
    }

    @Override
    public Iterator<MxChannel> iterator() {
        return all.values().iterator();
    }

    /** @param maker makes the one with that number */
    MxChannel add(IntFunction<MxChannel> maker) {
        for (;;) {
            MxChannel it = maker.apply(numbers.incrementAndGet());
            if (all.putIfAbsent(it.number(), it) == null) {
                return it;
            }
        }
    }

    /** Null if there is none. */
    MxChannel of(int number) {
        return all.get(number);
    }

    boolean has(MxChannel channel) {
        return all.containsKey(channel.number());
    }

    void forget(MxChannel channel) {
        all.remove(channel.number(), channel);
        lingering.remove(channel);
    }

    void linger(MxChannel channel) {
        lingering.add(channel);
    }

    /** Whether there is something to look after though no message comes: one that lingers, or that is still to be told. */
    boolean needLooks() {
        return someUntold || !lingering.isEmpty();
    }

    void giveUpSilent(long now) {
        for (MxChannel channel : lingering) {
            channel.giveUpIfSilent(now);
        }
    }

    void failAll(String why) {
        for (MxChannel channel : this) {
            if (!channel.failed()) {
                channel.fail(why);
            }
        }
    }

    /**
     * A message could not be taken in: its place among its channel's stays empty, so nothing behind it would ever be.
     *
     * @param channel null if there was no memory to know which
     */
    void failForWantOfMemory(MxChannel channel) {
        if (channel == null) {
            allFail = true;
        } else {
            channel.setFailure(MxChannel.NO_MEMORY);
        }
        someUntold = true;
        tellOfWant();
    }

    /** Again and again until there is memory for it: who sleeps would not hear of it. */
    void tellOfWant() {
        if (!someUntold) {
            return;
        }
        try {
            for (MxChannel channel : this) {
                if (allFail || channel.failed()) {
                    channel.fail(MxChannel.NO_MEMORY);
                }
            }
            allFail = false;
            someUntold = false;
        } catch (OutOfMemoryError e) {
            // The next time.
        }
    }
}
