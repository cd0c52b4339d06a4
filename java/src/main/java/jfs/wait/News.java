package jfs.wait;

import java.io.IOException;

/** Something that a thread waits for. {@link #arrived} is cheap enough for millions of calls a second. */
@FunctionalInterface
public interface News {

    /** Whether the wait is over. */
    boolean arrived() throws IOException;
}
