package jfs.spi;

/**
 * Why a transport is not used in this process. The connections that would use it stay on TCP.
 *
 * @param reason the name of the reason at which these connections are counted: a constant of {@code jfs.stat.Reason} that does
 *            not pass. With any other name they are counted at {@link #NO_TRANSPORT}
 * @param detail the cause in one line, for the log
 * @param overridable whether a rule that says {@code forced} uses the transport in spite of the obstacle. Can be true only for a transport
 *             between hosts
 */
public record Obstacle(String reason, String detail, boolean overridable) {

    /** The reason for transports that have no reason of their own. */
    public static final String NO_TRANSPORT = "NO_TRANSPORT";
}
