package jfs.launcher;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import jfs.launcher.Programs.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands in the code blocks of README.md and docs/ work as they are printed, in a folder with programs of the names used there. These
 * are the lines that begin with {@code java}. A line that begins with {@code ./jfs} builds everything first, and is not run here.
 */
class PagesIT {

    private static final Path ROOT = Path.of("..");

    /** What is not run here, and why. */
    private static final Map<String, String> NOT_RUN = Map.of(
            "java -jar jfs.jar selftest", "SelftestIT runs it, and its result depends on the machine",
            "java -jar jfs.jar check db.example.com 5432", "the host is an example; CheckIT runs the command",
            "export JAVA_TOOL_OPTIONS=-javaagent:/opt/jfs/jfs.jar", "the folder is an example; AgentIT gives an agent in this variable");

    @TempDir
    static Path folder;

    /** The programs that the pages name: they print whether they have JFS's sockets. */
    @BeforeAll
    static void programs() throws IOException {
        Files.createSymbolicLink(folder.resolve("jfs.jar"), Path.of(Programs.JAR).toAbsolutePath());
        Map<String, String> sources = new LinkedHashMap<>();
        for (String name : List.of("Server", "Client")) {
            sources.put("com.example." + name, "package com.example;\n" + Programs.TALK.replace("class Talk", "class " + name));
        }
        List<String> files = List.of("com/example/Server.class", "com/example/Server$Setter.class", "com/example/Client.class",
                "com/example/Client$Setter.class");
        Programs.compile(folder, sources);
        Programs.jar(folder.resolve("server.jar"), Map.of("Main-Class", "com.example.Server"), folder, files);
        Programs.jar(folder.resolve("client.jar"), Map.of("Main-Class", "com.example.Client"), folder, files);
        Programs.compile(folder.resolve("classes"), sources);
        sources.put("module-info", "module app {}");
        Programs.compile(folder.resolve("mods/app"), sources);
    }

    /** The lines of all code blocks that are commands, without their comments. */
    private static Set<String> commands() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
        }
        Set<String> commands = new TreeSet<>();
        for (Path page : pages) {
            boolean inside = false;
            for (String line : Files.readAllLines(page)) {
                inside ^= line.startsWith("```");
                if (inside && line.matches("(java|export) .*")) {
                    commands.add(line.replaceFirst("\\s+#.*", "").strip());
                }
            }
        }
        return commands;
    }

    @Test
    void everyCommandWorksAsItIsPrinted() throws IOException {
        Set<String> commands = commands();
        Set<String> gone = new TreeSet<>(NOT_RUN.keySet());
        gone.removeAll(commands);
        assertEquals(Set.of(), gone, "the pages have no such command any more");
        commands.removeAll(NOT_RUN.keySet());
        assertFalse(commands.isEmpty());
        assertAll(commands.stream().map(command -> (Executable) () -> run(command)));
    }

    private static void run(String command) throws Exception {
        String path = Path.of(Programs.tool("java")).getParent() + File.pathSeparator + System.getenv("PATH");
        Outcome outcome = Programs.run(folder, Map.of("PATH", path), List.of("bash", "-c", command));
        assertEquals(0, outcome.exitCode(), () -> command + ": " + outcome);
        assertTrue(outcome.out().startsWith("true\ntrue\n"), () -> command + ": " + outcome);
    }
}
