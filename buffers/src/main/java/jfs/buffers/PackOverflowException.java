package jfs.buffers;

import java.nio.BufferOverflowException;

/** There is no room for the elements, in a message or in a buffer. Nothing was written. */
public class PackOverflowException extends BufferOverflowException {

    private static final long serialVersionUID = 1;

    private final String message;

    /** @param message how many bytes the elements need, and how many there are */
    public PackOverflowException(String message) {
        this.message = message;
    }

    @Override
    public String getMessage() {
        return message;
    }
}
