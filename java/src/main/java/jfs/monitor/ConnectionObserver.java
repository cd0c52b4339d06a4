package jfs.monitor;

/**
 * Is told what happens to the connections of this process. The calls come on any thread, also on a program's thread that reads or writes,
 * and under locks of the connection. They must be quick, must not block, and must call nothing of the connection. What they throw is
 * dropped. A connection is named by its row ({@link ConnectionTable#enter}).
 */
public interface ConnectionObserver {

    /** A connection has begun. */
    void began(int row);

    /**
     * A direction goes by the path from now on.
     *
     * @param in whether it is what this end reads; else what it writes
     * @param overTcp how many bytes went over TCP before
     */
    void switched(int row, boolean in, String transport, long overTcp);

    /** The connection stays on TCP, for now or for good. @param reason its name. @param text why, in words */
    void fellBack(int row, String reason, String text);

    /** The peer process has gone without a word. @param in whether the reader has found that; else the writer */
    void peerDied(int row, boolean in);
}
