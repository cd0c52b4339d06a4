package jfs.monitor;

import jfs.spi.FastPath;
import jfs.spi.WaitCounters;

/** The waits of one connection's path, in its row of the {@link ConnectionTable}. */
public final class RowWaits implements WaitCounters {

    private final int row;
    /** The sleep that has begun, for the flight recorder, or null. Each under the lock of its direction. */
    private Object readerSleep;
    private Object writerSleep;

    private RowWaits(int row) {
        this.row = row;
    }

    /** From now on the path counts its waits there. @param row see {@link ConnectionTable#enter} */
    public static void count(FastPath path, int row) {
        path.countWaitsIn(new RowWaits(row));
    }

    @Override
    public void sleeps(boolean reader) {
        Object begun = ConnectionTable.isObserved() ? Observers.sleeps() : null;
        if (reader) {
            readerSleep = begun;
        } else {
            writerSleep = begun;
        }
    }

    @Override
    public void waited(boolean reader, boolean found) {
        ConnectionTable.waited(row, reader, found);
        Object begun = found ? null : reader ? readerSleep : writerSleep;
        if (begun != null) {
            Observers.slept(begun, row, reader);
        }
    }

    @Override
    public void rang(boolean reader) {
        ConnectionTable.rang(row, reader);
    }
}
