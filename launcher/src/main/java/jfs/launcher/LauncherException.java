package jfs.launcher;

/** The command can't be executed; the message says why. */
public final class LauncherException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    /** The command is wrong as it was given: the message is one line, the exit code 2. */
    public LauncherException(String message) {
        this(line(message), 2);
    }

    private LauncherException(String message, int exitCode) {
        super(message);
        this.exitCode = exitCode;
    }

    /** The command was tried and failed: the message is one line, the exit code 1. */
    public static LauncherException failure(String message) {
        return new LauncherException(line(message), 1);
    }

    /** The program itself is broken: the message is the java command's, which people and tools know. The exit code is 1. */
    static LauncherException inJavasWords(String message) {
        return new LauncherException(message, 1);
    }

    public int exitCode() {
        return exitCode;
    }

    /** Makes one line of a message, which begins with "jfs: ". */
    public static String line(String message) {
        return (message.startsWith("jfs: ") ? message : "jfs: " + message).replaceAll("\\R", " ");
    }
}
