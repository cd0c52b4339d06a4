package jfs.monitor;

import java.net.InetAddress;

/**
 * One end of a connection, as the table of its process showed it at one moment.
 *
 * @param row where the table has it
 * @param peer the address of the other end
 * @param channel whether the program has a SocketChannel; else it has a Socket
 * @param accepted whether the process has accepted the connection; else it has opened it
 * @param since milliseconds since 1970
 * @param state the life of the connection: PLAIN, CANDIDATE, OFFERED, ATTACHED, REFUSED or CLOSING
 * @param transport by which the path goes; empty while there is none
 * @param reason the name of a {@link jfs.stat.Reason}; empty if there is none, or none so far
 * @param detail what the reason says beyond its own text; empty if nothing
 * @param ring bytes of the ring of each direction; 0 if there is none
 * @param turnarounds over TCP: writes that followed a read
 */
public record ConnectionView(int row, InetAddress peer, int port, int ownPort, boolean channel, boolean accepted, long since, String state,
        String transport, String reason, String detail, int ring, int turnarounds, Direction in, Direction out) {

    /** No connection. */
    static final ConnectionView NONE = new ConnectionView(0, null, 0, 0, false, false, 0, "", "", "", "", 0, 0,
            new Direction("", 0, 0, 0, 0, 0), new Direction("", 0, 0, 0, 0, 0));

    /**
     * One direction of a connection.
     *
     * @param phase TCP, TCP_ONLY, BOTH, FAST, ENDED or BROKEN
     * @param bytes of the stream so far
     * @param overTcp those of them that went over TCP, without files that the kernel sent
     * @param found waits that ended while the thread polled
     * @param sleeps waits in which the thread slept in the kernel
     * @param bells how often the thread has woken one of the peer
     */
    public record Direction(String phase, long bytes, long overTcp, long found, long sleeps, long bells) {
    }

    /** What the program has, by the simple name of its class. */
    public String socketClass() {
        return channel ? "SocketChannel" : "Socket";
    }

    /** Whether bytes go by the path in at least one direction. */
    public boolean isFast() {
        return in.phase().equals("FAST") || out.phase().equals("FAST");
    }
}
