package jfs.launcher;

import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** Makes an uncaught exception's stack trace end where it would without a launcher: in the program's main method. */
final class LauncherFrames {

    private static final String PACKAGE = LauncherFrames.class.getPackageName() + ".";

    private final Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    static void remove(Throwable thrown) {
        try {
            new LauncherFrames().removeFrom(thrown);
        } catch (RuntimeException e) {
            // An exception class may override these getters with code that fails. Then its trace stays as it is: the
            // handler must get the program's exception, and not the one that is caught here.
        }
    }

    private void removeFrom(Throwable thrown) {
        if (thrown == null || !seen.add(thrown)) {
            return;
        }
        StackTraceElement[] trace = thrown.getStackTrace();
        int length = trace.length;
        if (length > 0 && isLaunchers(trace[length - 1])) { // a trace without this frame comes from another thread
            while (length > 0 && (isLaunchers(trace[length - 1]) || isJdks(trace[length - 1]))) {
                length--;
            }
            thrown.setStackTrace(Arrays.copyOf(trace, length));
        }
        removeFrom(thrown.getCause());
        for (Throwable suppressed : thrown.getSuppressed()) {
            removeFrom(suppressed);
        }
    }

    private static boolean isLaunchers(StackTraceElement frame) {
        return frame.getClassName().equals("JFSLauncher") || frame.getClassName().startsWith(PACKAGE);
    }

    /** The JDK's frames between the launcher's frame and the program's first: Class.forName, if a static initialiser fails. */
    private static boolean isJdks(StackTraceElement frame) {
        return "java.base".equals(frame.getModuleName());
    }
}
