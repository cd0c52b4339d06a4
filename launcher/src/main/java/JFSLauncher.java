import java.io.File;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import jfs.JFSSocketImplFactory;

/**
 * Runs an unmodified program on JFS sockets:
 *
 * <pre>
 * java -cp jfs.jar[:the program's class path] JFSLauncher MainClass args...
 * </pre>
 *
 * <p>Both factories of {@code java.net} are installed, then {@code MainClass} runs as under {@code java MainClass}:
 * with its arguments as given, on the main thread, with its own exceptions, exit code and uncaught exception handlers.
 * A main class that is not on the class path is looked for where {@code java MainClass} would have looked: in
 * {@code CLASSPATH} or, when that isn't set, in the current folder. Where JFS can't work, the program runs on the JDK's
 * own sockets.
 *
 * <p>What can't be started (no such class, no main method, a bad {@code jfs.*} setting, a socket factory that is there
 * already) is said in one line on stderr; the exit code is 2.
 *
 * <p>The one trace left: a stack trace that the program takes itself ends in a frame of {@code JFSLauncher.main}. It is
 * one frame only, because method handles show none of their own, and an uncaught exception doesn't have it.
 *
 * <p>This class lives in the unnamed package for the sake of its short name; the helpers are nested in it because any
 * other class of that package could be one of the program's.
 */
public final class JFSLauncher {

    private static final String USAGE = "java -cp jfs.jar[:class path] JFSLauncher MainClass args...";

    private JFSLauncher() {
    }

    /**
     * Installs JFS and runs the program.
     *
     * @param args the name of the main class, then its arguments
     * @throws Throwable what the program's main method threw
     */
    public static void main(String[] args) throws Throwable {
        Class<?> mainClass;
        MethodHandle program;
        try {
            mainClass = load(mainClassName(args));
            program = program(mainClass);
            install();
        } catch (Refusal e) {
            System.err.println(e.getMessage());
            System.exit(e.exitCode);
            return;
        }
        try {
            // As the java command does, which matters where main is inherited: the named class itself is initialised.
            Class.forName(mainClass.getName(), true, mainClass.getClassLoader());
            program.invokeExact(Arrays.copyOfRange(args, 1, args.length));
        } catch (Throwable thrown) {
            LauncherFrames.remove(thrown);
            throw thrown;
        }
    }

    private static String mainClassName(String[] args) throws Refusal {
        if (args.length == 0 || args[0].isEmpty()) {
            throw new Refusal("no main class named; use: " + USAGE);
        }
        String name = args[0];
        if (name.equals("-jar")) {
            throw new Refusal("-jar is not supported yet; put the jar on the class path and name its main class: " + USAGE);
        }
        if (name.startsWith("-")) {
            throw new Refusal(name + " is not a main class; options of java stand before JFSLauncher: " + USAGE);
        }
        return name.replace('/', '.'); // the java command takes both
    }

    private static void install() throws Refusal {
        try {
            JFSSocketImplFactory.install();
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new Refusal(e.getMessage());
        }
    }

    /** The main class, not initialised; sets the context class loader when it isn't on the class path. */
    private static Class<?> load(String name) throws Refusal {
        try {
            try {
                return Class.forName(name, false, ClassLoader.getSystemClassLoader());
            } catch (ClassNotFoundException e) {
                return loadFromUsualPlace(name);
            }
        } catch (NoClassDefFoundError e) {
            throw new Refusal("main class " + name + " can't be loaded: " + e);
        } catch (LinkageError e) { // compiled for a newer JDK, say
            throw Refusal.inJavasWords("Error: LinkageError occurred while loading main class " + name + "\n\t" + e);
        }
    }

    private static Class<?> loadFromUsualPlace(String name) throws Refusal {
        String classPath = System.getenv("CLASSPATH");
        // Without a name: a named loader would show in every line of a stack trace.
        ClassLoader loader = new URLClassLoader(ClassPath.urls(classPath == null ? "." : classPath),
                ClassLoader.getSystemClassLoader());
        Class<?> mainClass;
        try {
            mainClass = Class.forName(name, false, loader);
        } catch (ClassNotFoundException e) {
            throw new Refusal("main class " + name + " not found on the class path "
                    + System.getProperty("java.class.path") + " or in "
                    + (classPath == null ? "the current folder " + new File("").getAbsolutePath()
                            : "CLASSPATH " + classPath));
        }
        Thread.currentThread().setContextClassLoader(loader);
        return mainClass;
    }

    /** A handle of type {@code (String[])void} that does what the java command does with that class. */
    private static MethodHandle program(Class<?> mainClass) throws Refusal {
        try {
            Method main = Runtime.version().feature() >= 25 ? anyMain(mainClass) : staticMain(mainClass);
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            main.setAccessible(true); // neither the class nor its main need be public
            MethodHandle program = lookup.unreflect(main).asFixedArity();
            if (!Modifier.isStatic(main.getModifiers())) {
                Constructor<?> constructor = constructor(mainClass);
                constructor.setAccessible(true);
                MethodHandle create = lookup.unreflectConstructor(constructor);
                program = MethodHandles.collectArguments(
                        program.asType(program.type().changeParameterType(0, mainClass)), 0, create);
            }
            return main.getParameterCount() == 1 ? program : MethodHandles.dropArguments(program, 0, String[].class);
        } catch (InaccessibleObjectException | IllegalAccessException e) {
            throw new Refusal("main class " + mainClass.getName() + " is in a package that " + mainClass.getModule()
                    + " keeps closed; java needs --add-opens " + mainClass.getModule().getName() + "/"
                    + mainClass.getPackageName() + "=ALL-UNNAMED");
        } catch (LinkageError e) { // a class that one of its methods mentions is missing
            throw Refusal.inJavasWords("Error: Unable to initialize main class " + mainClass.getName()
                    + "\nCaused by: " + e);
        }
    }

