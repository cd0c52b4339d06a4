package jfs.benchmarks.commands;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import jfs.benchmarks.measurements.IdleConnections;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.programs.NetworkProgram;
import jfs.benchmarks.report.Report;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures programs whose connections are channels of {@code java.nio}. */
@Command(
        name = "nio",
        mixinStandardHelpOptions = true,
        description = "Programs on java.nio, client and server in two JVMs under JFS (Netty, HTTP, ZooKeeper, Kafka, "
                + "files): as the command programs, and the CPU of each end, and how many connections were fast. Netty with a client that "
                + "has no JFS; and what idle connections cost a selector.")
class NioBench implements Callable<Integer> {
    private static final String IDLE = "idle";
    private static final int IDLE_CONNECTIONS = 10_000;
    private static final double IDLE_SECONDS_MAX = 30; // a turn must end before the time limit of Players

    @Mixin
    private ProgramOptions options;

    @ArgGroup(exclusive = true)
    private final ProgramOptions.Only only = new ProgramOptions.Only();

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--rows", split = ",", paramLabel = "NAME",
            description = "Which of netty, jetty, tomcat, httpserver, zookeeper, kafka, plain, file and idle, or an operation of one, as "
                    + "kafka:consume (default: all).")
    private List<String> rows = Stream.concat(NetworkProgram.names(NetworkProgram.NIO).stream(), Stream.of(IDLE)).toList();

    @Option(
            names = "--idle", paramLabel = "N",
            description = "Row idle: connections that are idle (default: " + IDLE_CONNECTIONS + ", or what the limit of descriptors "
                    + "allows).")
    private Integer idle;

    @Option(
            names = "--idle-seconds", paramLabel = "S", defaultValue = "10",
            description = "Row idle: for how long no connection is used (default: ${DEFAULT-VALUE}).")
    private double idleSeconds;

    @Override
    public Integer call() throws ChildFailure, InterruptedException, IOException {
        List<String> others = rows.stream().filter(name -> !name.equals(IDLE)).toList();
        List<NetworkProgram> programs = options.choose("--rows", others, NetworkProgram.NIO, List.of(IDLE));
        int connections = 0;
        if (others.size() < rows.size()) {
            options.check();
            OptionValues.check(spec, "--idle-seconds", idleSeconds, idleSeconds > 0 && idleSeconds <= IDLE_SECONDS_MAX,
                    "more than 0 and at most " + IDLE_SECONDS_MAX);
            connections = connections();
        }
        Report report = options.report("Programs over channels of java.nio: JFS beside the JDK's sockets",
                "A client and a server, each in a JVM of its own on one host, run over the JDK's channels and over JFS's: cold, in their"
                        + " first seconds, and warm, in turns once they are compiled.");
        int code = programs.isEmpty() ? 0 : options.run(programs, only, true, report);
        try {
            if (connections > 0) {
                options.runIdle(connections, idleSeconds, report);
            }
        } finally {
            if (!report.isEmpty()) {
                options.publish(report);
            }
        }
        return code;
    }

    /** Throws an exception if these connections could not all be fast. */
    private int connections() {
        int most = IdleConnections.most();
        OptionValues.check(spec, "--idle", idle == null ? most : idle, most > 0 && (idle == null || idle <= most),
                "possible: the hard limit of descriptors (ulimit -Hn) allows " + most + " fast connections");
        if (idle == null && most < IDLE_CONNECTIONS) {
            spec.commandLine().getErr().println("idle: " + most + " connections and not " + IDLE_CONNECTIONS
                    + ": the hard limit of descriptors (ulimit -Hn) allows no more fast ones");
        }
        return idle == null ? Math.min(IDLE_CONNECTIONS, most) : idle;
    }
}
