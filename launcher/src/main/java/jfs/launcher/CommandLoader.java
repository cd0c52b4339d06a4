package jfs.launcher;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import jfs.JFSSocketImplFactory;

/**
 * Loads what only commands need: {@code jfs.launcher.commands}, picocli and NetPIPE. They are in a jar inside jfs.jar: each JVM that starts
 * with jfs.jar reads the list of all its files while it still interprets. Where there is no inner jar, as in a folder of classes, they are
 * loaded from beside this class. One thread uses an instance.
 */
final class CommandLoader extends ClassLoader {

    private static final String JAR = "/META-INF/jfs/commands.jar";
    private static final String COMMANDS = "jfs.launcher.commands.Commands";
    private static final String NETPIPE = "netpipe.NetPipe"; // the build relocates it
    /** NetPIPE on the JDK's sockets. It has to be the first argument. */
    private static final String PLAIN = "--plain";

    /** The files of the inner jar, by name. */
    private final Map<String, byte[]> files = new HashMap<>();

    private CommandLoader() throws IOException {
        super(CommandLoader.class.getClassLoader());
        try (InputStream jar = CommandLoader.class.getResourceAsStream(JAR)) {
            ZipInputStream in = new ZipInputStream(jar == null ? InputStream.nullInputStream() : jar);
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                files.put(entry.getName(), in.readAllBytes());
            }
        }
    }

    /** Executes a command on the calling thread, and returns its exit code. */
    static int execute(String[] args) throws Throwable {
        return (int) call(COMMANDS, "execute", args);
    }

    /**
     * Runs NetPIPE, which ends the JVM: {@code netpipe [--plain] ...}. Its sockets are JFS's, unless the user wants the JDK's. If a setting
     * is wrong, one line on stderr says so, and the exit code is 2.
     *
     * @param args the command's name and its arguments
     */
    static void netpipe(String[] args) throws Throwable {
        boolean plain = args.length > 1 && args[1].equals(PLAIN);
        try {
            if (!plain && !JFSSocketImplFactory.isInstalled()) { // an agent may have installed it
                JFSSocketImplFactory.install();
            }
        } catch (IllegalArgumentException | IllegalStateException e) {
            System.err.println(LauncherException.line(e.getMessage()));
            System.exit(2);
        }
        System.setProperty("org.javafastsockets.netpipe.error", "jfs: netpipe: ");
        call(NETPIPE, "main", Arrays.copyOfRange(args, plain ? 2 : 1, args.length));
    }

    private static Object call(String className, String methodName, String[] args) throws Throwable {
        Method method = new CommandLoader().loadClass(className).getMethod(methodName, String[].class);
        try {
            return method.invoke(null, (Object) args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] file = files.get(name.replace('.', '/') + ".class");
        if (file == null) {
            throw new ClassNotFoundException(name);
        }
        return defineClass(name, file, 0, file.length, CommandLoader.class.getProtectionDomain());
    }

    @Override
    public InputStream getResourceAsStream(String name) {
        byte[] file = files.get(name);
        return file == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(file);
    }
}
