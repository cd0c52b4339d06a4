package jfs.launcher;

import static jfs.launcher.Programs.JAR;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jfs.launcher.Programs.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares the launcher in jfs.jar with the {@code java} command. The same program gives the same output, stack traces
 * included, and the same exit code. The launcher refuses what {@code java} refuses to start, in one line with exit code 2.
 */
class LauncherIT {

    /** The programs' class files. The current folder of the children is another one, {@link #empty}. */
    @TempDir
    static Path classes;

    @TempDir
    static Path empty;

    @BeforeAll
    static void compile() throws Exception {
        Map<String, String> sources = new LinkedHashMap<>();
        mains(sources);
        endings(sources);
        sources.put("Arguments", """
                public class Arguments {
                    public static void main(String[] args) {
                        System.out.println(args.length);
                        for (String arg : args) System.out.println(arg.length() + " [" + arg + "]");
                    }
                }""");
        sources.put("Place", """
                public class Place {
                    public static void main(String[] args) throws Exception {
                        ClassLoader context = Thread.currentThread().getContextClassLoader();
                        System.out.println(context.loadClass("Place") == Place.class);
                        System.out.println(context.getResource("Place.class") != null);
                        System.out.println(Thread.currentThread().getName());
                        new Exception("seen").printStackTrace();
                        throw new Exception("thrown");
                    }
                }""");
        sources.put("p.Packaged", "package p; public class Packaged { public static void main(String[] a) { } }");
        sources.put("Missing", "public class Missing { }");
        sources.put("Orphan", "public class Orphan extends Missing { public static void main(String[] a) { } }");
        sources.put("Mentions", """
                public class Mentions {
                    public static void use(Missing missing) { }
                    public static void main(String[] a) { }
                }""");
        Programs.compile(classes, sources);
        Files.delete(classes.resolve("Missing.class"));
        byte[] newer = Files.readAllBytes(classes.resolve("Arguments.class"));
        newer[7] = 99; // the major version
        Files.write(Files.createDirectory(classes.resolve("newer")).resolve("Arguments.class"), newer);
        Files.write(Files.createDirectory(classes.resolve("broken")).resolve("Arguments.class"),
                Arrays.copyOf(newer, newer.length / 2));
    }

    // ---- arguments ----

    @Test
    void argumentsArriveUntouched() throws Exception {
        assertSame(likeJava("Arguments"), 0);
        assertSame(likeJava("Arguments", "", " ", "a b", "tab\t", "line\nbreak", "\"quoted\"", "'", "\\", "$HOME", "*",
                "-jar", "--", "-cp", "-Djfs.nonsense=1", "@file", "\u00fc\u20ac", "\ud83d\ude00"), 0);
    }

    // ---- main methods ----

