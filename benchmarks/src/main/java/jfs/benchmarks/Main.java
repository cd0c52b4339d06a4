package jfs.benchmarks;

import java.io.PrintWriter;
import jfs.benchmarks.commands.Bench;
import jfs.benchmarks.commands.Demo;
import jfs.benchmarks.commands.OptionValues;
import jfs.benchmarks.commands.Programs;
import jfs.benchmarks.processes.ChildFailure;
import picocli.CommandLine;
import picocli.CommandLine.Command;

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
        return new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setAllowSubcommandsAsOptionParameters(true) // --benches pingpong
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    if (!(failure instanceof ChildFailure)) {
                        throw failure;
                    }
                    command.getErr().println("error: " + failure.getMessage());
                    return 1;
                })
                .setExecutionStrategy(parsed -> {
                    OptionValues.checkCounts(parsed);
                    return new CommandLine.RunLast().execute(parsed);
                });
    }
}
