package jfs.benchmarks;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The floor programs in C: what the machine can do without Java and without JFS. */
record Floor(Path folder) {
    static final double SECONDS = 0.2; // for each measurement; the programs take the median of several trials within it

    private static final Pattern RESULT = Pattern.compile("^floor program=\\S+ bytes=\\d+ ns=(\\S+) ");

    /** One byte or more between two spinning processes over shared memory: seconds one way. */
    double sharedMemory(int bytes) throws ChildFailure, InterruptedException {
        return seconds("shm-pingpong", bytes);
    }

    /** Seconds for a copy of that size by one core, warm. */
    double copy(int bytes) throws ChildFailure, InterruptedException {
        return seconds("copy", bytes);
    }

    private double seconds(String program, int bytes) throws ChildFailure, InterruptedException {
        String path = folder.resolve(program).toString();
        List<String> command = List.of(path, "--bytes", Integer.toString(bytes), "--seconds", Double.toString(SECONDS));
        try (Child child = Child.start(program, command, line -> {})) {
            child.awaitSuccess(Duration.ofSeconds(20));
            MatchResult result = child.awaitLine(RESULT, Duration.ZERO);
            return Double.parseDouble(result.group(1)) * 1e-9;
        }
    }
}
