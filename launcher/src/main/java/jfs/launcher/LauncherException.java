package jfs.launcher;

/** What was asked for can't be done; the message says why. */
final class LauncherException extends Exception {
    private static final long serialVersionUID = 1L;

    final int exitCode;

    /** Something that makes no sense as it was asked for: one line, exit code 2. */
    LauncherException(String message) {
        this(line(message), 2);
    }

    private LauncherException(String message, int exitCode) {
        super(message);
        this.exitCode = exitCode;
    }

    /** Something that was tried and failed: one line, exit code 1. */
    static LauncherException failure(String message) {
        return new LauncherException(line(message), 1);
    }

    /** A program that is broken in itself: what the java command says of it, which people and tools know. */
    static LauncherException inJavasWords(String message) {
        return new LauncherException(message, 1);
    }

    /** Whatever a message holds, one line of ours. */
    static String line(String message) {
        return (message.startsWith("JFS: ") ? message : "JFS: " + message).replaceAll("\\R", " ");
    }
}
