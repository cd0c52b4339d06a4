package jfs.spi;

import java.io.IOException;

/** What an offer names is not there any more, or never was for this process. Another offer may do, so the offerer is to be told. */
public final class StaleOfferException extends IOException {

    private static final long serialVersionUID = 1;

    public StaleOfferException(String message) {
        super(message);
    }
}
