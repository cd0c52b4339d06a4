package jfs.launcher.commands;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import jfs.launcher.LauncherException;
import jfs.procfs.Descriptors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code java -jar jfs.jar COMMAND ...}: all commands in one list. To add a command, write a class of this package and name it here.
 *
 * <p>Exit codes: 0, 1 if the command was tried and failed, 2 if it was given wrongly. An error is one line on stderr, which begins with
 * "jfs: ". A command reports it by a {@link LauncherException}.
 */
@Command(
        subcommands = {RunCommand.class, AttachCommand.class, StatusCommand.class, CheckCommand.class, SelftestCommand.class,
             SettingsCommand.class, RulesCommand.class, NetpipeCommand.class, CompletionCommand.class, HelpCommand.class},
        versionProvider = Version.class,
        description = "Java Fast Sockets: sockets for Java at shared-memory speed, for unmodified programs.",
        footer = {"", "Every program can run with the agent instead:", "  java -javaagent:jfs.jar[=jfs.name=value,...] ...",
            "COMMAND --help tells more of a command."})
public final class Commands implements Callable<Integer> {

    /** How the user calls jfs.jar. A script that does it has a name of its own, and gives it in this system property. */
    private static final String CALLED = System.getProperty("org.javafastsockets.command", "java -jar jfs.jar");

    /** How the commands' own texts call jfs.jar. */
    private static final String BY_JAVA = "java( \\[options])? -jar jfs\\.jar";

    /** The same with a setting. */
    private static final String WITH_SETTING = "java (-D\\S+) -jar jfs\\.jar";

    /** The name of such a script, for which completion is made. */
    static final String SCRIPT = "jfs";

    static final int FAILED = 1;
    static final int WRONG = 2;

    @Mixin
    private HelpOption help;

    @Option(names = {"-V", "--version"}, versionHelp = true, description = "Prints the versions of JFS and of what it runs on.")
    private boolean version;

    @Spec
    private CommandSpec spec;

    private Commands() {
    }

    /**
     * Executes a command, on the calling thread.
     *
     * @param args the command's name and its arguments
     * @return the exit code
     */
    public static int execute(String... args) {
        CommandLine commands = commandLine(CALLED);
        int exitCode = commands.execute(args);
        if (exitCode == 0 && System.out.checkError() && canBeFull(Path.of("/proc/self/fd/1"))) {
            commands.getErr().println(LauncherException.line("the output can't be written completely; is there no room left?"));
            return FAILED;
        }
        return exitCode; // a reader that has closed its pipe, FIFO or socket has read enough
    }

    private static boolean canBeFull(Path output) {
        return Files.isRegularFile(output) || Descriptors.target(output).equals("/dev/full");
    }

    /** All commands, under the given name of the whole. */
    static CommandLine commandLine(String name) {
        IExecutionExceptionHandler failures = (failure, command, parsed) -> {
            boolean expected = failure instanceof LauncherException;
            command.getErr().println(LauncherException.line(expected ? failure.getMessage()
                    : command.getCommandSpec().qualifiedName() + " failed: " + failure));
            return expected ? ((LauncherException) failure).exitCode() : FAILED;
        };
        CommandLine commands = new CommandLine(new Commands());
        if (name.equals(SCRIPT)) {
            nameScript(commands);
        }
        return commands
                .setCommandName(name)
                .setExpandAtFiles(false)
                .setUsageHelpWidth(HelpOption.COLUMNS)
                .setParameterExceptionHandler(new Refusals())
                .setExecutionExceptionHandler(failures);
    }

    /** Lets the texts of how a command is used name the script. It passes its arguments on, so java's options are in a variable. */
    private static void nameScript(CommandLine command) {
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        usage.customSynopsis(Stream.of(usage.customSynopsis()).map(it -> it.replaceFirst(BY_JAVA, SCRIPT)).toArray(String[]::new));
        usage.description(Stream.of(usage.description()).map(it -> it.replaceFirst(WITH_SETTING, "JDK_JAVA_OPTIONS=$1 " + SCRIPT)
                .replace(RunCommand.OPTIONS, RunCommand.OPTIONS_OF_SCRIPT)).toArray(String[]::new));
        command.getSubcommands().values().forEach(Commands::nameScript);
    }

    /** Without a command. */
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return WRONG;
    }
}
