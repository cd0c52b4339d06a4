package jfs.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The measurement of the pools, with the pools themselves. */
class BuffersTest extends Runs {

    @Test
    void benchMeasuresEachAllocatorForEachSizeAndNumberOfThreads() throws Exception {
        Path figure = folder.resolve("figure.png");
        assertEquals(0, run("bench", "buffers", "--libraries", pools().toString(), "--forks", "2", "--sizes", "64,70000",
                "--threads", "1,3", "--turns", "1", "--turn-seconds", "0.1", "--figure", figure.toString()), err::toString);
        String text = out.toString();
        assertEquals(2, text.lines().filter(line -> line.matches(" *64( +\\S+){11}")).count(), text);
        assertEquals(2, text.lines().filter(line -> line.matches(" *70000( +\\S+){11}")).count(), text);
        assertTrue(text.contains("from 1 KB, 1 thread: allocateDirect to pool"), text);
        assertTrue(text.contains("from 1 KB, 3 threads: allocateDirect to pool"), text);
        assertTrue(Files.size(figure) > 0);
        pageHas(2);
    }

    @Test
    void aTurnHasALimit() throws Exception {
        assertEquals(2, run("bench", "buffers", "--libraries", folder.toString(), "--turn-seconds", "31"));
        assertTrue(err.toString().startsWith("jfs: --turn-seconds: 31.0 is not more than 0 and at most 30.0"), err::toString);
    }

    /** A folder with jars of the pools, which the tests have on their class path, as jars or as folders. */
    private Path pools() throws IOException {
        Path jars = Files.createDirectories(folder.resolve("pools"));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path from = Path.of(entry);
            String name = from.getFileName().toString();
            if (name.matches("(netty-buffer|netty-common|jfs-buffers|jfs-core)-.*\\.jar")) {
                Files.copy(from, jars.resolve(name));
            } else if (entry.endsWith("/target/classes") && !from.getParent().getParent().endsWith("benchmarks")) {
                pack(from, jars.resolve(from.getParent().getParent().getFileName() + ".jar"));
            }
        }
        return jars;
    }

    static void pack(Path classes, Path jar) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar)); Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                Files.copy(file, out);
            }
        }
    }
}
