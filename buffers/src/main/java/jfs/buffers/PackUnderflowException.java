package jfs.buffers;

import java.nio.BufferUnderflowException;

/** A buffer has fewer bytes than the elements that are to be unpacked from it. Nothing was unpacked. */
public class PackUnderflowException extends BufferUnderflowException {

    private static final long serialVersionUID = 1;

    private final String message;

    /** @param message how many bytes the elements need, and how many there are */
    public PackUnderflowException(String message) {
        this.message = message;
    }

    @Override
    public String getMessage() {
        return message;
    }
}
