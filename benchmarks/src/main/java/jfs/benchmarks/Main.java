package jfs.benchmarks;

import java.io.PrintWriter;
import java.util.List;
import jfs.benchmarks.commands.Bench;
import jfs.benchmarks.commands.Demo;
import jfs.benchmarks.commands.OptionValues;
import jfs.benchmarks.commands.Programs;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.report.Pages;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** {@code java -jar benchmarks.jar demo|programs|bench ...} */
@Command(
        name = "benchmarks",
        mixinStandardHelpOptions = true,
        subcommands = {Demo.class, Programs.class, Bench.class},
        description = "Measures JFS beside the JDK's sockets and the hardware floor.")
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(run(new PrintWriter(System.out, true), new PrintWriter(System.err, true), args));
    }

    /** @return the exit code: 0: measured, 1: a run failed, 2: a wrong command line */
    static int run(PrintWriter out, PrintWriter err, String... args) {
        System.setProperty("java.awt.headless", "true"); // the plots need fonts, not a display
        return commandLine()
                .setOut(out)
                .setErr(err)
                .execute(args);
    }

    static CommandLine commandLine() {
        CommandLine commands = new CommandLine(new Main());
        if (System.getProperty(Pages.COMMAND) != null) {
            nameScript(commands);
        }
        return commands
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setAllowSubcommandsAsOptionParameters(true) // --benches pingpong
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    if (!(failure instanceof ChildFailure)) {
                        throw failure;
                    }
                    command.getErr().println("jfs: " + failure.getMessage());
                    return 1;
                })
                .setParameterExceptionHandler((wrong, arguments) -> {
                    PrintWriter err = wrong.getCommandLine().getErr();
                    err.println("jfs: " + wrong.getMessage());
                    if (!CommandLine.UnmatchedArgumentException.printSuggestions(wrong, err)) {
                        wrong.getCommandLine().usage(err);
                    }
                    return 2;
                })
                .setExecutionStrategy(parsed -> {
                    OptionValues.checkCounts(parsed);
                    return new CommandLine.RunLast().execute(parsed);
                });
    }

    /** Lets the help show the commands of the script {@code jfs}, without the options that the script gives. */
    private static void nameScript(CommandLine commands) {
        commands.setCommandName("./jfs");
        CommandLine programs = commands.getSubcommands().get("programs");
        programs.setCommandName("demo");
        CommandSpec nio = programs.getSubcommands().get("nio").getCommandSpec();
        hide(nio, nio.findOption("--out"));
        hideRequired(commands);
    }

    private static void hideRequired(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        List.copyOf(spec.options()).stream().filter(option -> option.required() && option.group() == null)
                .forEach(option -> hide(spec, option));
        command.getSubcommands().values().forEach(Main::hideRequired);
    }

    private static void hide(CommandSpec spec, OptionSpec option) {
        spec.remove(option);
        spec.add(OptionSpec.builder(option).hidden(true).build());
    }
}
