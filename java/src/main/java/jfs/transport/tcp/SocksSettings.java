package jfs.transport.tcp;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.Properties;

/**
 * The JDK's networking properties that are about SOCKS: system properties, else what {@code conf/net.properties} of the
 * JDK says. Safe for use by any thread; the file is read once.
 */
public final class SocksSettings {

    private static final int VERSION_4 = 4;
    private static final String JDKS_SELECTOR = "sun.net.spi.DefaultProxySelector";

    /** Read for the first socket. */
    private static final class InFile {
        static final Properties ALL = read(Path.of(System.getProperty("java.home"), "conf", "net.properties"));
        static final boolean HAS_PROXY = ALL.getProperty("socksProxyHost") != null;
        static final boolean USES_SYSTEM_PROXIES = Boolean.parseBoolean(ALL.getProperty("java.net.useSystemProxies"));
    }

    private SocksSettings() {
    }

    /**
     * Reads the file as the JDK's NetProperties does: its bytes are ISO 8859-1, and the lines before an error count. Without the file there
     * are no settings.
     */
    static Properties read(Path file) {
        Properties all = new Properties();
        try (InputStream in = new FileInputStream(file.toFile())) { // not by a channel, whose classes would have to be loaded
            all.load(in);
        } catch (IOException | IllegalArgumentException e) {
            return all;
        }
        return all;
    }

    /** As the JDK's NetProperties. */
    private static String get(String name) {
        String value = System.getProperty(name);
        return value != null ? value : InFile.ALL.getProperty(name);
    }

    /**
     * Whether the default {@link ProxySelector} may name a proxy for a plain socket. Costs nothing. The answer false is certain
     * with one exception: the JDK reads {@code java.net.useSystemProxies} once, and the program may have cleared it after that.
     */
    public static boolean mayNameAProxy() {
        try {
            ProxySelector selector = ProxySelector.getDefault();
            return selector != null && (!selector.getClass().getName().equals(JDKS_SELECTOR)
                    || System.getProperty("socksProxyHost") != null || InFile.HAS_PROXY || usesSystemProxies());
        } catch (SecurityException e) { // a security manager lets only the JDK ask
            return true;
        }
    }

    private static boolean usesSystemProxies() {
        String value = System.getProperty("java.net.useSystemProxies");
        return value != null ? Boolean.parseBoolean(value) : InFile.USES_SYSTEM_PROXIES;
    }

    /**
     * Whether a plain socket is certain to connect to that very address, because no proxy may be named for it. The JDK makes a URI of the
     * host's name to ask for a proxy. If the name makes no URI, the JDK's connect fails. So such a name is left to the JDK.
     */
    static boolean surelyDirect(SocketAddress address) {
        return address instanceof InetSocketAddress target && !mayNameAProxy() && isPlain(target.getHostString());
    }

    /** Letters, digits, dots and hyphens: with these a URI can always be made. */
    private static boolean isPlain(String host) {
        for (int i = 0; i < host.length(); i++) {
            char c = host.charAt(i);
            if (!(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '-')) {
                return false;
            }
        }
        return !host.isEmpty();
    }

    /** Whether {@code socksProxyVersion} says 4. */
    static boolean isVersion4() {
        try {
            return Integer.parseInt(get("socksProxyVersion")) == VERSION_4;
        } catch (NumberFormatException e) { // also if it is not set
            return false;
        }
    }
}
