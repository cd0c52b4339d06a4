package jfs.buffers;

import java.io.IOException;

/**
 * What came from the peer is no message, or one that this receiver does not accept: a header without sense, lengths that contradict each
 * other, more bytes than the receiver allows, objects that can't or must not be read.
 */
public class MalformedMessageException extends IOException {

    private static final long serialVersionUID = 1;

    /** @param message what is wrong: the name of the field, its value, and what is allowed */
    public MalformedMessageException(String message) {
        super(message);
    }

    /**
     * @param message what is wrong
     * @param cause what the reading of the objects threw
     */
    public MalformedMessageException(String message, Throwable cause) {
        super(message, cause);
    }
}
