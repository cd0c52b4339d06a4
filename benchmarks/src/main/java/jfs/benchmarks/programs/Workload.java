package jfs.benchmarks.programs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * A program to be measured, in two JVMs, or in one JVM over pipes: see {@code workloads}. {@link #PORT} among the arguments stands
 * for the server's port.
 *
 * @param classPath the class path besides the jar of this class
 */
public record Workload(String name, String classPath, List<String> server, List<String> client) {
    public static final String PORT = "PORT";

    private static final String IN_MEMORY_PORT = "20000"; // always free: no other program has sockets in this JVM

    public Workload(String name, List<String> server, List<String> client) {
        this(name, "", server, client);
    }

    public List<String> server(Installation installation, Side side, String log) {
        return installation.java(side.server(), wholeClassPath(), withPort(server, "0"), log);
    }

    public List<String> client(Installation installation, Side side, String port, String log) {
        return installation.java(side.client(), wholeClassPath(), withPort(client, port), log);
    }

    public List<String> inProcess(Installation installation) {
        List<String> all = new ArrayList<>(List.of("workloads.pipes.InProcess"));
        all.addAll(withPort(server, IN_MEMORY_PORT));
        all.add("--");
        all.addAll(withPort(client, IN_MEMORY_PORT));
        return installation.java(Side.Start.PLAIN, wholeClassPath(), all, "off");
    }

    private static List<String> withPort(List<String> command, String port) {
        return command.stream().map(argument -> argument.equals(PORT) ? port : argument).toList();
    }

    private String wholeClassPath() {
        return classPath.isEmpty() ? programs() : programs() + ":" + classPath;
    }

    /**
     * The class path of the programs: the jar of this class. In a development environment it is the folder of this class and the jar of
     * the programs' library.
     */
    public static String programs() {
        return Stream.of(Workload.class, Histogram.class).map(Workload::location).distinct().collect(Collectors.joining(":"));
    }

    private static String location(Class<?> of) {
        return Path.of(of.getProtectionDomain().getCodeSource().getLocation().getPath()).toString();
    }
}
