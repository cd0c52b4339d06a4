package jfs.launcher.commands;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

    private static final Pattern EXIT_CODE = Pattern.compile("(\\d) ([^,.]+)");

    /** What each page has at its end. */
    private static final String ENVIRONMENT = """

            == Environment

            *JAVA_HOME*::
              The folder of the Java that runs the command. Without this variable the java in PATH runs it.

            *JDK_JAVA_OPTIONS*::
              Options of java, and settings of JFS: JDK_JAVA_OPTIONS=-Djfs.log=all jfs run -jar app.jar

            == See also

            %s
            """;

    /** @param args the folder to write to, and the version of JFS */
    public static void main(String[] args) throws IOException {
        CommandLine commands = Commands.commandLine(Commands.SCRIPT);
        prepare(commands.getCommandSpec(), args[1]);
        commands.getCommandSpec().usageMessage().footerHeading("Notes%n").footer(
                "Every program can run with the agent instead:", "",
                "  java -javaagent:/usr/share/java-fast-sockets/jfs.jar[=jfs.name=value,...] ...");
        ManPageGenerator.generateManPage(new File(args[0]), null, new boolean[0], true, commands.getCommandSpec());
        addEnds(Path.of(args[0]));
    }

    /** The pages refer to each other. */
    private static void addEnds(Path folder) throws IOException {
        List<Path> pages;
        try (Stream<Path> files = Files.list(folder)) {
            pages = files.filter(page -> page.toString().endsWith(".adoc")).sorted().toList();
        }
        List<String> names = pages.stream().map(page -> page.getFileName().toString().replace(".adoc", "")).toList();
        for (int i = 0; i < pages.size(); i++) {
            String name = names.get(i);
            String others = names.stream().filter(other -> !other.equals(name))
                    .filter(other -> other.equals("jfs") || name.equals("jfs") || name.startsWith(other) || other.startsWith(name))
                    .map(other -> "*" + other + "*(1), ").collect(Collectors.joining());
            Files.writeString(pages.get(i), ENVIRONMENT.formatted(others + "*java*(1)"), StandardOpenOption.APPEND);
        }
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
        if (command.name().equals("check") && command.parent().name().equals(Commands.SCRIPT)) {
            EXIT_CODE.matcher(CheckCommand.EXIT_CODES).results().forEach(code -> codes.put(code.group(1), code.group(2) + "."));
        } else {
            codes.put("0", "The command has done what it should.");
            codes.put(String.valueOf(Commands.FAILED), "The command was tried and failed.");
            codes.put(String.valueOf(Commands.WRONG), "The command was given wrongly.");
        }
        if (!command.name().equals("run")) { // whose exit code is the program's
            usage.exitCodeListHeading("Exit status%n").exitCodeList(codes);
        }
        command.subcommands().values().forEach(it -> prepare(it.getCommandSpec(), version));
    }
}
