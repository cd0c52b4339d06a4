package jfs.wait;

import java.io.IOException;

/** Something to wait for. Cheap enough to ask millions of times a second. */
@FunctionalInterface
public interface News {

    /** Whether waiting is over. */
    boolean arrived() throws IOException;
}
