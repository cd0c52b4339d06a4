package jfs.spi;

import java.io.IOException;

/** What a transport stands on is of another version at the peer, and the two don't fit. */
public final class OtherVersionException extends IOException {

    private static final long serialVersionUID = 1;

    public OtherVersionException(String message) {
        super(message);
    }
}
