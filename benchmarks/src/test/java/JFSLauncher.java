import java.util.Arrays;

/** Stands in for jfs.jar, launcher and agent: the program runs over the JDK's sockets, and that is said as JFS would. */
public final class JFSLauncher {
    private JFSLauncher() {}

    public static void premain(String options) {
        System.err.println("jfs: fallback stand-in");
    }

    public static void main(String[] args) throws Exception {
        System.err.println("jfs: fallback stand-in");
        Class.forName(args[0]).getMethod("main", String[].class).invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
    }
}
