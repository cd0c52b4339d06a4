package jfs.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import jfs.spi.Setting;
import jfs.spi.TransportProvider;

/**
 * All settings for people, each with its value and its meaning, for the command {@code settings}. A program that uses JFS does not load
 * this class. Any thread may call its methods, which do not block.
 */
public final class SettingsInWords {

    private static final String NONE = "none";

    /** The settings that {@link Settings} reads: name, default, meaning. */
    private static final String[][] OWN = {
        {"jfs.transport", "auto", "what may be used: auto, or a comma list of sci, mx, tcp and of other transports; auto: sci,mx"},
        {"jfs.poll.micros", "80", "how long a thread polls at most before it sleeps, microseconds; 0: it does not poll"},
        {"jfs.upgrade.after", "400", "turnarounds (a request after an answer) before a connection is offered the fast path; 0: at connect"},
        {"jfs.tcp", "auto", "what lies under a connection: auto (the JDK's own implementation, where it can be reached), nio"
            + " (SocketChannel)"},
        {"jfs.nio", "auto", "whether connections of channels (java.nio) can be fast: auto (not in the first four seconds in which a process"
            + " talks), on (at once), off (never)"},
        {"jfs.netty", "as-is", "as-is, or nio: JFS tells Netty to use SocketChannel where it would use a native transport"},
        {"jfs.allow.uids", NONE, "numbers of other users whose processes may share memory with this one, a comma list"},
        {"jfs.unproven", "refuse", "refuse, or allow: whether a process of an allowed user may share memory though it can't prove that it"
            + " holds the connection's other end"},
        {"jfs.rules", NONE, "file of rules that choose the transport; java -jar jfs.jar rules check FILE explains it"},
        {"jfs.hosts.key", NONE, "file of the key that processes of other hosts have to prove to have"},
        {"jfs.hosts.ports", "27450-27465", "the ports at which processes of other hosts look for this one, which takes the first free one"},
        {"jfs.hosts.address", "all", "the address at which this process listens for processes of other hosts"},
        {"jfs.hosts.keepalive", "60", "how often the kernel probes an idle TCP connection under MX, seconds; 0: never"},
        {"jfs.install", "refuse", "if another socket factory is set already: refuse, or replace it"},
        {"jfs.log", "off", "off, fallback (a line for each new reason), all (a line for each connection); to stderr"},
        {"jfs.buffers.debug", "0", "what the shared pool of jfs-buffers looks for; 0: a second close; 1: also buffers that were never"
            + " closed; 2: also writes after the close"},
        {"jfs.buffers.native", "auto", "whether native code copies short blocks of layouts: auto (from Java 25 on), on, off"},
        {"jfs.native.dir", "the jar's", "folder of the native libraries, instead of those in the jar"},
    };

    /** Where a value is from. */
    public enum Source {
        /** Nobody has set it. */
        DEFAULT("default"),
        /** {@code java -Djfs.name=value}, or the agent's own settings. */
        PROPERTY("system property"),
        /** {@code JFS_NAME=value} in the environment. */
        VARIABLE("environment variable");

        private final String words;

        Source(String words) {
            this.words = words;
        }

        /** For people. */
        public String words() {
            return words;
        }
    }

    /**
     * One setting.
     *
     * @param value as the user has written it, or the default
     * @param otherwise the default, as docs/reference.md names it
     * @param variable the name of the environment variable that sets it
     * @param transport the transport that declares it; null if none does
     */
    public record Entry(String name, String value, Source source, String otherwise, String variable, String transport, String meaning) {
    }

    private SettingsInWords() {
    }

    /**
     * All settings: those of JFS, then those that the transports declare.
     *
     * @param known the transports that these settings name, beside JFS's own ({@link Transports#known})
     */
    public static List<Entry> of(Properties properties, Map<String, String> environment, List<TransportProvider> known) {
        List<Entry> entries = new ArrayList<>();
        for (String[] each : OWN) {
            entries.add(entry(each[0], each[1], null, each[2], properties, environment));
        }
        for (TransportProvider transport : known) {
            for (Setting<?> each : transport.settings()) {
                entries.add(entry(each.name(), each.defaultText(), transport.name(), each.meaning(), properties, environment));
            }
        }
        return entries;
    }

    private static Entry entry(String name, String otherwise, String transport, String meaning, Properties properties,
            Map<String, String> environment) {
        String variable = Settings.variable(name);
        String property = properties.getProperty(name);
        String value = property != null ? property : environment.get(variable);
        Source source = property != null ? Source.PROPERTY : value != null ? Source.VARIABLE : Source.DEFAULT;
        return new Entry(name, value == null ? otherwise : value, source, otherwise, variable, transport, meaning);
    }
}
