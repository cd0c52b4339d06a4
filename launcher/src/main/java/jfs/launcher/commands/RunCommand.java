package jfs.launcher.commands;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The help of {@code run}. {@link jfs.launcher.Main} itself runs the program, without picocli. */
@Command(name = "run",
        customSynopsis = {"java [options] -jar jfs.jar run -jar app.jar [args...]",
            "     java [options] -jar jfs.jar run MainClass [args...]"},
        description = {"Runs a program on JFS sockets.", "",
            "The options are java's own, and settings: -Djfs.log=all. Arguments, exceptions and the exit code are the program's own.", ""})
final class RunCommand {

    @Mixin
    private HelpOption help;

    @Parameters(paramLabel = "args", hidden = true)
    private List<String> program;
}
