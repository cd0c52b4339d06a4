package jfs.nativelib;

import java.lang.reflect.Method;
import java.nio.file.Path;

/** What the calls of all classes with native methods share. */
final class NativeCalls {

    static final int EINVAL = 22;
    static final int PAGE = 4096;
    static final int SIZE = 16 * PAGE;
    /** Milliseconds in which what a call waits for must happen. */
    static final int WHILE = 10_000;

    /** Calls one native method, or several that belong together, and checks what they return. */
    interface Call {
        void make() throws Exception;
    }

    private NativeCalls() {
    }

    /** Fails if the two are not equal. */
    static void is(Object expected, Object found) {
        if (expected == null ? found != null : !expected.equals(found)) {
            throw new AssertionError("expected " + expected + ", got " + found);
        }
    }

    /** A segment id that no other process that runs this program uses. */
    static int segmentId() {
        return (int) ProcessHandle.current().pid();
    }

    /** Calls the method {@code load} of that class. @return the reason if the library can't be used, else null */
    static String load(Class<?> calls, Path library, boolean vendors) throws Exception {
        Method load = calls.getDeclaredMethod("load", String.class, boolean.class);
        load.setAccessible(true);
        return (String) load.invoke(null, library.toString(), vendors);
    }
}
