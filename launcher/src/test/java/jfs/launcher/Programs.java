package jfs.launcher;

import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * Programs that the tests write, and child JVMs that run them: of the JDK that runs the tests, from a folder of one's
 * own, with an environment in which nothing speaks of Java.
 */
final class Programs {

    /** The jar under test. */
    static final String JAR = System.getProperty("jfs.jar");

    private static final int SECONDS = 30;

    /** How a child JVM ended. */
    record Outcome(int exitCode, String out, String err) {
    }

    private Programs() {
    }

    /** Compiles classes against jfs.jar; each source is given under the name of its top-level class. */
    static void compile(Path folder, Map<String, String> sources) throws IOException {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        List<JavaFileObject> files = new ArrayList<>();
        sources.forEach((name, source) -> files.add(new Source(name, source)));
        try (StandardJavaFileManager manager = javac.getStandardFileManager(null, Locale.ROOT, null)) {
            manager.setLocation(StandardLocation.CLASS_PATH, List.of(new File(JAR)));
            manager.setLocation(StandardLocation.CLASS_OUTPUT, List.of(Files.createDirectories(folder).toFile()));
            StringWriter said = new StringWriter();
            assertTrue(javac.getTask(said, manager, null, List.of("-proc:none"), null, files).call(), said::toString);
        }
    }

    /** A jar of one folder's class files. */
    static void jar(Path jar, Path classes) throws IOException {
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out);
                var files = Files.list(classes)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
                entries.putNextEntry(new JarEntry(file.getFileName().toString()));
                Files.copy(file, entries);
            }
        }
    }

    /** Runs {@code java} to its end. */
    static Outcome java(Path folder, Map<String, String> environment, List<String> arguments) throws Exception {
        return java(folder, environment, List.of(), arguments);
    }

    /** Runs {@code java} to its end by way of another command, of which it is the last argument. */
    static Outcome java(Path folder, Map<String, String> environment, List<String> by, List<String> arguments)
            throws Exception {
        List<String> command = new ArrayList<>(by);
        command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(arguments);
        Path out = Files.createTempFile("child", ".out");
        Path err = Files.createTempFile("child", ".err");
        try {
            ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile())
                    .redirectOutput(out.toFile()).redirectError(err.toFile());
            builder.environment().keySet().removeIf(name -> name.equals("CLASSPATH") || name.startsWith("JFS_")
                    || name.endsWith("JAVA_OPTIONS") || name.equals("JAVA_TOOL_OPTIONS"));
            builder.environment().putAll(environment);
            Process process = builder.start();
            process.getOutputStream().close();
            boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
            if (!ended) {
                process.destroyForcibly().waitFor();
            }
            Outcome outcome = new Outcome(process.exitValue(), text(out), text(err));
            if (!ended) {
                throw new AssertionError("still running after " + SECONDS + " s: " + arguments + " " + outcome);
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
