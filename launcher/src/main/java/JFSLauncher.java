import jfs.launcher.Program;

/**
 * Runs an unmodified program on JFS sockets:
 *
 * <pre>
 * java -cp jfs.jar[:the program's class path] JFSLauncher [-jar app.jar | MainClass] args...
 * </pre>
 *
 * <p>Both factories of {@code java.net} are installed, then {@code MainClass} runs as under {@code java MainClass}:
 * with its arguments as given, on the main thread, with its own exceptions, exit code and uncaught exception handlers.
 * Where JFS can't work, the program runs on the JDK's own sockets. {@link Program} has the details.
 *
 * <p>One trace of the launcher is left: a stack trace that the program itself takes ends in a frame of
 * {@code JFSLauncher.main}. It is a single frame, because method handles show no frames of their own. The stack trace of an
 * uncaught exception doesn't have that frame.
 *
 * <p>This class is in the unnamed package so that its name is short. No other class of JFS is in that package: the program
 * could have a class of the same name there.
 */
public final class JFSLauncher {

    private JFSLauncher() {
    }

    /**
     * Installs JFS and runs the program.
     *
     * @param args what to run, then its arguments
     * @throws Throwable what the program's main method threw
     */
    public static void main(String[] args) throws Throwable {
        Program program = Program.prepare("java -cp jfs.jar[:class path] JFSLauncher", args);
        try {
            program.initialise();
            program.main().invokeExact(program.arguments());
        } catch (Throwable e) {
            throw Program.thrown(e);
        }
    }
}
