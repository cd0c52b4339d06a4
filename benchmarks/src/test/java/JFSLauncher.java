import java.util.Arrays;

/** A stand-in for jfs.jar as launcher and agent. The program runs over the JDK's sockets. The log lines have JFS's form. */
public final class JFSLauncher {
    private JFSLauncher() {}

    /** Logs a switch for whatever connection the program makes, so that a test notices a run without the agent. */
    public static void premain(String options) {
        System.err.println("jfs: switched stand-in for " + System.getProperty("sun.java.command"));
    }

    public static void main(String[] args) throws Exception {
        System.err.println("jfs: fallback stand-in");
        Class.forName(args[0]).getMethod("main", String[].class).invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
    }
}
