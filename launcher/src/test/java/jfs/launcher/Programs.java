package jfs.launcher;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * Programs that the tests write, and child JVMs that run them. A child JVM is of the JDK that runs the tests. It has a
 * current folder of its own, and an environment without variables for Java or JFS.
 */
public final class Programs {

    /** The jar under test. */
    public static final String JAR = System.getProperty("jfs.jar");

    /** A program that talks with itself, then prints whether the two factories are set. */
    public static final String TALK = """
            import java.io.*;
            import java.net.*;
            public class Talk {
                public static void main(String[] args) throws Exception {
                    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                            Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                            Socket accepted = server.accept()) {
                        for (int i = 0; i < 100; i++) {
                            client.getOutputStream().write(i);
                            accepted.getOutputStream().write(accepted.getInputStream().read() + 1);
                            if (client.getInputStream().read() != i + 1) throw new IOException("wrong at " + i);
                        }
                    }
                    System.out.println(isSet(() -> Socket.setSocketImplFactory(null)));
                    System.out.println(isSet(() -> ServerSocket.setSocketFactory(null)));
                }
                interface Setter { void set() throws IOException; }
                static boolean isSet(Setter setter) {
                    try {
                        setter.set();
                        return false;
                    } catch (IOException e) { // java.net lets a factory be set once
                        return true;
                    }
                }
            }""";

    private static final int SECONDS = 50;

    /** How a child JVM ended. */
    public record Outcome(int exitCode, String out, String err) {
    }

    private Programs() {
    }

    /** Compiles classes against jfs.jar; each source is given under the name of its top-level class. */
    public static void compile(Path folder, Map<String, String> sources) throws IOException {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        assumeTrue(javac != null, "this Java runtime has no compiler");
        List<JavaFileObject> files = new ArrayList<>();
        sources.forEach((name, source) -> files.add(new Source(name, source)));
        try (StandardJavaFileManager manager = javac.getStandardFileManager(null, Locale.ROOT, null)) {
            manager.setLocation(StandardLocation.CLASS_PATH, List.of(new File(JAR)));
            manager.setLocation(StandardLocation.CLASS_OUTPUT, List.of(Files.createDirectories(folder).toFile()));
            StringWriter said = new StringWriter();
            assertTrue(javac.getTask(said, manager, null, List.of("-proc:none", "-nowarn"), null, files).call(),
                    said::toString);
        }
    }

    /** Makes a jar of one folder's class files. */
    public static void jar(Path jar, Path classes) throws IOException {
        try (var files = Files.list(classes)) {
            jar(jar, Map.of(), classes, files.map(f -> f.getFileName().toString()).filter(f -> f.endsWith(".class")).toList());
        }
    }

    /** Makes a jar of files of one folder. Its manifest has the version and the given attributes. */
    public static void jar(Path jar, Map<String, String> manifest, Path folder, List<String> files) throws IOException {
        Manifest written = new Manifest();
        written.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.forEach((name, value) -> written.getMainAttributes().put(new Attributes.Name(name), value));
        try (OutputStream out = Files.newOutputStream(jar); JarOutputStream entries = new JarOutputStream(out, written)) {
            for (String file : files) {
                entries.putNextEntry(new JarEntry(file));
                Files.copy(folder.resolve(file), entries);
            }
        }
    }

    /** Runs {@code java} to its end, with native access allowed. */
    public static Outcome java(Path folder, Map<String, String> environment, List<String> arguments) throws Exception {
        return java(folder, environment, List.of(), arguments);
    }

    /** The same, started by another command, which gets the java command as its last arguments. */
    public static Outcome java(Path folder, Map<String, String> environment, List<String> by, List<String> arguments)
            throws Exception {
        List<String> command = new ArrayList<>(by);
        command.addAll(bareJava());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(arguments);
        return run(folder, environment, command);
    }

    /** Runs {@code java} to its end, without the option that allows native access. */
    public static Outcome bareJava(Path folder, Map<String, String> environment, List<String> arguments) throws Exception {
        List<String> command = bareJava();
        command.addAll(arguments);
        return run(folder, environment, command);
    }

    /** The {@code java} command, with the options that all children have. */
    public static List<String> bareJava() {
        return new ArrayList<>(List.of(tool("java"), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
    }

    /** A command of the JDK under test. */
    public static String tool(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    /** A child whose environment has no variables for Java or JFS but the given ones. */
    public static ProcessBuilder process(Path folder, Map<String, String> environment, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().keySet().removeIf(name -> name.equals("CLASSPATH") || name.startsWith("JFS_")
                || name.endsWith("JAVA_OPTIONS") || name.equals("JAVA_TOOL_OPTIONS"));
        builder.environment().putAll(environment);
        return builder;
    }

    /** Runs a command to its end. */
    public static Outcome run(Path folder, Map<String, String> environment, List<String> command) throws Exception {
        Path out = Files.createTempFile("child", ".out");
        Path err = Files.createTempFile("child", ".err");
        try {
            Process process = process(folder, environment, command)
                    .redirectOutput(out.toFile()).redirectError(err.toFile()).start();
            process.getOutputStream().close();
            boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
            if (!ended) {
                process.destroyForcibly().waitFor();
            }
            Outcome outcome = new Outcome(process.exitValue(), text(out), text(err));
            if (!ended) {
                throw new AssertionError("still running after " + SECONDS + " s: " + command + " " + outcome);
            }
            return outcome;
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), System.getProperty("native.encoding"));
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String className, String text) {
            super(URI.create("string:///" + className.replace('.', '/') + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
