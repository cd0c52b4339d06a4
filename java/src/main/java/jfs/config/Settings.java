package jfs.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import jfs.spi.Setting;
import jfs.spi.TransportProvider;
import jfs.spi.TransportSettings;

/**
 * The settings, read once when JFS is installed: from system properties, else from the environment
 * ({@code JFS_POLL_MICROS} for {@code jfs.poll.micros}), else the default. A bad value or an unknown {@code jfs.*}
 * property is an {@link IllegalArgumentException} whose one-line message has the name, the value and what is allowed;
 * unknown {@code JFS_*} variables may belong to other products and are ignored.
 *
 * <p>Each transport declares its own settings ({@link TransportProvider#settings}). They are read and checked together with the others.
 *
 * @param transports the fast transports that are known and those that may be used, beside TCP
 * @param pollMicros how long a thread polls before it sleeps, microseconds
 * @param upgradeAfter turnarounds before a connection is offered a fast path; 0: at connect
 * @param allowedUsers other users whose processes may share memory with this one
 * @param unproven whether a process may share memory even if nothing shows that it holds a connection's other end
 * @param tcp which TCP sockets are used
 * @param install what happens if a socket factory is set already
 * @param rules file of the rules that choose transports, null if there is none
 * @param hostsKey file of the key that processes of other hosts must prove to have, null if there is none
 * @param hostsAddress the address at which those processes find this one, null for all addresses of this host
 * @param hostsPorts the ports at which those processes look for this one, which takes the first free port
 * @param hostsKeepAlive after how many silent seconds the kernel probes TCP beside a path between hosts; 0: never
 * @param log what is logged
 * @param nativeDir folder of the native libraries, null for those in the jar
 * @param ofTransports the values of the settings that the known transports declare
 */
