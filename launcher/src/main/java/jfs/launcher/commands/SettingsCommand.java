package jfs.launcher.commands;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Callable;
import jfs.config.Settings;
import jfs.config.SettingsInWords;
import jfs.config.Transports;
import jfs.launcher.Json;
import jfs.launcher.LauncherException;
import jfs.transport.BuiltIn;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code settings [--json] [-Djfs.name=value]...} */
@Command(name = "settings", separator = "", // -Dname=value, as java has it
        description = {"Shows each setting, its value and its meaning.", "It says where each value is from. A program that is started with"
            + " the same options and environment has these values.", ""})
final class SettingsCommand implements Callable<Integer> {

    @Mixin
    private HelpOption help;

    @Spec
    private CommandSpec spec;

    @Option(names = "--json", description = "Prints a JSON object instead of lines.")
    private boolean json;

    @Option(names = "-D", paramLabel = "jfs.name=value", mapFallbackValue = "",
            description = "Sets a setting, as java's own option does.")
    private Map<String, String> given = new LinkedHashMap<>();

    @Override
    public Integer call() throws LauncherException {
        Properties properties = new Properties();
        System.getProperties().stringPropertyNames().forEach(it -> properties.setProperty(it, System.getProperty(it)));
        properties.putAll(given);
        Transports transports;
        try {
            transports = Transports.read(Settings.read(properties, System.getenv()), BuiltIn.TRANSPORTS);
        } catch (IllegalArgumentException e) {
            throw new LauncherException(e.getMessage());
        }
        List<SettingsInWords.Entry> entries = SettingsInWords.of(properties, System.getenv(), transports.known());
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(json(entries, transports.unknownVariables()));
        } else {
            print(out, entries, transports.unknownVariables());
        }
        out.flush();
        return 0;
    }

    private static void print(PrintWriter out, List<SettingsInWords.Entry> entries, Set<String> unknown) {
        for (SettingsInWords.Entry it : entries) {
            String from = switch (it.source()) {
                case DEFAULT -> "default";
                case PROPERTY -> it.source().words() + "; default: " + it.otherwise();
                case VARIABLE -> it.source().words() + " " + it.variable() + "; default: " + it.otherwise();
            };
            out.println(it.name() + " = " + it.value() + " (" + from + ")");
            wrap(it.meaning()).forEach(line -> out.println("    " + line));
        }
        if (!unknown.isEmpty()) {
            out.println("The environment has " + String.join(", ", unknown) + ", which JFS does not know and ignores.");
        }
    }

    private static List<String> wrap(String text) {
        return text.replaceAll("(.{1," + (HelpOption.COLUMNS - 4) + "})( |$)", "$1\n").lines().toList();
    }

    private static String json(List<SettingsInWords.Entry> entries, Set<String> unknown) {
        Json json = new Json();
        json.beginObject().name("settings").beginArray();
        for (SettingsInWords.Entry it : entries) {
            json.beginObject().name("name").value(it.name()).name("value").value(it.value()).name("source").value(it.source().words())
                    .name("default").value(it.otherwise()).name("variable").value(it.variable())
                    .name("transport").value(it.transport()).name("meaning").value(it.meaning()).endObject();
        }
        json.endArray().name("unknownVariables").beginArray();
        unknown.forEach(json::value);
        return json.endArray().endObject().text();
    }
}
