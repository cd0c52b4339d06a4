package jfs.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program on the page docs/buffers.md compiles, and prints what the page says. */
class PageTest {

    @Test
    void theExampleRuns(@TempDir Path folder) throws Exception {
        Matcher example = Pattern.compile("```java\n(.*?public class Columns.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("..", "docs", "buffers.md")));
        assertTrue(example.find());
        Path source = Files.writeString(folder.resolve("Columns.java"), example.group(1));
        String classPath = System.getProperty("java.class.path");
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        int status = ToolProvider.getSystemJavaCompiler().run(null, null, errors, "-cp", classPath, "-d", folder.toString(),
                source.toString());
        assertEquals(0, status, errors::toString);
        String separator = System.getProperty("path.separator");
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                folder + separator + classPath, "Columns").redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals("column 0: 0.0\ncolumn 1: 0.0\ncolumn 2: 0.0\ncolumn 3: 0.5\ncolumn 4: 0.0\n", output);
        assertEquals(0, process.waitFor());
    }
}
