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
 * <p>The one trace left: a stack trace that the program takes itself ends in a frame of {@code JFSLauncher.main}. It is
 * one frame only, because method handles show none of their own, and an uncaught exception doesn't have it.
 *
 * <p>This class lives in the unnamed package for the sake of its short name, and alone: any other class of that package
 * could be one of the program's.
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
