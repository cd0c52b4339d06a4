package jfs.launcher;

import java.io.File;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import jfs.JFSSocketImplFactory;
import jfs.config.Permissions;
import jfs.transport.tcp.JdkAccess;

/**
 * A program that is ready to run on JFS sockets: both factories of {@code java.net} are installed, and the program's main
 * class is loaded but not initialised.
 *
 * <p>A main class that is not on the class path is looked for where {@code java MainClass} would have looked: in
 * {@code CLASSPATH} or, when that isn't set, in the current folder. {@code -jar} works as {@code java -jar}: the jar is the
 * class path, and its manifest is obeyed, except for a splash screen. In both cases the system class loader loads the
 * program's classes. The property {@code sun.java.command} is left as it is: a program that restarts itself by it runs
 * under JFS again.
 */
public final class Program {

    private final Class<?> mainClass;
    private final MethodHandle main;
    private final String[] arguments;

    private Program(Class<?> mainClass, String[] arguments) throws LauncherException {
        this.mainClass = mainClass;
        this.main = MainMethod.of(mainClass);
        this.arguments = arguments;
    }

    /**
     * Installs JFS and finds the program. If the program can't be started (no such class, no main method, a bad
     * {@code jfs.*} setting, a socket factory that is there already), one line on stderr says why, and the JVM exits with
     * code 2. For a class file that is broken, the message and the exit code 1 are those of the java command.
     *
     * @param launcher the command without its arguments, for messages
     * @param args {@code -jar} and a jar file, or the name of a class, then the program's arguments
     */
    public static Program prepare(String launcher, String[] args) {
        try {
            return find(launcher + " [-jar app.jar | MainClass] args...", args);
        } catch (LauncherException e) {
            System.err.println(e.getMessage());
            System.exit(e.exitCode());
            throw new AssertionError("has exited");
        }
    }

    private static Program find(String usage, String[] args) throws LauncherException {
        if (args.length == 0 || args[0].isEmpty()) {
            throw new LauncherException("no program named; use: " + usage);
        }
        boolean jar = args[0].equals("-jar");
        if (jar && (args.length == 1 || args[1].isEmpty())) {
            throw new LauncherException("-jar needs a jar file; use: " + usage);
        }
        if (!jar && args[0].startsWith("-")) {
            throw new LauncherException(args[0] + " is not a main class; options of java stand before ours: " + usage);
        }
        Program program = jar ? new Program(load(args[1]), Arrays.copyOfRange(args, 2, args.length))
                : new Program(loadFromAnywhere(args[0]), Arrays.copyOfRange(args, 1, args.length));
        JFSSocketImplFactory.installChannels(); // the class path is complete only now: a provider in it stays
        return program;
    }

    /** JFS is installed before the manifest is obeyed, because that may start an agent of the program. */
    private static Class<?> load(String name) throws LauncherException {
        AppJar jar;
        if (classPathComesFirst()) {
            jar = AppJar.open(name);
            install();
        } else {
            install();
            jar = AppJar.open(name);
        }
        jar.obeyManifest();
        Class<?> found = loadIfFound(jar.mainClass());
        if (found == null) {
            throw new LauncherException("main class " + jar.mainClass() + " not found in " + jar.name());
        }
        return found;
    }

    /**
     * Whether the class path is completed before JFS is installed, which looks for transports there. That needs access to the JDK. Only an
     * agent gives it without the native library, whose place is a setting that JFS reads when it is installed.
     */
    private static boolean classPathComesFirst() {
        return JdkAccess.isGiven() && Permissions.securityManager() == null;
    }

    private static void install() throws LauncherException {
        if (JFSSocketImplFactory.isInstalled()) { // by an agent, perhaps from JAVA_TOOL_OPTIONS
            return;
        }
        try {
            JFSSocketImplFactory.installSockets();
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new LauncherException(e.getMessage());
        }
    }

    private static Class<?> loadFromAnywhere(String name) throws LauncherException {
        if (classPathComesFirst()) {
            Class<?> found = findAnywhere(name);
            install();
            return found;
        }
        install();
        return findAnywhere(name);
    }

    private static Class<?> findAnywhere(String name) throws LauncherException {
        Class<?> found = loadIfFound(name);
        if (found == null) {
            SystemClassPath.addUsualPlace(name);
            found = loadIfFound(name);
        }
        if (found == null) {
            String variable = System.getenv("CLASSPATH");
            throw new LauncherException("main class " + name + " not found on the class path or in "
                    + (variable == null ? "the current folder " + new File("").getAbsolutePath()
                            : "CLASSPATH " + variable));
        }
        return found;
    }

    /** The class, not initialised; null if it is not found. */
    private static Class<?> loadIfFound(String given) throws LauncherException {
        String name = given.replace('/', '.'); // the java command takes both forms
        try {
            return Class.forName(name, false, ClassLoader.getSystemClassLoader());
        } catch (ClassNotFoundException e) {
            return null;
        } catch (NoClassDefFoundError e) {
            throw new LauncherException("main class " + name + " can't be loaded: " + e);
        } catch (LinkageError e) { // for example, the class was compiled for a newer JDK
            throw LauncherException.inJavasWords("Error: LinkageError occurred while loading main class " + name
                    + "\n\t" + e);
        }
    }

    /** Initialises the named class itself, as the java command does. This matters where main is inherited. */
    public void initialise() throws ClassNotFoundException {
        Class.forName(mainClass.getName(), true, mainClass.getClassLoader());
    }

    /**
     * The program's main method, of type {@code (String[])void}. A launcher's own main method invokes it, which is the one
     * frame that the launcher leaves.
     */
    public MethodHandle main() {
        return main;
    }

    /** The arguments for the program's main method. */
    public String[] arguments() {
        return arguments;
    }

    /** Removes the launcher's frames from an exception that the program threw, and returns the exception. */
    public static Throwable thrown(Throwable e) {
        LauncherFrames.remove(e);
        return e;
    }
}
