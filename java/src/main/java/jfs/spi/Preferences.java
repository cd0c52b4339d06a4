package jfs.spi;

/**
 * What matters most for one connection, as its program has stated it. As in {@link java.net.Socket#setPerformancePreferences}, only the
 * comparison of the numbers counts: the larger one matters more. Negative numbers are allowed.
 *
 * @param latency the importance of an early answer
 * @param bandwidth the importance of many bytes a second
 * @param cpu the importance of little processor time
 */
public record Preferences(int latency, int bandwidth, int cpu) {

    /**
     * How many times as long as usual a thread polls if latency matters more than processor time, and how many times as long the pieces of
     * a write are if bandwidth matters more than latency.
     */
    private static final int LONGER = 4;

    /** Microseconds. No preference makes a poll longer than this. */
    private static final int LONGEST_POLL = 1_000;

    /**
     * How long a thread polls at most before it sleeps.
     *
     * @param usual microseconds; 0 if no thread of the process is to poll, whatever a program prefers
     * @param cheap how long a poll may take that costs less processor time than a sleep and a wake-up, microseconds
     * @return microseconds; 0: it does not poll
     */
    public int pollMicros(int usual, int cheap) {
        if (savesCpu()) {
            return Math.min(usual, cheap);
        }
        return latency > cpu ? Math.max(usual, Math.min(LONGER * usual, LONGEST_POLL)) : usual;
    }

    /** Whether little processor time matters more than an early answer. */
    public boolean savesCpu() {
        return cpu > latency;
    }

    /** From how many bytes on a write goes in several pieces. @param usual bytes */
    public int longMin(int usual) {
        return bandwidth > latency ? LONGER * usual : usual;
    }
}
