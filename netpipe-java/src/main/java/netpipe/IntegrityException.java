package netpipe;

import java.io.IOException;

/** A message has arrived with other contents than it was sent with. */
final class IntegrityException extends IOException {

    private static final long serialVersionUID = 1;

    IntegrityException(int expected, int received) {
        super("Integrity check failed: Expecting " + expected + " but received " + received);
    }
}
