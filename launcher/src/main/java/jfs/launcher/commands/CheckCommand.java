package jfs.launcher.commands;

import java.util.concurrent.Callable;
import jfs.launcher.LauncherException;
import jfs.launcher.check.Check;
import jfs.launcher.check.CheckReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code check HOST PORT [--json]} */
@Command(name = "check",
        description = {"Says whether a connection to a server would be fast.", "If not, it says why. It asks the server's process, and"
            + " opens no connection to the server.", "", "The settings of the program that would connect are given to java:",
            "  java -Djfs.rules=FILE -jar jfs.jar check HOST PORT", ""},
        footer = {"", CheckCommand.EXIT_CODES})
final class CheckCommand implements Callable<Integer> {

    /** The manual's page has these as a list. */
    static final String EXIT_CODES = "Exit codes: 0 fast, 1 not fast, 2 given wrongly.";

    @Mixin
    private HelpOption help;

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "HOST", description = "An address, or a name. Each address of a name is checked.")
    private String host;

    @Parameters(index = "1", paramLabel = "PORT", description = "The port at which the server listens.")
    private String port;

    @Option(names = "--json", description = "Prints a JSON object instead of lines.")
    private boolean json;

    @Override
    public Integer call() throws LauncherException {
        CheckReport report = Check.of(host, RulesCheckCommand.port(port));
        spec.commandLine().getOut().print(json ? report.json() : report.text());
        spec.commandLine().getOut().flush();
        return report.fast() ? 0 : Commands.FAILED;
    }
}
