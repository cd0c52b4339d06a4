package jfs.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import jfs.spi.Setting;

/**
 * The settings, read once when JFS is installed: from system properties, else from the environment
 * ({@code JFS_POLL_MICROS} for {@code jfs.poll.micros}), else the default. A bad value or an unknown {@code jfs.*}
 * property is an {@link IllegalArgumentException} whose one-line message has the name, the value and what is allowed;
 * unknown {@code JFS_*} variables may belong to other products and are ignored.
 *
 * <p>Each transport declares its own settings. {@link Transports#read} reads and checks them. They are kept apart, because a JVM that sets
 * none of them loads no transport's classes before its first socket.
 *
 * @param transport names of the fast transports that may be used, as the user has written them; null if he has not
 * @param pollMicros how long a thread polls before it sleeps, microseconds
 * @param upgradeAfter turnarounds before a connection is offered a fast path; 0: at connect
 * @param allowedUsers other users whose processes may share memory with this one
 * @param unproven whether a process may share memory even if nothing shows that it holds a connection's other end
 * @param tcp which TCP sockets are used
 * @param nio whether JFS's provider of channels and selectors becomes the default
 * @param nioAtOnce whether its connections may get a path in the first seconds of a process, too
 * @param nettyOnNio whether Netty is told to make channels of that provider, and none of its own
 * @param install what happens if a socket factory is set already
 * @param rules file of the rules that choose transports, null if there is none
 * @param hostsKey file of the key that processes of other hosts must prove to have, null if there is none
 * @param hostsAddress the address at which those processes find this one, null for all addresses of this host
 * @param hostsPorts the ports at which those processes look for this one, which takes the first free port
 * @param hostsKeepAlive after how many silent seconds the kernel probes TCP beside a path between hosts; 0: never
 * @param log what is logged
 * @param nativeBlocks whether native code copies the short blocks of layouts
 * @param nativeDir folder of the native libraries, null for those in the jar
 * @param others what else is set; null if there is nothing else
 */
public record Settings(String transport, int pollMicros, int upgradeAfter, Set<Integer> allowedUsers, Unproven unproven, Tcp tcp,
        boolean nio, boolean nioAtOnce, boolean nettyOnNio, Install install, Path rules, Path hostsKey, String hostsAddress,
        Ports hostsPorts, int hostsKeepAlive, Log log, boolean nativeBlocks, Path nativeDir, Others others) {

    /**
     * What is set beside the settings here. Transports may have declared it.
     *
     * @param known the names of the settings here
     * @param texts the values by the names of system properties that begin with jfs., and of environment variables that begin with JFS_
     */
    public record Others(Set<String> known, Map<String, String> texts) {

        /** The names only. An environment variable of another product may have a secret for its value. */
        @Override
        public String toString() {
            return texts.keySet().toString();
        }
    }

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

    static final String PREFIX = "jfs.";
    private static final String VARIABLE_PREFIX = "JFS_";
    static final String TRANSPORT = "jfs.transport";
    private static final String NIO = "jfs.nio";
    private static final String[] AUTO_ON_OFF = {"auto", "on", "off"};
    private static final int ON = 1;
    private static final int OFF = 2;
    /** The first version of Java in which native code that uses an array makes no allocation fail (docs/design/typed-streams.md). */
    private static final int NATIVE_BLOCKS_SINCE = 25;
    private static final String[] NETTY_WORDS = {"as-is", "nio"};

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

    /** Reads all settings but those that transports declare. */
    public static Settings read(Properties properties, Map<String, String> environment) {
        Reader from = new Reader(properties, environment);
        from.integer("jfs.buffers.debug", 0, 0, 2); // only checked here: jfs-buffers reads it, which also works without JFS's sockets
        int nio = from.word(NIO, AUTO_ON_OFF);
        int blocks = from.word("jfs.buffers.native", AUTO_ON_OFF);
        return new Settings(
                from.value(TRANSPORT),
                from.integer("jfs.poll.micros", 80, 0, 1_000_000),
                from.integer("jfs.upgrade.after", 400, 0, 1_000_000_000),
                from.users("jfs.allow.uids"),
                from.choice("jfs.unproven", Unproven.REFUSE),
                from.choice("jfs.tcp", Tcp.AUTO),
                nio != OFF,
                nio == ON,
                from.nettyOnNio(nio != OFF),
                from.choice("jfs.install", Install.REFUSE),
                from.path("jfs.rules"),
                from.path("jfs.hosts.key"),
                from.text("jfs.hosts.address"),
                from.ports("jfs.hosts.ports", new Ports(27_450, 27_465)),
                from.integer("jfs.hosts.keepalive", 60, 0, 32_767),
                from.choice("jfs.log", Log.OFF),
                blocks == ON || blocks != OFF && Runtime.version().feature() >= NATIVE_BLOCKS_SINCE,
                from.path("jfs.native.dir"),
                from.others());
    }

    /** Whether something is set that transports have to understand: {@link Transports#read} may then find a mistake. */
    public boolean concernTransports() {
        return transport != null || others != null || rules != null;
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
            return value != null ? value : environment.get(variable(name));
        }

        int integer(String name, int otherwise, int least, int most) {
            String value = value(name);
            return value == null ? otherwise : Setting.integer(name, otherwise, least, most).of(value);
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

        /** The index of one of these words, of which the first is the default. No enum, whose class each starting JVM would load. */
        int word(String name, String... words) {
            String value = value(name);
            if (value == null) {
                return 0;
            }
            for (int i = 0; i < words.length; i++) {
                if (value.trim().equals(words[i])) {
                    return i;
                }
            }
            throw bad(name, value, "one of " + String.join(", ", words));
        }

        /** @param nio whether JFS's provider becomes the default; else Netty would lose its native transport for nothing */
        boolean nettyOnNio(boolean nio) {
            boolean wanted = word("jfs.netty", NETTY_WORDS) == 1;
            if (wanted && !nio) {
                throw new IllegalArgumentException("jfs: bad setting jfs.netty=nio; it can't be with " + NIO + "=off");
            }
            return wanted;
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

        /** @return what is set beside the settings that were asked for, or null */
        Others others() {
            Map<String, String> texts = new TreeMap<>();
            for (String name : properties.stringPropertyNames()) {
                if (name.startsWith(PREFIX) && !known.contains(name)) {
                    texts.put(name, properties.getProperty(name));
                }
            }
            for (Map.Entry<String, String> each : environment.entrySet()) {
                if (each.getKey().startsWith(VARIABLE_PREFIX) && !isKnown(each.getKey())) {
                    texts.put(each.getKey(), each.getValue());
                }
            }
            return texts.isEmpty() ? null : new Others(known, texts);
        }

        private boolean isKnown(String variable) {
            for (String name : known) {
                if (variable(name).equals(variable)) {
                    return true;
                }
            }
            return false;
        }

    }

    /** @return the environment variable that stands for a setting */
    static String variable(String name) {
        return name.toUpperCase(Locale.ROOT).replace('.', '_');
    }

    static IllegalArgumentException bad(String name, String value, String allowed) {
        return new IllegalArgumentException("jfs: bad setting " + name + "=" + value + "; allowed is " + allowed);
    }

    /** The uid that stands for any user whom this user namespace does not know. It is never allowed (NEG-2). */
    public static final int OVERFLOW_USER = 65534;
}