    /** Up to JDK 24: public, static, void and with the arguments; it may be inherited. */
    private static Method staticMain(Class<?> mainClass) throws Refusal {
        Method main = publicMain(mainClass);
        if (main == null || !Modifier.isStatic(main.getModifiers()) || main.getReturnType() != void.class) {
            throw new Refusal("main class " + mainClass.getName()
                    + " has no main method; this JDK asks for: public static void main(String[] args)");
        }
        return main;
    }

    /** Since JDK 25 (JEP 512): the one with the arguments before the one without, static or not, not private. */
    private static Method anyMain(Class<?> mainClass) throws Refusal {
        Method main = publicMain(mainClass);
        if (main == null) {
            main = declaredMain(mainClass, String[].class);
        }
        if (!isUsable(main)) {
            main = declaredMain(mainClass);
        }
        if (!isUsable(main)) {
            throw new Refusal("main class " + mainClass.getName()
                    + " has no main method; this JDK asks for: void main(String[] args) or void main(), not private");
        }
        return main;
    }

    private static boolean isUsable(Method main) {
        return main != null && main.getReturnType() == void.class && !Modifier.isPrivate(main.getModifiers());
    }

    private static Method publicMain(Class<?> mainClass) {
        try {
            return mainClass.getMethod("main", String[].class);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    /** The nearest of the class and its superclasses, whatever its access, else an interface's default method. */
    private static Method declaredMain(Class<?> mainClass, Class<?>... parameters) {
        for (Class<?> c = mainClass; c != null; c = c.getSuperclass()) {
            try {
                return c.getDeclaredMethod("main", parameters);
            } catch (NoSuchMethodException e) {
                // perhaps the superclass
            }
        }
        try {
            return mainClass.getMethod("main", parameters);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private static Constructor<?> constructor(Class<?> mainClass) throws Refusal {
        try {
            // An inner class has no such constructor: the outer instance is a parameter.
            Constructor<?> constructor = mainClass.getDeclaredConstructor();
            if (!Modifier.isAbstract(mainClass.getModifiers()) && !Modifier.isPrivate(constructor.getModifiers())) {
                return constructor;
            }
        } catch (NoSuchMethodException e) {
            // said below
        }
        throw new Refusal("main class " + mainClass.getName() + " has an instance main method, so it must"
                + " be neither abstract nor an inner class and have a constructor without parameters that is not private");
    }

    /** The program can't be started; the message says why. */
    private static final class Refusal extends Exception {
        private static final long serialVersionUID = 1L;

        final int exitCode;

        /** A start that makes no sense as it was asked for: one line, exit code 2. */
        Refusal(String message) {
            this((message.startsWith("JFS: ") ? message : "JFS: " + message).replaceAll("\\R", " "), 2);
        }

        private Refusal(String message, int exitCode) {
            super(message);
            this.exitCode = exitCode;
        }

        /** A program that is broken in itself: what the java command says of it, which people and tools know. */
        static Refusal inJavasWords(String message) {
            return new Refusal(message, 1);
        }
    }

    /** A class path as the java command reads it. */
    private static final class ClassPath {

        static URL[] urls(String classPath) {
            List<URL> urls = new ArrayList<>();
            for (String element : classPath.split(File.pathSeparator, -1)) {
                for (File file : files(element.isEmpty() ? "." : element)) {
                    try {
                        urls.add(file.toURI().toURL());
                    } catch (MalformedURLException e) {
                        throw new AssertionError("every file has a URL", e);
                    }
                }
            }
            return urls.toArray(new URL[0]);
        }

        /** {@code folder/*} stands for the jars in that folder; anything else for itself. */
        private static List<File> files(String element) {
            if (!element.equals("*") && !element.endsWith("/*")) {
                return List.of(new File(element));
            }
            String folder = element.substring(0, element.length() - 1);
            File[] jars = new File(folder.isEmpty() ? "." : folder)
                    .listFiles((parent, name) -> name.endsWith(".jar") || name.endsWith(".JAR"));
            if (jars == null) {
                return List.of();
            }
            Arrays.sort(jars); // the java command leaves the order open
            return List.of(jars);
        }
    }

    /** Makes an uncaught exception's stack trace end where it would without a launcher: in the program's main method. */
    private static final class LauncherFrames {

        private final Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());

        static void remove(Throwable thrown) {
            try {
                new LauncherFrames().removeFrom(thrown);
            } catch (RuntimeException e) {
                // An exception class may override these getters with code that fails. Its trace stays as it is then:
                // what reaches the handler must be the program's exception, not one about it.
            }
        }

        private void removeFrom(Throwable thrown) {
            if (thrown == null || !seen.add(thrown)) {
                return;
            }
            StackTraceElement[] trace = thrown.getStackTrace();
            int length = trace.length;
            if (length > 0 && isLaunchers(trace[length - 1])) { // else it comes from another thread
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
            return frame.getClassName().equals(JFSLauncher.class.getName());
        }

        /** Between the launcher's frame and the program's first: Class.forName at a failing static initialiser. */
        private static boolean isJdks(StackTraceElement frame) {
            return "java.base".equals(frame.getModuleName());
        }
    }
}
