package jfs.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import jfs.buffers.Layout;
import org.junit.jupiter.api.Test;

/** The measurement of layouts, with a stand-in for the agent: the vectors go over the JDK's sockets. */
class LayoutsTest extends Runs {
    @Test
    void benchMeasuresEachWayForEachLength() throws Exception {
        assertEquals(0, runWithJar("bench", "layouts", "--libraries", buffers().toString(), "--lengths", "1,7", "--turns", "2"),
                err::toString);
        String text = out.toString();
        assertTrue(text.lines().anyMatch(line -> line.matches(" *1 +8000 +layout( +\\S+){3}")), text);
        assertTrue(text.lines().anyMatch(line -> line.matches(" *7 +56000 +message, layout( +\\S+){3}")), text);
        assertEquals(2, text.lines().filter(line -> line.matches(" *[17] +\\d+ +one piece +\\S+ *")).count(), text);
        assertEquals(2, text.lines().filter(line -> line.matches(" *[17] +\\d+ +C, one copy, blocks +0.0500 +1.00 +\\S+")).count(), text);
        assertTrue(text.contains("layout, blocks of 1, to one piece") && text.contains("message, layout, blocks of 7, to one piece"), text);
        assertTrue(text.contains("7 of 7 connections over JFS were switched."), text);
        pageHas(1);
    }

    @Test
    void aLengthHasALimit() throws Exception {
        assertEquals(2, run("bench", "layouts", "--libraries", folder.toString(), "--lengths", "4097"));
        assertTrue(err.toString().startsWith("jfs: --lengths: 4097 is not 1 to 4096"), err::toString);
    }

    @Test
    void theJarOfTheLayoutsHasToBeThere() throws Exception {
        assertEquals(2, run("bench", "layouts", "--libraries", folder.toString()));
        assertTrue(err.toString().contains("--libraries: there is no jar of jfs-buffers in " + folder), err::toString);
    }

    /** A folder with the jar of the layouts, which the tests have on their class path, as a jar or as a folder. */
    private Path buffers() throws Exception {
        Path from = Path.of(Layout.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        Path jars = Files.createDirectories(folder.resolve("jars"));
        Path jar = jars.resolve("jfs-buffers.jar");
        if (Files.isDirectory(from)) {
            BuffersTest.pack(from, jar);
        } else {
            Files.copy(from, jar);
        }
        return jars;
    }
}
