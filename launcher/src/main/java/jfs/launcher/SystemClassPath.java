package jfs.launcher;

import java.io.File;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.List;
import jfs.transport.tcp.JdkAccess;

/**
 * The class path of this JVM. It can grow after the JVM's start, as it does for
 * {@link java.lang.instrument.Instrumentation#appendToSystemClassLoaderSearch}. Unlike that method, this class can add
 * folders too, and it needs no agent if the native library gives access to the JDK ({@link JdkAccess}).
 */
final class SystemClassPath {

    private SystemClassPath() {
    }

    /** Adds what CLASSPATH names or, when that isn't set, the current folder. */
    static void addUsualPlace(String mainClass) throws LauncherException {
        String variable = System.getenv("CLASSPATH");
        String place = variable == null ? "." : variable;
        String known = System.getProperty("java.class.path");
        if (JdkAccess.unavailable() != null) {
            throw new LauncherException("main class " + mainClass + " not found on the class path " + known
                    + ", which can't grow here (" + JdkAccess.unavailable() + "); use: java -cp " + known
                    + File.pathSeparator + place + " ...");
        }
        for (String element : place.split(File.pathSeparator, -1)) {
            for (File file : files(element.isEmpty() ? "." : element)) {
                add(file);
            }
        }
        System.setProperty("java.class.path", known + File.pathSeparator + place);
    }

    /** Makes a jar the class path, as {@code java -jar} does. */
    static void addJar(String jar) throws LauncherException {
        add(new File(jar));
        System.setProperty("java.class.path", jar);
    }

    private static void add(File file) throws LauncherException {
        ClassLoader system = ClassLoader.getSystemClassLoader();
        MethodHandles.Lookup lookup = JdkAccess.lookup();
        try {
            lookup.findVirtual(system.getClass(), "appendToClassPathForInstrumentation",
                    MethodType.methodType(void.class, String.class)).invoke(system, file.getPath());
        } catch (NoSuchMethodException e) {
            throw new LauncherException("the class path can't grow, the system class loader is "
                    + system.getClass().getName() + "; name all of it by -cp, and the main class");
        } catch (Throwable e) {
            throw new LauncherException("the class path can't grow: " + e);
        }
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
        Arrays.sort(jars); // the java command defines no order
        return List.of(jars);
    }
}
