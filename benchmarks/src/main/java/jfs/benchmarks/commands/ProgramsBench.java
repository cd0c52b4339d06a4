package jfs.benchmarks.commands;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.programs.NetworkProgram;
import jfs.benchmarks.report.Report;
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
        List<NetworkProgram> chosen = options.choose("--programs", programs, NetworkProgram.ALL, List.of());
        Report report = options.report("Programs on well-known libraries: JFS beside the JDK's sockets",
                "A client and a server, each in a JVM of its own on one host, run over the JDK's sockets and over JFS: cold, in their first"
                        + " seconds, and warm, in turns once they are compiled.");
        int code = options.run(chosen, only, false, report);
        options.publish(report);
        return code;
    }
}