public record Settings(Transports transports, int pollMicros, int upgradeAfter, Set<Integer> allowedUsers, Unproven unproven, Tcp tcp,
        Install install, Path rules, Path hostsKey, String hostsAddress, Ports hostsPorts, int hostsKeepAlive, Log log, Path nativeDir,
        Map<Setting<?>, Object> ofTransports) implements TransportSettings {

    /** What becomes of a peer of an allowed user if nothing shows that it holds the connection of its offer. */
    public enum Unproven {
        /** The peer gets no memory. */
        REFUSE,
        /** It is enough that the user is allowed. */
        ALLOW
    }

    /** Which TCP sockets are used. */
    public enum Tcp {
        /** The JDK's own implementation where it can be reached, else NIO. */
        AUTO,
        /** SocketChannels. */
        NIO
    }

    /** The ports from the first to the last, both included. */
    public record Ports(int first, int last) {
    }

    /** What happens if a socket factory that is not JFS's is set already. */
    public enum Install {
        /** The factory stays, and installing is an error. */
        REFUSE,
        /** The factory is replaced. */
        REPLACE
    }

    /** What goes to the log. */
    public enum Log {
        /** Nothing. */
        OFF,
        /** One line for each new reason why connections stay on TCP. */
        FALLBACK,
        /** What becomes of every connection. */
        ALL
    }

    private static final String PREFIX = "jfs.";
    private static final String AUTO = "auto";
    private static final String TCP = "tcp";
    /** The longest name of a transport. */
    private static final int NAME_MAX = 16;

    /** A process that looks for another one may have to try all ports. */
    private static final int PORTS_MAX = 64;

    /**
     * How much earlier than the client makes an offer the accepted end can be found: after one turnaround in so many. To be found costs
     * about as much as one turnaround. A client that writes a line at a time counts more than the end that reads many lines at once, and
     * older builds made an offer after a hundred turnarounds.
     */
    private static final int AWAIT_OFFERS_EARLIER = 32;
    /**
     * The same for a stream. The accepted end can be found later then, because a listener that is opened for one file should take no name.
     * By default a file of a megabyte ends before. Up to 4 MB of the bytes that the client has counted may still be unread in the kernel.
     */
    private static final int AWAIT_STREAM_OFFERS_EARLIER = 8;

    /** @param builtIn the transports that come with JFS */
    public static Settings read(Properties properties, Map<String, String> environment, List<TransportProvider> builtIn) {
        Reader from = new Reader(properties, environment);
        Transports transports = from.transports("jfs.transport", builtIn);
        Settings settings = new Settings(
                transports,
                from.integer("jfs.poll.micros", 80, 0, 1_000_000),
                from.integer("jfs.upgrade.after", 400, 0, 1_000_000_000),
                from.users("jfs.allow.uids"),
                from.choice("jfs.unproven", Unproven.REFUSE),
                from.choice("jfs.tcp", Tcp.AUTO),
                from.choice("jfs.install", Install.REFUSE),
                from.path("jfs.rules"),
                from.path("jfs.hosts.key"),
                from.text("jfs.hosts.address"),
                from.ports("jfs.hosts.ports", new Ports(27_450, 27_465)),
                from.integer("jfs.hosts.keepalive", 60, 0, 32_767),
                from.choice("jfs.log", Log.OFF),
                from.path("jfs.native.dir"),
                from.declared(transports.known()));
        from.refuseUnknown();
        return settings;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> T value(Setting<T> setting) {
        T value = (T) ofTransports.get(setting); // which setting has parsed
        if (value == null) {
            throw new IllegalArgumentException("no transport declares " + setting.name());
        }
        return value;
    }

    /** Turnarounds before offers can find an accepted connection; 0: from its accept on, and its listener from its listen on. */
    public int awaitOffersAfter() {
        return upgradeAfter / AWAIT_OFFERS_EARLIER;
    }

    /** The same for a stream, in turnarounds that cost as much. */
    public int awaitStreamOffersAfter() {
        return upgradeAfter / AWAIT_STREAM_OFFERS_EARLIER;
    }

    /** Looks settings up, and remembers the names that were asked for. */
    private static final class Reader {
        private final Properties properties;
        private final Map<String, String> environment;
        private final Set<String> known = new TreeSet<>();

        Reader(Properties properties, Map<String, String> environment) {
            this.properties = properties;
            this.environment = environment;
        }

        private String value(String name) {
            known.add(name);
            String value = properties.getProperty(name);
            return value != null ? value : environment.get(name.toUpperCase(Locale.ROOT).replace('.', '_'));
        }

        private <T> T value(Setting<T> setting) {
            return setting.of(value(setting.name()));
        }

        int integer(String name, int otherwise, int least, int most) {
            return value(Setting.integer(name, otherwise, least, most));
        }

        /** @return the values of all settings that these transports declare */
        Map<Setting<?>, Object> declared(List<TransportProvider> transports) {
            Map<Setting<?>, Object> values = new HashMap<>();
            for (TransportProvider transport : transports) {
                for (Setting<?> setting : transport.settings()) {
                    values.put(setting, value(setting));
                }
            }
            return Map.copyOf(values);
        }

        /** One of an enum's constants, named in lower case. */
        <E extends Enum<E>> E choice(String name, E otherwise) {
            String value = value(name);
            if (value == null) {
                return otherwise;
            }
            List<String> allowed = new ArrayList<>();
            for (E constant : otherwise.getDeclaringClass().getEnumConstants()) {
                String word = constant.name().toLowerCase(Locale.ROOT);
                if (word.equals(value.trim())) {
                    return constant;
                }
                allowed.add(word);
            }
            throw bad(name, value, "one of " + String.join(", ", allowed));
        }

        /**
         * A comma list of transports. "auto" stands for those that come with JFS. Any other one is looked for. TCP is always there and need
         * not be named.
         */
        Transports transports(String name, List<TransportProvider> builtIn) {
            String value = value(name);
            List<TransportProvider> known = new ArrayList<>(builtIn);
            Set<TransportProvider> allowed = new LinkedHashSet<>();
            for (String part : (value == null ? AUTO : value).split(",", -1)) {
                String word = part.trim();
                if (word.equals(AUTO)) {
                    allowed.addAll(builtIn);
                } else if (!word.equals(TCP)) {
                    TransportProvider transport = Transports.named(word, known);
                    if (transport == null && isName(word)) {
                        transport = OtherTransports.find(word);
                    }
                    if (transport == null) {
                        throw bad(name, value, "auto, or a comma list of " + names(builtIn)
                                + ", and of transports that ServiceLoader finds");
                    }
                    if (allowed.add(transport) && !known.contains(transport)) {
                        known.add(transport);
                    }
                }
            }
            return new Transports(List.copyOf(known), List.copyOf(allowed));
        }

        /** Whether a transport may have this name ({@link TransportProvider#name}). */
        private static boolean isName(String word) {
            boolean good = !word.isEmpty() && word.length() <= NAME_MAX;
            for (int i = 0; i < word.length(); i++) { // no pattern: that takes a starting program time
                char c = word.charAt(i);
                good &= c >= 'a' && c <= 'z' || c >= '0' && c <= '9';
            }
            return good;
        }

        private static String names(List<TransportProvider> transports) {
            List<String> names = new ArrayList<>();
            for (TransportProvider it : transports) {
                names.add(it.name());
            }
            names.add(TCP);
            return String.join(", ", names);
        }

        Set<Integer> users(String name) {
            String value = value(name);
            Set<Integer> users = new LinkedHashSet<>();
            if (value == null || value.isBlank()) {
                return users;
            }
            for (String part : value.split(",", -1)) {
                try {
                    long user = Long.parseLong(part.trim());
                    if (user >= 0 && user < 0xffff_ffffL && user != OVERFLOW_USER) {
                        users.add((int) user);
                        continue;
                    }
                } catch (NumberFormatException e) {
                    // falls through to the message
                }
                throw bad(name, value, "a comma list of user numbers from 0 to 4294967294, without " + OVERFLOW_USER);
            }
            return users;
        }

        Path path(String name) {
            String value = value(name);
            return value == null || value.isBlank() ? null : Path.of(value);
        }

        String text(String name) {
            String value = value(name);
            return value == null || value.isBlank() ? null : value.trim();
        }

        /** A port, or the first and the last of a range. */
        Ports ports(String name, Ports otherwise) {
            String value = text(name);
            if (value == null) {
                return otherwise;
            }
            String[] ends = value.split("-", -1);
            try {
                int first = Integer.parseInt(ends[0]);
                int last = Integer.parseInt(ends[ends.length - 1]);
                if (ends.length <= 2 && first >= 1 && last >= first && last <= 65_535 && last - first < PORTS_MAX) {
                    return new Ports(first, last);
                }
            } catch (NumberFormatException e) {
                // falls through to the message
            }
            throw bad(name, value, "a port from 1 to 65535, or a range of at most " + PORTS_MAX + " like "
                    + otherwise.first() + "-" + otherwise.last());
        }

        void refuseUnknown() {
            List<String> unknown = new ArrayList<>();
            for (String name : properties.stringPropertyNames()) {
                if (name.startsWith(PREFIX) && !known.contains(name)) {
                    unknown.add(name);
                }
            }
            if (!unknown.isEmpty()) {
                String name = unknown.stream().sorted().findFirst().get();
                throw new IllegalArgumentException("JFS: unknown setting " + name + "="
                        + properties.getProperty(name) + "; allowed are " + String.join(", ", known));
            }
        }

        private static IllegalArgumentException bad(String name, String value, String allowed) {
            return new IllegalArgumentException("JFS: bad setting " + name + "=" + value + "; allowed is " + allowed);
        }
    }

    /** The uid that stands for any user whom this user namespace does not know. It is never allowed (NEG-2). */
    public static final int OVERFLOW_USER = 65534;
}
