package programs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The files of a server, in a new folder below the current one. */
public final class Folder implements AutoCloseable {

    private final Path path;

    public Folder() throws IOException {
        path = Files.createTempDirectory(Path.of(""), "files-").toAbsolutePath();
    }

    public Path path() {
        return path;
    }

    /** Deletes the folder and all that is in it. */
    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.walk(path)) {
            for (Path each : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(each);
            }
        }
    }
}
