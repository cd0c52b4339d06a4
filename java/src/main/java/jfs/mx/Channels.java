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

    boolean someLinger() {
        return !lingering.isEmpty();
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

    /** @param channel null if there was none to know which */
    void failForWantOfMemory(MxChannel channel) {
        try {
            if (channel != null) {
                channel.fail(MxChannel.NO_MEMORY);
            } else {
                failAll(MxChannel.NO_MEMORY);
            }
        } catch (OutOfMemoryError e) {
            // It has failed, and whoever looks sees it.
        }
    }
}
