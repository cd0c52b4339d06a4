package jfs.stat;

import java.util.concurrent.atomic.LongAdder;
import jfs.monitor.ConnectionTable;

/** A number of events of this process, which the process's table shows too. Any thread may count and read. */
final class Counter extends LongAdder {
    private static final long serialVersionUID = 1L;

    private final int index;
    /** Of a reason; null for the process's counters. */
    private final String reason;

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

    /** One thread at a time, so that the table gets no older value after a newer one. */
    @Override
    public synchronized void add(long more) {
        super.add(more);
        if (reason == null) {
            ConnectionTable.count(index, sum());
        } else {
            ConnectionTable.countReason(index, reason, sum());
        }
    }
}
