package jfs.mx;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a program in a JVM of its own, with the class path and the natives of this one. */
final class OtherJvm {

    private OtherJvm() {
    }

    /**
     * Waits up to 100 seconds for the program's end, and kills it if it has not ended.
     *
     * @param folder for the file with its output, and for the stand-in's files
     * @param options of the JVM
     * @return what it printed
     */
    static String run(Path folder, Class<?> program, Map<String, String> environment, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java", "-cp",
                System.getProperty("java.class.path"), "--enable-native-access=ALL-UNNAMED",
                "-Djfs.native.dir=" + System.getProperty("jfs.native.dir")));
        command.addAll(List.of(options));
        command.add(program.getName());
        Path output = folder.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            assertTrue(process.waitFor(100, TimeUnit.SECONDS), "still there");
            return Files.readString(output);
        } finally {
            process.destroyForcibly();
        }
    }

    /** With the library that stands in for a vendor's. */
    static String runWithStandIn(Path folder, Class<?> program, Map<String, String> environment) throws Exception {
        Map<String, String> all = new HashMap<>(environment);
        all.put("STANDIN_DIR", folder.toString());
        return run(folder, program, all, "-Dmx.library=" + System.getProperty("mx.standin"));
    }
}
