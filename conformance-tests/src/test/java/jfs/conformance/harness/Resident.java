package jfs.conformance.harness;

import java.io.IOException;
import jfs.testing.Segments;

/** The memory outside the Java heap that connections of this process keep. */
public final class Resident {

    private Resident() {
    }

    /** Resident bytes of the shared segments that this process has mapped, or of its messages between hosts. */
    public static long bytes() throws IOException {
        return Subject.current() == Subject.MX ? Messages.held() : Segments.residentBytes();
    }
}
