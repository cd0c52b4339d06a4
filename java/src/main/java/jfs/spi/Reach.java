package jfs.spi;

/** The peer processes to which a transport can carry bytes. It decides how the two processes find each other, and what they prove. */
public enum Reach {
    /** Processes of this host. Each finds out from the kernel that the other one holds the connection's other end. */
    THIS_HOST,
    /** Processes of other hosts. A rule has to choose the transport. The processes prove to each other that they have the same key. */
    OTHER_HOSTS
}
