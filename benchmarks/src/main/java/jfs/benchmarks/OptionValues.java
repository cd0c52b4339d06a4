package jfs.benchmarks;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Checks the values of options, beyond their types. */
final class OptionValues {
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
}
