package jfs.monitor;

/** A number of events of this process, which only grows unless its user takes events back. It is shown in the process's table. */
public final class Counter {

    private final int index;
    /** Of a reason; null for the process's counters. */
    private final String reason;
    private volatile long value;

    private Counter(int index, String reason) {
        this.index = index;
        this.reason = reason;
    }

    /** @param index the place among the process's counters, as {@link TableLayout} lists them */
    public static Counter ofProcess(int index) {
        return new Counter(index, null);
    }

    /** @param index the reason's ordinal number */
    public static Counter ofReason(int index, String name) {
        return new Counter(index, name);
    }

    public void increment() {
        add(1);
    }

    public void decrement() {
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
