package jfs.spi;

import java.io.IOException;

/** The peer has another version of the library under the transport, and the two versions do not work together. */
public final class OtherVersionException extends IOException {

    private static final long serialVersionUID = 1;

    public OtherVersionException(String message) {
        super(message);
    }
}
