package jfs.launcher.selftest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import jfs.management.Remedy;
import jfs.stat.Reason;

/** Two JVMs converse over JFS: by sockets, by channels, and over MX where there is an MX library. */
final class ConversationChecks {

    private static final String SOCKETS = "two JVMs, sockets";
    private static final String CHANNELS = "two JVMs, channels";
    private static final String MX = "two JVMs, sockets over MX";
    /** Without it there are no agents, and the two JVMs have JFS by agent. */
    private static final String AGENTS_MODULE = "java.instrument";
    private static final String READ = "Read what docs/how-to/troubleshoot.md says about this reason.";

    private final Path jar;
    private final boolean possible;
    private final SettingsChecks settings;
    private final MxChecks mx;

    /**
     * @param jar jfs.jar
     * @param possible whether the native library is loaded and the settings are good
     */
    ConversationChecks(Path jar, boolean possible, SettingsChecks settings, MxChecks mx) {
        this.jar = jar;
        this.possible = possible;
        this.settings = settings;
        this.mx = mx;
    }

    void all(Consumer<Finding> to) {
        if (!possible) {
            to.accept(Finding.absent(SOCKETS, "not tried, because of what failed above"));
            return;
        }
        Map<String, String> added = Map.of("jfs.upgrade.after", "50", "jfs.log", "all");
        to.accept(finding(SOCKETS, new Conversation(jar, "socket", added, Map.of()).run(), true));
        if (settings.nioIsOff()) {
            to.accept(Finding.absent(CHANNELS, "not tried: jfs.nio is off"));
        } else {
            Map<String, String> atOnce = new HashMap<>(added);
            atOnce.put("jfs.nio", "on");
            to.accept(finding(CHANNELS, new Conversation(jar, "channel", atOnce, Map.of()).run(), true));
        }
        if (mx.isAvailable()) {
            to.accept(overMx(added));
        }
    }

    private Finding finding(String title, Conversation.Outcome outcome, boolean needed) {
        String reason = outcome.reason();
        if (outcome.fault() != null) {
            String what = outcome.fault() + (reason == null ? "" : "; " + reason);
            String remedy = what.contains(AGENTS_MODULE)
                    ? "Make the image with jlink --add-modules " + AGENTS_MODULE + ", or start programs by java -jar jfs.jar run."
                    : "Report this with the whole output of the command, unless a line above has the cause.";
            return needed ? Finding.failed(title, what, remedy) : Finding.issue(title, what, remedy);
        }
        if (outcome.transport() != null) {
            return Finding.ok(title, "both directions are fast, over " + outcome.transport() + "; " + outcome.checked()
                    + " bytes were checked");
        }
        String what = "the connection stayed on TCP: " + (reason == null ? "no reason was given in time" : reason);
        if (reason != null && reason.matches("(RULE|TRANSPORT_OFF):.*")) {
            String remedy = "Your own settings say so: look at jfs.transport and jfs.rules.";
            // A rule, or jfs.transport=mx, leaves other connections that become fast.
            return reason.startsWith("RULE:") || settings.anyTransport() ? Finding.issue(title, what, remedy)
                    : Finding.failed(title, what, remedy);
        }
        return needed ? Finding.failed(title, what, remedy(reason)) : Finding.issue(title, what, remedy(reason));
    }

    /** @param outcome a reason's name and text, or another text, or null */
    private static String remedy(String outcome) {
        int end = outcome == null ? -1 : outcome.indexOf(": ");
        Reason reason = end < 0 ? null : Reason.named(outcome.substring(0, end), null);
        if (reason == null) {
            return READ;
        }
        String remedy = Remedy.of(reason, outcome.substring(end + 2));
        return Character.toUpperCase(remedy.charAt(0)) + remedy.substring(1) + ". " + READ;
    }

    /** The rules allow MX for the loopback interface only. */
    private Finding overMx(Map<String, String> added) {
        Path rules = null;
        try {
            rules = Files.createTempFile("jfs-selftest", ".rules");
            Files.write(rules, List.of("connect 127.0.0.0/8 * mx trusted forced", "accept 127.0.0.0/8 * mx trusted forced"));
            Map<String, String> forced = new HashMap<>(added);
            forced.putAll(Map.of("jfs.rules", rules.toString(), "jfs.transport", "auto", "jfs.hosts.address", "127.0.0.1"));
            Map<String, String> environment = new HashMap<>();
            if (System.getenv("MX_SHIM_ADDRESS") == null) {
                environment.put("MX_SHIM_ADDRESS", "127.0.0.1");
            }
            if (System.getenv("UCX_TLS") == null && mx.isOverTcp()) {
                environment.put("UCX_TLS", "tcp");
            }
            return finding(MX, new Conversation(jar, "socket", forced, environment).run(), false);
        } catch (IOException e) {
            return Finding.issue(MX, "not tried: " + e, "Give a temporary folder that can be written: -Djava.io.tmpdir=FOLDER.");
        } finally {
            delete(rules);
        }
    }

    private static void delete(Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            // The file is in the temporary folder, which the system empties.
        }
    }
}
