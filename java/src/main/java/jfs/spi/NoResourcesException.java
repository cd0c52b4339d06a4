package jfs.spi;

import java.io.IOException;

/** This process has, or should keep, too little of something for one more fast connection. */
public final class NoResourcesException extends IOException {

    private static final long serialVersionUID = 1;

    public NoResourcesException(String message) {
        super(message);
    }
}
