package jfs.conformance.endings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;

import java.net.SocketException;
import org.junit.jupiter.api.function.Executable;

/** The exceptions that end a connection. */
final class SocketExceptions {

    private SocketExceptions() {
    }

    /** Asserts that the call throws a SocketException, and none of its subclasses, with this message. */
    static void assertSocketException(String message, Executable call) {
        assertEquals(message, assertThrowsExactly(SocketException.class, call).getMessage());
    }
}
