package jfs.launcher;

import java.io.File;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import jfs.JFSSocketImplFactory;

/**
 * A program that is ready to run on JFS sockets: both factories of {@code java.net} are installed, its main class is
 * loaded but not initialised.
 *
 * <p>A main class that is not on the class path is looked for where {@code java MainClass} would have looked: in
 * {@code CLASSPATH} or, when that isn't set, in the current folder. {@code -jar} is {@code java -jar}: the jar is the
 * class path, and its manifest is heeded, all but a splash screen. Either way the program's classes are in the system
 * class loader. {@code sun.java.command} stays: a program that restarts itself by it comes up under JFS again.
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
     * Installs JFS and finds the program. What can't be started (no such class, no main method, a bad {@code jfs.*}
     * setting, a socket factory that is there already) is said in one line on stderr, and the JVM exits with code 2.
     *
     * @param launcher the command up to its arguments, for messages
     * @param args {@code -jar} and a jar file, or the name of a class, then the program's arguments
     */
    public static Program prepare(String launcher, String[] args) {
        try {
            return find(launcher + " [-jar app.jar | MainClass] args...", args);
        } catch (LauncherException e) {
            System.err.println(e.getMessage());
            System.exit(e.exitCode);
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
        install();
        return jar ? new Program(load(AppJar.open(args[1])), Arrays.copyOfRange(args, 2, args.length))
                : new Program(loadFromAnywhere(args[0]), Arrays.copyOfRange(args, 1, args.length));
    }

    private static void install() throws LauncherException {
        if (JFSSocketImplFactory.isInstalled()) { // an agent was here, from JAVA_TOOL_OPTIONS perhaps
            return;
        }
        try {
            JFSSocketImplFactory.install();
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new LauncherException(e.getMessage());
        }
    }

    private static Class<?> loadFromAnywhere(String name) throws LauncherException {
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

    private static Class<?> load(AppJar jar) throws LauncherException {
        Class<?> found = loadIfFound(jar.mainClass());
        if (found == null) {
            throw new LauncherException("main class " + jar.mainClass() + " not found in " + jar.name());
        }
        return found;
    }

    /** Not initialised; null if it isn't there. */
    private static Class<?> loadIfFound(String given) throws LauncherException {
        String name = given.replace('/', '.'); // the java command takes both
        try {
            return Class.forName(name, false, ClassLoader.getSystemClassLoader());
        } catch (ClassNotFoundException e) {
            return null;
        } catch (NoClassDefFoundError e) {
            throw new LauncherException("main class " + name + " can't be loaded: " + e);
        } catch (LinkageError e) { // compiled for a newer JDK, say
            throw LauncherException.inJavasWords("Error: LinkageError occurred while loading main class " + name
                    + "\n\t" + e);
        }
    }

    /** As the java command does, which matters where main is inherited: the named class itself is initialised. */
    public void initialise() throws ClassNotFoundException {
        Class.forName(mainClass.getName(), true, mainClass.getClassLoader());
    }

    /** Of type {@code (String[])void}: to be invoked by a launcher's own main method, the one frame it leaves. */
    public MethodHandle main() {
        return main;
    }

    /** What main is given. */
    public String[] arguments() {
        return arguments;
    }

    /** What its main method threw, with a stack trace that doesn't speak of launchers. */
    public static Throwable thrown(Throwable e) {
        LauncherFrames.remove(e);
        return e;
    }
}
