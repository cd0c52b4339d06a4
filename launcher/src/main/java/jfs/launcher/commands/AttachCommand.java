package jfs.launcher.commands;

import java.util.List;
import java.util.concurrent.Callable;
import jfs.launcher.Attach;
import jfs.launcher.LauncherException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code attach PID [jfs.name=value]...} */
@Command(name = "attach",
        description = {"Lets a running JVM use JFS for new sockets.", "Sockets that exist already stay as they are.", ""})
final class AttachCommand implements Callable<Integer> {

    @Mixin
    private HelpOption help;

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "PID", description = "The process id of the JVM, which has to be of the same user.")
    private String process;

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "jfs.name=value", description = "Settings for that JVM.")
    private List<String> settings = List.of();

    @Override
    public Integer call() throws LauncherException {
        String outcome = Attach.execute(process, settings);
        spec.commandLine().getOut().println(outcome);
        return 0;
    }
}
