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
    /** The channels that were abandoned and whose peers have not confirmed their end yet. */
    private final Set<MxChannel> lingering = ConcurrentHashMap.newKeySet();
    /**
     * Written by the thread that looks for completions. {@code allFail}: a message was lost for want of memory, and its channel
     * is not known. {@code someUntold}: some channels have still to be told of such a failure.
     */
    private volatile boolean allFail;
    private volatile boolean someUntold;

    /** @param last the number before the first one that is given out */
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

    /** @param maker makes the channel with that number */
    MxChannel add(IntFunction<MxChannel> maker) {
        for (;;) {
            MxChannel it = maker.apply(numbers.incrementAndGet());
            if (all.putIfAbsent(it.number(), it) == null) {
                return it;
            }
        }
    }

    /** @return null if there is no such channel */
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

    /** Whether the channels need looks even if no message comes: one lingers, or has still to be told of a failure. */
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
     * A message could not be taken in for want of memory. Its place in its channel's sequence stays empty, so no later message of
     * that channel could ever be taken in.
     *
     * @param channel null if there was no memory to find out which
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

    /**
     * Fails the channels that have lost a message. Called at each look until there is enough memory for it: a thread that sleeps
     * would not hear of the failure otherwise.
     */
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
            // Tried again at the next look.
        }
    }
}
