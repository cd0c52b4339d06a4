package jfs.programs.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/**
 * Programs that run together in one folder. The folder must be empty when they have ended. {@link #close} ends all of
 * them.
 */
public final class Programs implements AutoCloseable {

    private final Path folder = Files.createTempDirectory("programs-");
    private final Deque<Program> all = new ArrayDeque<>();

    public Programs() throws IOException {
    }

    public Program start(Program.Start how) throws IOException {
        Program program = how.in(folder);
        all.push(program);
        return program;
    }

    /** Starts any program as one of these. */
    public Program start(String name, List<String> command) throws IOException {
        Program program = Program.start(name, folder, command);
        all.push(program);
        return program;
    }

    /** Ends the programs, the last one first. */
    @Override
    public void close() throws Exception {
        List<Throwable> failures = new ArrayList<>();
        for (Program program : all) {
            try {
                program.close();
            } catch (InterruptedException | AssertionError e) {
                failures.add(e);
            }
        }
        List<Path> left;
        try (Stream<Path> files = Files.walk(folder)) {
            left = files.sorted((a, b) -> b.compareTo(a)).toList();
        }
        for (Path file : left) {
            Files.delete(file);
        }
        assertEquals(List.of(), failures);
        assertEquals(List.of(folder), left, "files left");
    }
}
