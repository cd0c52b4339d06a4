package jfs.benchmarks.commands;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.programs.NetworkProgram;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures programs whose connections are channels of {@code java.nio}. */
@Command(
        name = "nio",
        mixinStandardHelpOptions = true,
        description = "Programs on java.nio, client and server in two JVMs under JFS with jfs.nio=on (Netty, HTTP, ZooKeeper, Kafka): as "
                + "the command programs, and the CPU of each end, and how many connections were fast.")
class NioBench implements Callable<Integer> {
    @Mixin
    private ProgramOptions options;

    @ArgGroup(exclusive = true)
    private final ProgramOptions.Only only = new ProgramOptions.Only();

    @Option(
            names = "--rows", split = ",", paramLabel = "NAME",
            description = "Which of netty, jetty, tomcat, httpserver, zookeeper, kafka, plain and file, or an operation of one, as "
                    + "kafka:consume (default: ${DEFAULT-VALUE}).")
    private List<String> rows = NetworkProgram.names(NetworkProgram.NIO);

    @Override
    public Integer call() throws ChildFailure, InterruptedException, IOException {
        return options.run(options.choose("--rows", rows, NetworkProgram.NIO), only, true);
    }
}
