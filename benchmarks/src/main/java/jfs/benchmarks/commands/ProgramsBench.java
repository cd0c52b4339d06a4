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

/** Measures network programs on well-known libraries. */
@Command(
        name = "programs",
        mixinStandardHelpOptions = true,
        description = "Real programs, client and server in two JVMs (sockets, Thrift, gRPC, JGroups, FTP, SMTP, IMAP, Tomcat): rate and "
                + "CPU beside the JDK's sockets, in the first seconds of new JVMs (cold), and in turns once they are compiled (warm).")
final class ProgramsBench implements Callable<Integer> {
    @Mixin
    private ProgramOptions options;

    @ArgGroup(exclusive = true)
    private final ProgramOptions.Only only = new ProgramOptions.Only();

    @Option(
            names = "--programs", split = ",", paramLabel = "NAME",
            description = "Which of sockets, rmi, thrift, grpc, jgroups, ftp, smtp, imap and tomcat, or an operation of one, as "
                    + "thrift:connection (default: all).")
    private List<String> programs = NetworkProgram.names(NetworkProgram.ALL);

    @Override
    public Integer call() throws ChildFailure, InterruptedException, IOException {
        return options.run(options.choose("--programs", programs, NetworkProgram.ALL, List.of()), only, false);
    }
}
