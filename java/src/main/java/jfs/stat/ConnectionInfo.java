package jfs.stat;

/** One connection of this process, as {@link SocketsMXBean} and the command {@code status} show it. What is not known is null. */
public interface ConnectionInfo {

    /** The address of this end; null if the kernel's list of sockets can't be read. */
    String getOwnAddress();

    /** The port of this end. */
    int getOwnPort();

    /** The address of the other end. */
    String getPeerAddress();

    /** The port of the other end. */
    int getPeerPort();

    /** What the program has: Socket or SocketChannel. */
    String getSocketClass();

    /** Whether a listener of this process has accepted the connection; else the process has opened it. */
    boolean isAccepted();

    /** When the connection began, milliseconds since 1970. */
    long getSince();

    /** PLAIN, CANDIDATE, OFFERED, ATTACHED, REFUSED or CLOSING (docs/design.md draws the states). */
    String getState();

    /** The transport of the path, for example sci; null while there is none. */
    String getTransport();

    /** Whether bytes go by the path in at least one direction. */
    boolean isFast();

    /** The name of the {@link Reason} why the connection is on TCP; null if there is none, or none so far. */
    String getReason();

    /** Why the connection is not fast, in words; null if it is. */
    String getWhy();

    /** What the user can do about it; null if it is fast. */
    String getRemedy();

    /** What this end receives. */
    DirectionInfo getIn();

    /** What this end sends. */
    DirectionInfo getOut();
}
