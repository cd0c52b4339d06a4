package jfs.monitor;

import jfs.spi.WaitCounters;

/** The waits of one connection's path, in its row of the {@link ConnectionTable}. */
public final class RowWaits implements WaitCounters {

    private final int row;

    /** @param row see {@link ConnectionTable#enter} */
    public RowWaits(int row) {
        this.row = row;
    }

    @Override
    public void waited(boolean reader, boolean found) {
        ConnectionTable.waited(row, reader, found);
    }

    @Override
    public void rang(boolean reader) {
        ConnectionTable.rang(row, reader);
    }
}
