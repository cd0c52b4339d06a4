package jfs.launcher.commands;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code completion}: a script for the shell. */
@Command(name = "completion",
        description = {"Prints a script by which bash and zsh complete commands.", "",
            "  alias jfs='java -jar /opt/jfs/jfs.jar'", "  source <(jfs completion)", ""})
final class CompletionCommand implements Callable<Integer> {

    @Mixin
    private HelpOption help;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().getOut().print(AutoComplete.bash(Commands.SCRIPT, Commands.commandLine(Commands.SCRIPT)));
        spec.commandLine().getOut().flush();
        return 0;
    }
}
