package jfs.launcher.commands;

import java.io.File;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/**
 * Writes the manual's pages of the commands from their help, as AsciiDoc: one page for {@code jfs} and one for each command. The build
 * calls it; {@code packaging/deb/build.sh} makes manual pages of what it writes.
 */
public final class ManPages {

    private ManPages() {
    }

    /** @param args the folder to write to, and the version of JFS */
    public static void main(String[] args) throws IOException {
        CommandLine commands = Commands.commandLine(Commands.SCRIPT);
        prepare(commands.getCommandSpec(), args[1]);
        commands.getCommandSpec().usageMessage().footerHeading("Notes%n").footer(
                "Every program can run with the agent instead:", "",
                "  java -javaagent:/usr/share/java-fast-sockets/jfs.jar[=jfs.name=value,...] ...", "",
                "The script jfs starts the java of the folder JAVA_HOME, or else the one in PATH."
                + " The environment variable JDK_JAVA_OPTIONS has options for it.");
        ManPageGenerator.generateManPage(new File(args[0]), null, new boolean[0], true, commands.getCommandSpec());
    }

    /** The pages name no version of Java. */
    private static void prepare(CommandSpec command, String version) {
        command.versionProvider(null).version("Java Fast Sockets " + version);
        UsageMessageSpec usage = command.usageMessage();
        String[] synopsis = usage.customSynopsis();
        for (int i = 0; i < synopsis.length; i++) {
            String end = i + 1 < synopsis.length ? " +" : ""; // AsciiDoc's mark for a line that ends here
            synopsis[i] = synopsis[i].trim() + end;
        }
        usage.customSynopsis(synopsis);
        Map<String, String> codes = new LinkedHashMap<>();
        codes.put("0", "The command has done what it should.");
        codes.put(String.valueOf(Commands.FAILED), "The command was tried and failed.");
        codes.put(String.valueOf(Commands.WRONG), "The command was given wrongly.");
        if (!command.name().equals("run")) { // whose exit code is the program's
            usage.exitCodeListHeading("Exit status%n").exitCodeList(codes);
        }
        command.subcommands().values().forEach(it -> prepare(it.getCommandSpec(), version));
    }
}
