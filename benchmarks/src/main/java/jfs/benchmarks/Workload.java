package jfs.benchmarks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A program to be measured, in two JVMs or, over pipes, in one: see {@code workloads}. {@link #PORT} among the arguments stands for
 * the server's port.
 *
 * @param classPath beside the jar that this class is in
 */
record Workload(String name, String classPath, List<String> server, List<String> client) {
    static final String PORT = "PORT";

    private static final String IN_MEMORY_PORT = "20000"; // nobody else's: there is only this program

    Workload(String name, List<String> server, List<String> client) {
        this(name, "", server, client);
    }

    List<String> server(Installation installation, Side side, String log) {
        return installation.java(side.server(), wholeClassPath(), withPort(server, "0"), log);
    }

    List<String> client(Installation installation, Side side, String port, String log) {
        return installation.java(side.client(), wholeClassPath(), withPort(client, port), log);
    }

    List<String> inProcess(Installation installation) {
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
        return classPath.isEmpty() ? ownJar() : ownJar() + ":" + classPath;
    }

    /** The jar, or in a development environment the folder, that this class comes from: the programs are in it, too. */
    static String ownJar() {
        return Path.of(Workload.class.getProtectionDomain().getCodeSource().getLocation().getPath()).toString();
    }
}
