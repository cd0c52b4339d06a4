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
            RunCommand.OPTIONS + " Arguments, exceptions and the exit code are the program's own.", ""})
final class RunCommand {

    static final String OPTIONS = "The options are java's own, and settings: -Djfs.log=all.";

    /** The same for a caller of a script, which is no command of java. */
    static final String OPTIONS_OF_SCRIPT = "Options of java, and settings such as -Djfs.log=all, are in the environment variable"
            + " JDK_JAVA_OPTIONS.";

    @Mixin
    private HelpOption help;

    @Parameters(paramLabel = "args", hidden = true)
    private List<String> program;
}
