package jfs.wait;

/** A descriptor that polls readable after the peer or a thread of this process has rung. */
public interface Doorbell {

    /** Valid as long as the connection's memory is. */
    int descriptor();

    /** Makes the descriptor unreadable again. Never blocks. */
    void acknowledge();

    /** Rings this bell from its own process. Never blocks. */
    void ringOurselves();
}
