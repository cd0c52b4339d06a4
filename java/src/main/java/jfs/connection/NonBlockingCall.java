package jfs.connection;

import java.nio.ByteBuffer;
import jfs.transport.tcp.TcpEnd;
import jfs.wait.Deadline;

/**
 * A read or write that does not wait, and what is kept from one such call to the next. Connections that are only streams have none. Used
 * under the lock of the direction.
 */
final class NonBlockingCall {

    /** What is read into or written from; null between two calls. */
    ByteBuffer buffer;
    /** Until when TCP may be silent; NONE before the path has told of an error of which TCP has not told. */
    private long errorDeadline = Deadline.NONE;

    /** Whether TCP has not told of the error in the time for it. The time runs from the first question on. */
    boolean isErrorOverdue() {
        if (errorDeadline == Deadline.NONE) {
            errorDeadline = Deadline.in(TcpEnd.ERROR_MILLIS_MAX);
        }
        return Deadline.hasPassed(errorDeadline);
    }
}
