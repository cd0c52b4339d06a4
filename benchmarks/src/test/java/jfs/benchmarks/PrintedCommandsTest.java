package jfs.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jfs.benchmarks.commands.OptionValues;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The commands of {@code ./jfs} that README.md, CONTRIBUTING.md and the pages under docs/ print: each is one that exists today. */
class PrintedCommandsTest {

    /** Code in a sentence; or a line of a block, up to what the block says about the command. */
    private static final Pattern PRINTED = Pattern.compile("`([A-Z_]+=\\S+ )?\\./jfs (?<code>[a-z][^`]*)`"
            + "|^\\./jfs (?<line>[a-z].*?)(?=: |, |  |$)", Pattern.MULTILINE);
    private static final Path ROOT = Path.of("..");

    static Set<String> printed() throws IOException {
        Set<String> commands = new TreeSet<>();
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")));
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            docs.filter(page -> page.toString().endsWith(".md")).forEach(pages::add);
        }
        for (Path page : pages) {
            Matcher printed = PRINTED.matcher(Files.readString(page));
            while (printed.find()) {
                String command = printed.group("code") != null ? printed.group("code") : printed.group("line");
                commands.add(command.replaceAll("\\s+", " ")); // code in a sentence may go over two lines
            }
        }
        return commands;
    }

    static Stream<String> measurements() throws IOException {
        return printed().stream().filter(command -> command.matches("(bench|demo) .*|demo"))
                .filter(command -> !command.contains("NAME") && !command.contains("COMMIT")); // stands for a name
    }

    /** The command line is the one that the script would make of it. Nothing is measured. */
    @ParameterizedTest
    @MethodSource("measurements")
    void aMeasurementIsCalledAsPrinted(String command) {
        List<String> words = new ArrayList<>(List.of(command.split(" ")));
        if (words.remove("demo")) {
            boolean named = !words.isEmpty() && !words.get(0).startsWith("-");
            words.add(0, named ? "programs" : "demo");
        }
        StringWriter said = new StringWriter();
        int code = Main.commandLine().setErr(new PrintWriter(said)).setExecutionStrategy(parsed -> {
            OptionValues.checkCounts(parsed);
            CommandLine last = parsed.asCommandLineList().get(parsed.asCommandLineList().size() - 1);
            assertTrue(last.getSubcommands().isEmpty(), () -> "no name of a measurement: " + command);
            return 0;
        }).execute(withInstallation(words));
        assertEquals(0, code, () -> command + ": " + said);
    }

    /** The script tells the program where JFS is. */
    private static String[] withInstallation(List<String> words) {
        List<String> all = new ArrayList<>(words);
        all.addAll(List.of("--jfs", "jfs.jar", "--floor", "floor"));
        if (!words.get(0).equals("bench")) {
            all.addAll(List.of("--out", "plots"));
        }
        if (words.get(0).equals("demo")) {
            all.addAll(List.of("--netpipe", "netpipe.jar"));
        }
        if (words.contains("jdbc")) {
            all.addAll(List.of("--databases", "databases"));
        }
        String measured = String.join(" ", words);
        if (measured.matches("programs nio.*|bench (programs|nio|buffers|layouts).*")) {
            all.addAll(List.of("--libraries", "libraries"));
        }
        return all.toArray(String[]::new);
    }

    @Test
    void theScriptHasEachCommand() throws IOException {
        String usage = Files.readString(ROOT.resolve("jfs"));
        Set<String> commands = new TreeSet<>();
        for (String command : printed()) {
            Matcher words = Pattern.compile("(?!bench|demo)[a-z]+ --[a-z]+|[a-z]+").matcher(command);
            assertTrue(words.lookingAt(), command);
            commands.add(words.group());
        }
        assertTrue(commands.containsAll(List.of("demo", "bench", "jar", "test", "test --all", "soak")), commands::toString);
        for (String command : commands) {
            assertTrue(usage.contains("\n./jfs " + command), () -> "./jfs help does not have: " + command);
        }
    }
}
