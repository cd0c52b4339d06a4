package jfs.benchmarks;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** What an option's value has to be, beyond its type. */
final class OptionValues {
    private OptionValues() {}

    /**
     * Refuses a value with one line.
     *
     * @param what is allowed, as in "1 or more"
     */
    static void check(CommandSpec command, String option, Number value, boolean allowed, String what) {
        if (!allowed) {
            throw new ParameterException(command.commandLine(), option + ": " + value + " is not " + what);
        }
    }
}
