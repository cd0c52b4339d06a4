package jfs.stat;

/** One direction of a connection ({@link ConnectionInfo}). All numbers count since the connection began. */
public interface DirectionInfo {

    /** Which way the bytes go: TCP, TCP_ONLY (for good), BOTH (it watches TCP and the path), FAST, ENDED or BROKEN. */
    String getPhase();

    /** Bytes of the stream. Files that the kernel sends (FileChannel.transferTo) are not counted. */
    long getBytes();

    /** Those of them that went over TCP. */
    long getOverTcp();

    /** Waits that ended while the thread polled. */
    long getPolled();

    /** Waits in which the thread slept in the kernel. */
    long getSlept();

    /** How often the thread has woken one of the peer. */
    long getBells();
}
