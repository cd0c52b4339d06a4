package jfs.benchmarks.commands;

import java.util.Collection;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Checks the values of options, beyond their types. */
public final class OptionValues {
    /** The only count that may be 0. */
    private static final String BUSY = "--busy";

    private OptionValues() {}

    /**
     * Refuses a value with a message of one line.
     *
     * @param what the allowed values, as in "1 or more"
     */
    static void check(CommandSpec command, String option, Number value, boolean allowed, String what) {
        if (!allowed) {
            throw new ParameterException(command.commandLine(), option + ": " + value + " is not " + what);
        }
    }

    /** Checks all options of the commands that are whole numbers. Each counts something, so it has to be 1 or more. */
    public static void checkCounts(ParseResult command) {
        command.subcommands().forEach(OptionValues::checkCounts);
        if (command.isUsageHelpRequested()) {
            return;
        }
        for (OptionSpec option : command.commandSpec().options()) {
            Object value = option.getValue();
            Collection<?> values = value instanceof Collection<?> several ? several : value == null ? List.of() : List.of(value);
            int least = option.longestName().equals(BUSY) ? 0 : 1;
            for (Object each : values) {
                if (each instanceof Integer count) {
                    check(command.commandSpec(), option.longestName(), count, count >= least, least + " or more");
                }
            }
        }
    }
}
