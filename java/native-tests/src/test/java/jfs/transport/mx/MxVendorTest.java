package jfs.transport.mx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jfs.testing.Natives;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The path over a library that has only the MX interface, like a vendor's. It is our library, with the names of its
 * extension made invalid.
 */
@Timeout(180)
class MxVendorTest {

    @TempDir
    private Path folder;

    private Path withoutExtension() throws Exception {
        Path shim = Path.of(System.getProperty("jfs.native.dir")).resolve("libmyriexpress.so");
        String bytes = Files.readString(shim, StandardCharsets.ISO_8859_1);
        assertTrue(bytes.contains("\0mx_shim_descriptor\0"));
        Path library = folder.resolve("libmyriexpress.so");
        Files.writeString(library, bytes.replace("\0mx_shim_", "\0no_shim_"), StandardCharsets.ISO_8859_1);
        return library;
    }

    @Test
    void theTestsOfPathAndChannelPassWithoutTheExtension() throws Exception {
        Natives.assumeMx();
        File output = folder.resolve("output").toFile();
        Process process = new ProcessBuilder(List.of(System.getProperty("java.home") + "/bin/java", "-cp",
                System.getProperty("java.class.path"), "--enable-native-access=ALL-UNNAMED",
                "-Djfs.native.dir=" + System.getProperty("jfs.native.dir"), "-Dmx.library=" + withoutExtension(),
                "org.junit.platform.console.ConsoleLauncher", "execute", "--disable-banner",
                "--select-class=jfs.transport.mx.MxPathTest", "--select-class=jfs.mx.MxChannelTest"))
                .redirectErrorStream(true).redirectOutput(output).start();
        try {
            assertTrue(process.waitFor(150, TimeUnit.SECONDS), "still there");
            assertEquals(0, process.exitValue(), () -> text(output));
        } finally {
            process.destroyForcibly();
        }
    }

    private static String text(File file) {
        try {
            return Files.readString(file.toPath());
        } catch (IOException e) {
            return e.toString();
        }
    }
}
