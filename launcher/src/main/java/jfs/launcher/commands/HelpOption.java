package jfs.launcher.commands;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The option {@code --help} of each command. A command's help fits a screen of {@link #COLUMNS} columns and 24 lines. */
@Command(synopsisHeading = "Use: ", sortOptions = false)
final class HelpOption {

    static final int COLUMNS = 80;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Prints this text.")
    private boolean asked;
}
