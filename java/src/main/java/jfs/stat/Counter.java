package jfs.stat;

import jfs.monitor.ConnectionTable;

/**
 * A number of events of this process. It only grows, except that the number of a reason is taken back when the reason passes. The command
 * {@code status} shows it too. Any thread may read it at any time; only JFS counts.
 */
public final class Counter {

    private final int index;
    /** Of a reason; null for the process's counters. */
    private final String reason;
    private volatile long value;

    private Counter(int index, String reason) {
        this.index = index;
        this.reason = reason;
    }

    /** @param index the place among the process's counters, as the layout of the table lists them */
    static Counter ofProcess(int index) {
        return new Counter(index, null);
    }

    /** @param index the reason's ordinal number */
    static Counter ofReason(int index, String name) {
        return new Counter(index, name);
    }

    public void increment() {
        add(1);
    }

    void decrement() {
        add(-1);
    }

    private synchronized void add(int more) {
        value += more;
        if (reason == null) {
            ConnectionTable.count(index, value);
        } else {
            ConnectionTable.countReason(index, reason, value);
        }
    }

    /** How many events there were so far. */
    public long sum() {
        return value;
    }
}
