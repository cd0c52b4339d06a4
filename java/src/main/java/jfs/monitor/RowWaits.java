package jfs.monitor;

import jfs.spi.FastPath;
import jfs.spi.WaitCounters;

/**
 * The waits of one connection's path, in its row of the {@link ConnectionTable}. A wait that a poll ends is on the way of a message, of
 * which each nanosecond counts. Such waits are therefore counted here, and put into the row before the thread sleeps, or once there are
 * {@value #AT_ONCE} of them. So the row of a connection whose threads sleep is exact. If they wait for something else, up to
 * {@value #AT_ONCE} waits are missing.
 */
public final class RowWaits implements WaitCounters {

    private static final int AT_ONCE = 64;

    private final int row;
    /** Waits that a poll has ended, and that the row does not have yet. Each is guarded by the lock of its direction. */
    private int readerFound;
    private int writerFound;
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
            readerFound = put(true, readerFound);
        } else {
            writerSleep = begun;
            writerFound = put(false, writerFound);
        }
    }

    /** @return how many waits the row does not have now */
    private int put(boolean reader, int found) {
        if (found > 0) {
            ConnectionTable.waited(row, reader, found, 0);
        }
        return 0;
    }

    @Override
    public void waited(boolean reader, boolean found) {
        if (reader) {
            readerFound = counted(true, found, readerFound);
        } else {
            writerFound = counted(false, found, writerFound);
        }
        Object begun = found ? null : reader ? readerSleep : writerSleep;
        if (begun != null) {
            Observers.slept(begun, row, reader);
        }
    }

    /** @return how many waits the row does not have now */
    private int counted(boolean reader, boolean found, int before) {
        int waiting = found ? before + 1 : before;
        if (found && waiting < AT_ONCE) {
            return waiting;
        }
        ConnectionTable.waited(row, reader, waiting, found ? 0 : 1);
        return 0;
    }

    @Override
    public void rang(boolean reader) {
        ConnectionTable.rang(row, reader);
    }

    @Override
    public void hasRing(int bytes) {
        ConnectionTable.ring(row, bytes);
    }
}