    private static void mains(Map<String, String> sources) {
        String[][] bodies = {
            {"PublicStatic", "public class %s { public static void main(String[] a) { Said.with(a); } }"},
            {"Varargs", "public class %s { public static void main(String... a) { Said.with(a); } }"},
            {"FinalSynchronized",
                "public class %s { public static final synchronized void main(final String[] a) { Said.with(a); } }"},
            {"HiddenClass", "class %s { public static void main(String[] a) { Said.with(a); } }"},
            {"AbstractClass", "public abstract class %s { public static void main(String[] a) { Said.with(a); } }"},
            {"AnEnum", "public enum %s { ONE; public static void main(String[] a) { Said.with(a); } }"},
            {"ARecord", "public record %s(int i) { public static void main(String[] a) { Said.with(a); } }"},
            {"AnInterface", "public interface %s { static void main(String[] a) { Said.with(a); } }"},
            {"Outer", "public class %s { private static class Nested {"
                + " public static void main(String[] a) { Said.with(a); } } }"},
            {"Base", "public class %s { static { System.out.println(\"Base\"); }"
                + " public static void main(String[] a) { Said.with(a); } }"},
            {"Inherits", "public class %s extends Base { static { System.out.println(\"Inherits\"); } }"},
            {"PackageStatic", "public class %s { static void main(String[] a) { Said.with(a); } }"},
            {"ProtectedStatic", "public class %s { protected static void main(String[] a) { Said.with(a); } }"},
            {"PrivateStatic", "public class %s { private static void main(String[] a) { Said.with(a); } }"},
            {"HidesBase", "public class %s extends ProtectedStatic {"
                + " static int main(String a) { return 0; } public static void main() { Said.with(); } }"},
            {"StaticNoArgs", "public class %s { public static void main() { Said.with(); } }"},
            {"Instance", "public class %s { public void main(String[] a) { Said.with(a); } }"},
            {"InstancePackage", "class %s { void main(String[] a) { Said.with(a); } }"},
            {"InstanceNoArgs", "public class %s { void main() { Said.with(); } }"},
            {"InheritsInstance", "public class %s extends InstanceNoArgs { }"},
            {"OverridesInstance", "public class %s extends InstanceNoArgs { @Override void main() { super.main(); } }"},
            {"HasDefault", "public interface %s { default void main(String[] a) { Said.with(a); } }"},
            {"InheritsDefault", "public class %s implements HasDefault { }"},
            {"BothInstance", "public class %s { void main() { Said.with(); } void main(String[] a) { Said.with(a); } }"},
            {"StaticArgsAndNoArgs",
                "public class %s { static void main() { Said.with(); } public static void main(String[] a) { Said.with(a); } }"},
            {"ReturnsInt", "public class %s { public static int main(String[] a) { return 3; } }"},
            {"ReturnsIntNoArgs",
                "public class %s { public static int main(String[] a) { return 3; } void main() { Said.with(); } }"},
            {"PrivateThenNoArgs",
                "public class %s { private static void main(String[] a) { } static void main() { Said.with(); } }"},
            {"HiddenConstructor", "public class %s { private %1$s() { } void main(String[] a) { Said.with(a); } }"},
            {"PackageConstructor", "public class %s { %1$s() { } void main(String[] a) { Said.with(a); } }"},
            {"NeedsParameter", "public class %s { public %1$s(int i) { } void main(String[] a) { Said.with(a); } }"},
            {"AbstractInstance", "public abstract class %s { void main(String[] a) { Said.with(a); } }"},
            {"Encloses", "public class %s { public class Inner { void main(String[] a) { Said.with(a); } } }"},
            {"NoMain", "public class %s { public static void man(String[] a) { } }"},
        };
        for (String[] body : bodies) {
            sources.put(body[0], String.format(body[1], body[0]));
        }
        sources.put("Said", """
                class Said {
                    static void with(String... args) {
                        StackTraceElement caller = new Throwable().getStackTrace()[1];
                        System.out.println(caller + " " + String.join(",", args));
                    }
                }""");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PublicStatic", "Varargs", "FinalSynchronized", "HiddenClass", "AbstractClass", "AnEnum",
        "ARecord", "AnInterface", "Outer$Nested", "Inherits", "p.Packaged", "p/Packaged"})
    void classicMainRuns(String mainClass) throws Exception {
        assertSame(likeJava(mainClass, "1", "2"), 0);
    }

    /** JDK 17 runs none of these, 25 most of them (JEP 512). */
    @ParameterizedTest
    @ValueSource(strings = {"PackageStatic", "ProtectedStatic", "PrivateStatic", "HidesBase", "StaticNoArgs", "Instance",
        "InstancePackage", "InstanceNoArgs", "InheritsInstance", "OverridesInstance", "HasDefault", "InheritsDefault",
        "BothInstance", "StaticArgsAndNoArgs", "ReturnsInt", "ReturnsIntNoArgs", "PrivateThenNoArgs", "HiddenConstructor",
        "PackageConstructor", "NeedsParameter", "AbstractInstance", "Encloses$Inner", "NoMain"})
    void otherMainRunsWhereJavaRunsIt(String mainClass) throws Exception {
        Pair pair = likeJava(mainClass, "1", "2");
        if (pair.java.exitCode() == 0) {
            assertSame(pair, 0);
        } else {
            assertTrue(pair.java.err().startsWith("Error: "), pair.java.err());
            assertRefused(pair.jfs, "main class " + mainClass + " has ");
        }
    }

    @Test
    void mainClassOfTheJdkRuns() throws Exception {
        assertSame(likeJava("com.sun.tools.javac.Main", "-version"), 0);
    }

    @Test
    void closedPackageIsNamed() throws Exception {
        assertRefused(launch("sun.rmi.registry.RegistryImpl", "1099"),
                "--add-opens java.rmi/sun.rmi.registry=ALL-UNNAMED");
    }

    // ---- endings ----

    private static void endings(Map<String, String> sources) {
        sources.put("Throws", """
                public class Throws {
                    static void deep() {
                        try {
                            throw new IllegalStateException("inner");
                        } catch (IllegalStateException e) {
                            RuntimeException outer = new RuntimeException("outer", e);
                            outer.addSuppressed(new Exception("suppressed", outer));
                            throw outer;
                        }
                    }
                    public static void main(String[] args) {
                        deep();
                    }
                }""");
        sources.put("ThrowsChecked", """
                public class ThrowsChecked {
                    public static void main(String[] args) throws Exception {
                        throw new java.lang.reflect.InvocationTargetException(new java.io.IOException("mine"), "wrapped");
                    }
                }""");
        sources.put("ThrowsError", """
                public class ThrowsError {
                    public static void main(String[] args) {
                        throw new Error() {
                            @Override public String toString() { return "its own words"; }
                            @Override public StackTraceElement[] getStackTrace() { throw new RuntimeException(); }
                            @Override public void printStackTrace(java.io.PrintStream s) { s.println(this); }
                        };
                    }
                }""");
        sources.put("ThrowsOthers", """
                public class ThrowsOthers {
                    static Exception fault;
                    public static void main(String[] args) throws Exception {
                        Thread other = new Thread(() -> fault = new Exception("from there"), "other");
                        other.start();
                        other.join();
                        throw fault;
                    }
                }""");
        sources.put("ThrowsFromJdk", """
                public class ThrowsFromJdk {
                    public static void main(String[] args) {
                        java.util.List.of(1, 2).forEach(i -> Integer.parseInt("x" + i));
                    }
                }""");
        sources.put("ThrowsInInitializer", """
                public class ThrowsInInitializer {
                    static final int VALUE = Integer.parseInt("not a number");
                    public static void main(String[] args) { }
                }""");
        sources.put("ThrowsInBase", "public class ThrowsInBase extends ThrowsInInitializer { }");
        sources.put("ThrowsInConstructor", """
                public class ThrowsInConstructor {
                    ThrowsInConstructor() { throw new IllegalStateException("constructor"); }
                    void main() { }
                }""");
        sources.put("ThrowsInInstance", """
                public class ThrowsInInstance {
                    void main() { throw new IllegalStateException("instance"); }
                }""");
        sources.put("DefaultHandler", """
                public class DefaultHandler {
                    public static void main(String[] args) throws Exception {
                        Thread.setDefaultUncaughtExceptionHandler((t, e) -> {
                            System.out.println(t.getName() + " " + e);
                            for (StackTraceElement frame : e.getStackTrace()) System.out.println(frame);
                        });
                        throw new Exception("handled");
                    }
                }""");
        sources.put("ThreadHandler", """
                public class ThreadHandler {
                    public static void main(String[] args) throws Exception {
                        Thread.currentThread().setUncaughtExceptionHandler((t, e) -> Runtime.getRuntime().halt(42));
                        throw new Exception("handled");
                    }
                }""");
        sources.put("Exits", """
                public class Exits {
                    public static void main(String[] args) {
                        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
                        System.exit(Integer.parseInt(args[0]));
                    }
                }""");
        sources.put("GoesOn", """
                public class GoesOn {
                    public static void main(String[] args) {
                        Thread main = Thread.currentThread();
                        new Thread(() -> {
                            try {
                                main.join();
                            } catch (InterruptedException e) {
                                return;
                            }
                            System.out.println("after main");
                            if (args.length > 0) System.exit(9);
                        }).start();
                        throw new IllegalStateException("main ends");
                    }
                }""");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Throws", "ThrowsChecked", "ThrowsError", "ThrowsOthers", "ThrowsFromJdk",
        "ThrowsInInitializer", "ThrowsInBase", "DefaultHandler", "GoesOn"})
    void uncaughtExceptionLooksTheSame(String mainClass) throws Exception {
        assertSame(likeJava(mainClass), 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ThrowsInConstructor", "ThrowsInInstance"})
    void uncaughtExceptionOfAnInstanceLooksTheSame(String mainClass) throws Exception {
        Pair pair = likeJava(mainClass);
        if (Runtime.version().feature() >= 25) {
            assertSame(pair, 1);
        } else {
            assertRefused(pair.jfs, "main class " + mainClass + " has no main method");
        }
    }

    @Test
    void exitCodeIsThePrograms() throws Exception {
        assertSame(likeJava("Exits", "0"), 0);
        assertSame(likeJava("Exits", "7"), 7);
        assertSame(likeJava("Exits", "-1"), 255);
        assertSame(likeJava("ThreadHandler"), 42);
        assertSame(likeJava("GoesOn", "exit"), 9);
    }

    // ---- where the main class is looked for ----

    @Test
    void currentFolderIsSearched() throws Exception {
        assertSameElsewhere(classes, Map.of());
    }

    @Test
    void classPathVariableIsSearched() throws Exception {
        Path jars = Files.createDirectories(classes.resolve("jars"));
        Programs.jar(jars.resolve("programs.jar"), classes);
        assertSameElsewhere(empty, Map.of("CLASSPATH", classes.toString()));
        assertSameElsewhere(empty, Map.of("CLASSPATH", "/nowhere:" + classes + "/:/nowhere.jar"));
        assertSameElsewhere(empty, Map.of("CLASSPATH", jars + "/programs.jar"));
        assertSameElsewhere(empty, Map.of("CLASSPATH", "/nowhere/*:" + jars + "/*"));
        assertSameElsewhere(jars, Map.of("CLASSPATH", "*"));
        assertSameElsewhere(classes, Map.of("CLASSPATH", "jars/*"));
    }

    @Test
    void emptyElementIsTheCurrentFolder() throws Exception {
        assertSameElsewhere(classes, Map.of("CLASSPATH", ""));
        assertSameElsewhere(classes, Map.of("CLASSPATH", "/nowhere:"));
        assertSameElsewhere(classes, Map.of("CLASSPATH", ":/nowhere"));
    }

    @Test
    void currentFolderIsNotSearchedWhenClassPathVariableIsSet() throws Exception {
        Outcome outcome = Programs.java(classes, Map.of("CLASSPATH", empty.toString()),
                List.of("-cp", JAR, "JFSLauncher", "Place"));
        assertRefused(outcome, "main class Place not found on the class path or in CLASSPATH " + empty);
    }

    @Test
    void classPathOptionComesFirst() throws Exception {
        Path other = Files.createDirectories(classes.resolve("other"));
        Programs.compile(other, Map.of("Place",
                "public class Place { public static void main(String[] a) { System.out.println(\"other\"); } }"));
        Outcome outcome = Programs.java(other, Map.of("CLASSPATH", classes.toString()),
                List.of("-cp", JAR + ":" + other, "JFSLauncher", "Place"));
        assertEquals(new Outcome(0, "other\n", ""), outcome);
    }

    @Test
    void jarItselfCanBeStarted() throws Exception {
        Outcome outcome = Programs.java(classes, Map.of(), List.of("-jar", JAR, "run", "Arguments", "x"));
        assertEquals(new Outcome(0, "1\n1 [x]\n", ""), outcome);
    }

    /** A stack trace that the program itself takes inside main has one more frame, the launcher's. */
    private static void assertSameElsewhere(Path folder, Map<String, String> environment) throws Exception {
        Outcome java = Programs.java(folder, environment, List.of("Place"));
        Outcome jfs = Programs.java(folder, environment, List.of("-cp", JAR, "JFSLauncher", "Place"));
        assertTrue(java.out().startsWith("true\ntrue\nmain\n"), java.toString());
        List<String> trace = new ArrayList<>(jfs.err().lines().toList());
        assertTrue(trace.remove(2).matches("\tat JFSLauncher\\.main\\(JFSLauncher\\.java:\\d+\\)"), jfs.err());
        assertAll(
                () -> assertEquals(java.err().lines().toList(), trace),
                () -> assertEquals(java.out(), jfs.out()),
                () -> assertEquals(1, java.exitCode()),
                () -> assertEquals(1, jfs.exitCode()));
    }

    // ---- refusals ----

    @Test
    void nothingToRunIsSaid() throws Exception {
        assertRefused(launch(), "no program named");
        assertRefused(launch(""), "no program named");
        assertRefused(launch("-Dx=y", "Arguments"), "-Dx=y is not a main class");
        assertRefused(launch("Nowhere"), "main class Nowhere not found on the class path or in the current folder");
        assertRefused(launch("Nowhere"), "the current folder " + empty.toRealPath());
        assertRefused(launch("no\nwhere"), "main class no where not found");
    }

    @Test
    void classThatCantBeLoadedIsSaid() throws Exception {
        assertRefused(launch("Orphan"), "main class Orphan can't be loaded: java.lang.NoClassDefFoundError: Missing");
        assertRefused(Programs.java(classes.resolve("p"), Map.of(), List.of("-cp", JAR, "JFSLauncher", "Packaged")),
                "main class Packaged can't be loaded: java.lang.NoClassDefFoundError: ");
    }

    /** If the program itself is broken, the launcher has java's own message and exit code. */
    @Test
    void brokenClassFileIsReportedAsByJava() throws Exception {
        assertSame(likeJava(classes.resolve("newer"), "Arguments"), 1);
        assertSame(likeJava(classes.resolve("broken"), "Arguments"), 1);
        assertSame(likeJava("Mentions"), 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jfs.poll.micros=soon", "jfs.nonsense=1", "jfs.transport=pigeon", "jfs.rules=/nonexistent/rules"})
    void badSettingIsSaid(String setting) throws Exception {
        assertRefused(Programs.java(empty, Map.of(),
                List.of("-D" + setting, "-cp", JAR + ":" + classes, "JFSLauncher", "Arguments")), setting);
    }

    @Test
    void badSettingInTheEnvironmentIsSaid() throws Exception {
        List<String> arguments = List.of("-cp", JAR + ":" + classes, "JFSLauncher", "Arguments");
        Outcome refused = Programs.java(empty, Map.of("JFS_POLL_MICROS", "soon"), arguments);
        assertRefused(refused, "soon");
        Outcome ignored = Programs.java(empty, Map.of("JFS_OF_SOMEBODY_ELSE", "soon"), arguments);
        assertEquals(new Outcome(0, "0\n", ""), ignored);
    }

    // ---- helpers ----

    private record Pair(Outcome java, Outcome jfs) {
    }

    private static Pair likeJava(String... command) throws Exception {
        return likeJava(classes, command);
    }

    private static Pair likeJava(Path classPath, String... command) throws Exception {
        return new Pair(Programs.java(empty, Map.of(), concat(List.of("-cp", classPath.toString()), command)),
                launch(classPath, command));
    }

    private static Outcome launch(String... command) throws Exception {
        return launch(classes, command);
    }

    private static Outcome launch(Path classPath, String... command) throws Exception {
        return Programs.java(empty, Map.of(), concat(List.of("-cp", JAR + ":" + classPath, "JFSLauncher"), command));
    }

    private static List<String> concat(List<String> first, String... rest) {
        List<String> all = new ArrayList<>(first);
        all.addAll(List.of(rest));
        return all;
    }

    private static void assertSame(Pair pair, int exitCode) {
        assertAll(
                () -> assertEquals(pair.java, pair.jfs),
                () -> assertEquals(exitCode, pair.jfs.exitCode()));
    }

    private static void assertRefused(Outcome outcome, String words) {
        assertAll(
                () -> assertEquals(2, outcome.exitCode()),
                () -> assertEquals("", outcome.out()),
                () -> assertTrue(outcome.err().startsWith("jfs: "), outcome.err()),
                () -> assertTrue(outcome.err().contains(words), outcome.err()),
                () -> assertEquals(1, outcome.err().lines().count(), outcome.err()));
    }
}
