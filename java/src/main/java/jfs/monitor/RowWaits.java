package jfs.monitor;

import jfs.spi.FastPath;
import jfs.spi.WaitCounters;

/** The waits of one connection's path, in its row of the {@link ConnectionTable}. */
public final class RowWaits implements WaitCounters {

    private final int row;

    private RowWaits(int row) {
        this.row = row;
    }

    /** From now on the path counts its waits there. @param row see {@link ConnectionTable#enter} */
    public static void count(FastPath path, int row) {
        path.countWaitsIn(new RowWaits(row));
    }

    @Override
    public void waited(boolean reader, boolean found) {
        ConnectionTable.waited(row, reader, found);
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
