package jfs.conformance;

import java.io.IOException;
import jfs.testing.Segments;

/** The memory outside the Java heap that connections of this process keep. */
final class Resident {

    private Resident() {
    }

    /** Resident bytes of the shared segments that this process has mapped, or of its messages between hosts. */
    static long bytes() throws IOException {
        return Subject.current() == Subject.MX ? Messages.held() : Segments.residentBytes();
    }
}
