package jfs.config;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import jfs.spi.Setting;
import jfs.spi.TransportProvider;
import jfs.spi.TransportSettings;

/**
 * The fast transports of this process, and their settings. Immutable.
 *
 * @param known all of them; a rule may name these
 * @param allowed those that {@code jfs.transport} allows, in its order
 * @param others what the user has set beside the settings of {@link Settings}; null if there is nothing else
 * @param pollMicros as {@link Settings#pollMicros}
 * @param allowedUsers as {@link Settings#allowedUsers}
 */
public record Transports(List<TransportProvider> known, List<TransportProvider> allowed, Settings.Others others, int pollMicros,
        Set<Integer> allowedUsers) {

    /** The settings as transports see them. The class is loaded when a transport is opened, or when the user has set something. */
    private record Seen(Transports transports) implements TransportSettings {

        static TransportSettings of(Transports transports) {
            return new Seen(transports);
        }

        @Override
        public <T> T value(Setting<T> setting) {
            return transports.value(setting);
        }

        @Override
        public int pollMicros() {
            return transports.pollMicros;
        }

        @Override
        public Set<Integer> allowedUsers() {
            return transports.allowedUsers;
        }
    }

    private static final String AUTO = "auto";
    private static final String TCP = "tcp";
    /** The longest name of a transport. */
    private static final int NAME_MAX = 16;

    /**
     * Finds the transports that the settings name, and checks the settings that the transports declare.
     *
     * @param builtIn the transports that come with JFS
     * @throws IllegalArgumentException if a setting is wrong or unknown. The message is one line
     */
    public static Transports read(Settings settings, List<TransportProvider> builtIn) {
        Set<TransportProvider> allowed = settings.transport() == null ? new LinkedHashSet<>(builtIn) : named(settings.transport(), builtIn);
        Set<TransportProvider> known = new LinkedHashSet<>(builtIn);
        known.addAll(allowed);
        Transports transports = new Transports(List.copyOf(known), List.copyOf(allowed), settings.others(), settings.pollMicros(),
                settings.allowedUsers());
        if (settings.others() != null) {
            transports.check();
        }
        return transports;
    }

    /** A comma list. "auto" stands for the transports that come with JFS. Any other one is looked for. TCP is there without being named. */
    private static Set<TransportProvider> named(String list, List<TransportProvider> builtIn) {
        Set<TransportProvider> named = new LinkedHashSet<>();
        for (String part : list.split(",", -1)) {
            String word = part.trim();
            if (word.equals(AUTO)) {
                named.addAll(builtIn);
            } else if (!word.equals(TCP) && named(List.copyOf(named), word) == null) {
                TransportProvider transport = named(builtIn, word);
                if (transport == null && isName(word)) {
                    transport = OtherTransports.find(word);
                }
                if (transport == null) {
                    throw Settings.bad(Settings.TRANSPORT, list, "auto, or a comma list of " + names(builtIn)
                            + ", and of transports that ServiceLoader finds");
                }
                named.add(transport);
            }
        }
        return named;
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

    /** Checks the values that the user has set, then that each is of a setting. Unknown environment variables may be other products'. */
    private void check() {
        Set<String> names = new TreeSet<>(others.known());
        for (TransportProvider transport : known) {
            for (Setting<?> setting : transport.settings()) {
                if (!names.add(setting.name())) {
                    throw new IllegalArgumentException("jfs: transport " + transport.name() + " declares the setting " + setting.name()
                            + ", which is another one's; allowed are names that begin with jfs." + transport.name() + ".");
                }
                value(setting);
            }
        }
        for (Map.Entry<String, String> each : others.texts().entrySet()) {
            if (each.getKey().startsWith(Settings.PREFIX) && !names.contains(each.getKey())) {
                throw new IllegalArgumentException("jfs: unknown setting " + each.getKey() + "=" + each.getValue()
                        + "; allowed are " + String.join(", ", names));
            }
        }
    }

    /** @return the environment variables that begin with JFS_ and belong to no setting. They may be another product's */
    public Set<String> unknownVariables() {
        Set<String> unknown = new TreeSet<>();
        if (others != null) {
            for (String name : others.texts().keySet()) {
                if (!name.startsWith(Settings.PREFIX)) {
                    unknown.add(name);
                }
            }
            for (TransportProvider transport : known) {
                for (Setting<?> setting : transport.settings()) {
                    unknown.remove(Settings.variable(setting.name()));
                }
            }
        }
        return unknown;
    }

    /** @return what transports have to know of the settings */
    public TransportSettings settings() {
        return Seen.of(this);
    }

    /** @return the value of a setting that a known transport declares */
    public <T> T value(Setting<T> setting) {
        Map<String, String> texts = others == null ? Map.of() : others.texts();
        String text = texts.get(setting.name());
        return setting.of(text != null ? text : texts.get(Settings.variable(setting.name())));
    }

    /** @return the transport for connections without a rule: the first allowed one of this host; null if there is none */
    public TransportProvider ofThisHost() {
        return ofThisHost(allowed);
    }

    /** @return the first transport of this host; null if there is none */
    public static TransportProvider ofThisHost(List<TransportProvider> transports) {
        for (TransportProvider it : transports) {
            if (!it.betweenHosts()) {
                return it;
            }
        }
        return null;
    }

    public boolean allow(TransportProvider transport) {
        return named(allowed, transport.name()) != null;
    }

    /** @return the transport of that name, or null */
    public static TransportProvider named(List<TransportProvider> transports, String name) {
        for (int i = 0; i < transports.size(); i++) { // without an iterator: this is asked for each connection, which is to make no garbage
            if (transports.get(i).name().equals(name)) {
                return transports.get(i);
            }
        }
        return null;
    }
}
