package jfs.launcher.check;

import java.util.Map;
import java.util.Properties;
import jfs.config.Settings;
import jfs.config.Transports;
import jfs.launcher.LauncherException;
import jfs.nativelib.NativeLibrary;
import jfs.negotiation.handshake.remote.Hosts;
import jfs.negotiation.policy.Policy;
import jfs.negotiation.policy.Rules;
import jfs.transport.BuiltIn;

/**
 * What the settings of this JVM say of connections. Loads the native library.
 *
 * @param policy which transport a connection may use, and why none
 * @param hosts where processes of other hosts are looked for
 */
record ThisEnd(Settings settings, Policy policy, Hosts hosts) {

    /** @throws LauncherException if a setting is wrong */
    static ThisEnd of(Properties properties, Map<String, String> environment) throws LauncherException {
        try {
            Settings settings = Settings.read(properties, environment);
            Transports transports = Transports.read(settings, BuiltIn.TRANSPORTS);
            Rules rules = settings.rules() == null ? Rules.NONE : Rules.read(settings.rules(), transports.known());
            Hosts hosts = Hosts.read(settings, rules);
            BuiltIn.lookForLibrariesIn(settings.nativeDir(), transports.settings());
            return new ThisEnd(settings, Policy.of(transports, rules, NativeLibrary.unavailable()), hosts);
        } catch (IllegalArgumentException e) {
            throw new LauncherException(e.getMessage());
        }
    }
}
