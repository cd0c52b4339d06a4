package workloads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import jfs.benchmarks.processes.Child;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the measured programs over pipes in one JVM. They check every answer themselves. */
class WorkloadsTest {
    private static final Duration LIMIT = Duration.ofSeconds(50);

    /** @return the keys of the results, in their order */
    private static List<String> run(String... serverBorderClient) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-cp", System.getProperty("java.class.path").replace(File.pathSeparatorChar, ':'),
                "workloads.pipes.InProcess"));
        command.addAll(List.of(serverBorderClient));
        try (Child child = Child.start("the program", command, line -> {})) {
            return child.awaitSuccess(LIMIT).stream()
                    .filter(line -> line.startsWith("result "))
                    .map(line -> line.split(" ")[1])
                    .toList();
        }
    }

    @Test
    void rmi() throws Exception {
        assertEquals(
                List.of("null", "args", "echo", "callback", "exception", "object", "threads", "jmx"),
                run("workloads.rmi.RmiServer", "20000", "--", "workloads.rmi.RmiClient", "20000", "0.05", "0.05"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"H2", "DERBY", "HSQLDB"})
    void jdbc(String database) throws Exception {
        assertEquals(
                List.of("one", "row", "insert", "rows"),
                run("workloads.jdbc.DatabaseServer", database, "20000", "--",
                        "workloads.jdbc.DatabaseClient", database, "20000", "0.05", "0.05"));
    }
}
