package jfs.monitor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The memory of the table where there is no memfd: without the native library, or if the kernel refuses. It is a file in the temporary
 * folder, which the JDK removes right after it has made it ({@link StandardOpenOption#DELETE_ON_CLOSE}), and of which only the rows that
 * are used take room.
 */
final class TableFile {

    /** Keeps the file open for the life of the process. */
    private static FileChannel keptOpen;

    private TableFile() {
    }

    /** @return memory for the table, all 0; null where no file can be made */
    static ByteBuffer make() {
        try {
            Path path = Path.of(System.getProperty("java.io.tmpdir"), TableLayout.FILE + "-" + ProcessHandle.current().pid());
            Files.deleteIfExists(path); // of a process of the same number that was killed before it could remove its file
            FileChannel channel = FileChannel.open(path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
                    StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            ByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, TableLayout.TABLE_BYTES);
            keptOpen = channel;
            return mapped;
        } catch (IOException | RuntimeException e) { // no such folder, no permission, not a file system of POSIX
            return null;
        }
    }
}
