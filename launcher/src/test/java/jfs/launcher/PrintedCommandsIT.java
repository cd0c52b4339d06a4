package jfs.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jfs.launcher.Programs.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The commands that README.md and the pages under docs/ print. Each line of a block that starts a program with jfs.jar is run by a shell,
 * as it is printed, in a folder that has the programs of which the pages speak.
 */
class PrintedCommandsIT {

    /** A command in a block: {@code java} itself, or what leads to one. */
    private static final Pattern STARTS_JAVA = Pattern.compile("(?:java -|export JAVA_TOOL_OPTIONS|for \\w+ in ).*");
    /** A command in a sentence. */
    private static final Pattern COMMAND = Pattern.compile("`java -jar jfs\\.jar ([a-z]+(?: check)?)\\b[^`]*`");

    @TempDir
    static Path folder;

    @BeforeAll
    static void makeThePrograms() throws Exception {
        Path classes = folder.resolve("classes");
        Map<String, String> sources = new LinkedHashMap<>();
        sources.put("com.example.Server", inPackage("Server"));
        sources.put("com.example.Client", inPackage("Client"));
        Programs.compile(classes, sources);
        for (String name : List.of("Server", "Client")) {
            Programs.jar(folder.resolve(name.toLowerCase(Locale.ROOT) + ".jar"), Map.of("Main-Class", "com.example." + name), classes,
                    List.of("com/example/" + name + ".class", "com/example/" + name + "$Setter.class"));
        }
        sources.remove("com.example.Client");
        sources.put("Main", Programs.TALK.replace("class Talk", "class Main"));
        Programs.compile(folder, sources); // the current folder
        Programs.compile(folder.resolve("mods/app"), Map.of("module-info", "module app { }", "com.example.Client", inPackage("Client")));
        Path jar = Path.of(Programs.JAR).toAbsolutePath();
        Files.createSymbolicLink(folder.resolve("jfs.jar"), jar);
        Files.createSymbolicLink(Files.createDirectories(folder.resolve("dist")).resolve("jfs.jar"), jar);
    }

    private static String inPackage(String name) {
        return "package com.example;\n" + Programs.TALK.replace("class Talk", "class " + name);
    }

    static List<String> blocks() throws IOException {
        Set<String> commands = new LinkedHashSet<>();
        for (Path page : pages()) {
            boolean inBlock = false;
            for (String line : Files.readAllLines(page)) {
                if (line.startsWith("```")) {
                    inBlock = !inBlock;
                } else if (inBlock && STARTS_JAVA.matcher(line).matches()) {
                    commands.add(line);
                }
            }
        }
        return List.copyOf(commands);
    }

    /** The program talks over sockets, and says that they are JFS's. A port is an argument to it, which it doesn't use. */
    @ParameterizedTest
    @MethodSource("blocks")
    void aCommandInABlockRuns(String printed) throws Exception {
        String command = printed.replace("$(seq 14)", "1").replaceAll("/(opt/jfs|usr/share/java-fast-sockets)/jfs.jar", "jfs.jar");
        command = command.replace("check db.example.com 5432", "check --help"); // the host is an example; CheckIT runs the command
        boolean speaks = command.matches(".*jfs\\.jar (selftest|status|check)\\b.*");
        String script = command.startsWith("export ") ? command + "\njava -jar server.jar" : command;
        String path = Path.of(System.getProperty("java.home"), "bin") + ":" + System.getenv("PATH");
        Outcome outcome = Programs.run(folder, Map.of("PATH", path), List.of("bash", "-ec", script));
        assertEquals(0, outcome.exitCode(), outcome::toString);
        assertTrue(speaks || outcome.out().endsWith("true\ntrue\n"), outcome::toString);
    }

    @Test
    void commandsInSentencesExist() throws Exception {
        Set<String> commands = new TreeSet<>();
        for (Path page : pages()) {
            Matcher printed = COMMAND.matcher(Files.readString(page));
            while (printed.find()) {
                commands.add(printed.group(1));
            }
        }
        assertTrue(commands.containsAll(List.of("run", "attach", "status", "selftest", "rules check")), commands::toString);
        for (String command : commands) {
            List<String> help = new ArrayList<>(List.of("-jar", Programs.JAR));
            help.addAll(List.of(command.split(" ")));
            help.add("--help");
            Outcome outcome = Programs.bareJava(folder, Map.of(), help);
            assertTrue(outcome.exitCode() == 0 && outcome.out().contains(" -jar jfs.jar " + command), outcome::toString);
        }
    }

    private static List<Path> pages() throws IOException {
        Path root = Path.of("..");
        try (Stream<Path> docs = Files.walk(root.resolve("docs"))) {
            return Stream.concat(Stream.of(root.resolve("README.md"), root.resolve("CONTRIBUTING.md")),
                    docs.filter(page -> page.toString().endsWith(".md")).sorted()).toList();
        }
    }
}
