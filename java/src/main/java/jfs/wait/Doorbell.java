package jfs.wait;

/** A descriptor that polls readable after somebody has rung: the peer, or a thread of our own. */
public interface Doorbell {

    /** Valid as long as the connection's memory is. */
    int descriptor();

    /** Makes it unreadable again; never blocks. */
    void acknowledge();

    /** Rings our own bell; never blocks. */
    void ringOurselves();
}
