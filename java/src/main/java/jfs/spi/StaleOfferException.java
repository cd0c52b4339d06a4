package jfs.spi;

import java.io.IOException;

/**
 * The offer names something that does not exist any more, or never did for this process. Another offer may succeed, so the process that
 * has made the offer is to be told.
 */
public final class StaleOfferException extends IOException {

    private static final long serialVersionUID = 1;

    public StaleOfferException(String message) {
        super(message);
    }
}
