package jfs.procfs;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mapped file is found by its name, also when it has been removed. */
class MappedFilesTest {

    @Test
    void namesOfFiles(@TempDir Path folder) throws Exception {
        Path file = Files.write(folder.resolve("of all names 2"), new byte[] {42});
        assertFalse(MappedFiles.names().contains("of all names 2"));
        MappedByteBuffer mapped;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, 1);
        }
        assertTrue(MappedFiles.names().contains("of all names 2"));
        Files.delete(file);
        assertTrue(MappedFiles.names().contains("of all names 2 (deleted)"));
        assertTrue(mapped.get(0) == 42); // it was mapped all the time
    }
}
