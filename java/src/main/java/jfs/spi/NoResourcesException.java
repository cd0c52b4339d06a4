package jfs.spi;

import java.io.IOException;

/** This process has too little of a resource for one more fast connection, or has to keep the rest of it for the program. */
public final class NoResourcesException extends IOException {

    private static final long serialVersionUID = 1;

    public NoResourcesException(String message) {
        super(message);
    }
}
