package jfs.launcher.selftest;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jfs.config.Settings;
import jfs.config.Transports;
import jfs.nativelib.Posix;
import jfs.negotiation.handshake.remote.Hosts;
import jfs.negotiation.policy.Rules;
import jfs.transport.BuiltIn;

/** The settings of JFS that this JVM has, from its system properties and its environment. If one is wrong, the defaults stand in. */
final class SettingsChecks {

    private static final String TITLE = "settings";
    private static final String PREFIX = "jfs.";
    private static final String VARIABLE_PREFIX = "JFS_";

    private final Properties properties;
    private final Map<String, String> environment;
    private final String wrong;
    private final Settings settings;
    private final Transports transports;
    private final Rules rules;

    SettingsChecks() {
        this(System.getProperties(), System.getenv());
    }

    SettingsChecks(Properties properties, Map<String, String> environment) {
        this.properties = properties;
        this.environment = environment;
        Settings read = null;
        Transports found = null;
        Rules chosen = Rules.NONE;
        String fault = null;
        try {
            read = Settings.read(properties, environment);
            found = Transports.read(read, BuiltIn.TRANSPORTS);
            chosen = read.rules() == null ? Rules.NONE : Rules.read(read.rules(), found.known());
            Hosts.read(read, chosen);
        } catch (IllegalArgumentException e) {
            fault = e.getMessage().replaceFirst("^(?i:jfs): ", "");
        }
        wrong = fault;
        settings = fault == null ? read : Settings.read(new Properties(), Map.of());
        transports = fault == null ? found : Transports.read(settings, BuiltIn.TRANSPORTS);
        rules = fault == null ? chosen : Rules.NONE;
    }

    Finding settings() {
        if (wrong != null) {
            return Finding.failed(TITLE, wrong, "Correct this setting; until then a program with the agent runs without JFS.");
        }
        Set<String> unknown = transports.unknownVariables();
        if (!unknown.isEmpty()) {
            return Finding.issue(TITLE, "the environment has " + String.join(", ", unknown) + ", which JFS does not know and ignores",
                    "If it is meant for JFS, correct its name by docs/reference.md; if it is another product's, nothing is wrong.");
        }
        List<String> set = Stream.concat(properties.stringPropertyNames().stream().filter(it -> it.startsWith(PREFIX)), variables())
                .sorted().map(it -> it + "=" + (it.startsWith(PREFIX) ? properties.getProperty(it) : environment.get(it))).toList();
        return Finding.ok(TITLE, set.isEmpty() ? "all are the defaults" : String.join(" ", set));
    }

    private Stream<String> variables() {
        return environment.keySet().stream().filter(it -> it.startsWith(VARIABLE_PREFIX)).sorted();
    }

    boolean areGood() {
        return wrong == null;
    }

    boolean nioIsOff() {
        return !settings.nio();
    }

    /** Whether jfs.transport allows one at all. */
    boolean anyTransport() {
        return !transports.allowed().isEmpty();
    }

    /** The value of jfs.sci.library as the user has given it; null if there is none. */
    String sciLibrary() {
        return properties.getProperty("jfs.sci.library", environment.get("JFS_SCI_LIBRARY"));
    }

    Path nativeFolder() {
        return settings.nativeDir();
    }

    Settings get() {
        return settings;
    }

    Transports transports() {
        return transports;
    }

    /** Whether a rule of jfs.rules chooses MX. */
    boolean chooseMx() {
        return transports.known().stream().anyMatch(it -> it.betweenHosts() && rules.choose(it));
    }

    /** Says where the native libraries are, which loads nothing. */
    void lookForLibraries() {
        BuiltIn.lookForLibrariesIn(settings.nativeDir(), transports.settings());
    }

    /** Needs the native library. */
    Finding user() {
        int user = Posix.effectiveUser();
        String others = settings.allowedUsers().stream().map(Integer::toUnsignedString).sorted().collect(Collectors.joining(", "));
        String what = Integer.toUnsignedString(user) + (others.isEmpty() ? "; programs of this user may share memory"
                : "; programs of this user and of the users " + others + " may share memory");
        return user == Settings.OVERFLOW_USER
                ? Finding.failed("user", user + ", which stands for unknown users; JFS shares memory with none of these",
                        "Run the program as a user of its own.")
                : Finding.ok("user", what);
    }
}
