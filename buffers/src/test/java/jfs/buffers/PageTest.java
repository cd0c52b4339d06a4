package jfs.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples on the pages about typed streams and messages. */
class PageTest {

    private static final String CLASS_PATH = System.getProperty("java.class.path");
    /** What the examples of a page take as given. */
    private static final String GIVEN_FOR_MESSAGES = "jfs.streams.TypedStreams streams, PackedMessage message, double[] matrix, int rows,"
            + " int columns, double[] array, ByteBuffer records, ByteBuffer buffer";
    private static final String GIVEN_FOR_STREAMS = "Socket socket, double[] samples";

    /** The blocks of code on a page. */
    private static List<String> examples(String page) throws IOException {
        return Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(Path.of("..", "docs").resolve(page)))
                .results().map(it -> it.group(1)).toList();
    }

    private static void compile(Path folder, String type, String code) throws IOException {
        Path source = Files.writeString(folder.resolve(type + ".java"), code);
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        int status = ToolProvider.getSystemJavaCompiler().run(null, null, errors, "-cp", CLASS_PATH, "-d", folder.toString(),
                source.toString());
        assertEquals(0, status, () -> errors + code);
    }

    /** Those that are no whole program, one behind the other in one method: a reader goes on with what the ones before have made. */
    private static void compilePieces(Path folder, String imports, String given, List<String> pieces) throws IOException {
        StringBuilder code = new StringBuilder(imports);
        pieces.forEach(piece -> piece.lines().filter(it -> it.startsWith("import ")).forEach(it -> code.append(it).append('\n')));
        code.append("class Pieces {\n    void run(").append(given).append(") throws Exception {\n");
        pieces.forEach(piece -> piece.lines().filter(it -> !it.startsWith("import ")).forEach(it -> code.append(it).append('\n')));
        compile(folder, "Pieces", code.append("    }\n}\n").toString());
    }

    /** The page names the classes' package once, in its program, so the pieces have it imported. */
    @Test
    void thePiecesAboutMessagesCompile(@TempDir Path folder) throws Exception {
        List<String> pieces = examples("buffers.md").stream().filter(it -> !it.contains("public class ")).toList();
        assertEquals(3, pieces.size());
        compilePieces(folder, "import java.io.*;\nimport java.nio.*;\nimport jfs.buffers.*;\n", GIVEN_FOR_MESSAGES, pieces);
    }

    /** The page imports what it uses of JFS. */
    @Test
    void thePiecesAboutTypedStreamsCompile(@TempDir Path folder) throws Exception {
        List<String> pieces = examples("how-to/typed.md");
        assertEquals(3, pieces.size());
        compilePieces(folder, "import java.net.Socket;\n", GIVEN_FOR_STREAMS, pieces);
    }

    /** The program on the page about messages prints what the page says. */
    @Test
    void theExampleRuns(@TempDir Path folder) throws Exception {
        compile(folder, "Columns", examples("buffers.md").stream().filter(it -> it.contains("public class Columns")).findFirst()
                .orElseThrow());
        String separator = System.getProperty("path.separator");
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                folder + separator + CLASS_PATH, "Columns").redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals("column 0: 0.0\ncolumn 1: 0.0\ncolumn 2: 0.0\ncolumn 3: 0.5\ncolumn 4: 0.0\n", output);
        assertEquals(0, process.waitFor());
    }
}
