package jfs.launcher.commands;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code rules check ...} */
@Command(name = "rules", subcommands = RulesCheckCommand.class, description = {"Explains a file of rules (jfs.rules).", ""})
final class RulesCommand {

    @Mixin
    private HelpOption help;
}
