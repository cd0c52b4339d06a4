package jfs.launcher.commands;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import jfs.launcher.OwnJar;
import jfs.nativelib.NativeLibrary;
import jfs.negotiation.handshake.Versions;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints: of JFS and the commit that it was built from, and of what it runs on. Loads the native library. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        List<String> lines = new ArrayList<>();
        String version = OwnJar.class.getPackage().getImplementationVersion(); // of the jar's manifest
        lines.add("jfs " + (version == null ? "unknown" : version));
        lines.add("commit: " + commit());
        lines.add("protocol: " + Versions.OURS);
        lines.add("Java: " + System.getProperty("java.vm.name") + " " + Runtime.version());
        lines.add("system: " + System.getProperty("os.name") + " " + System.getProperty("os.version") + " on "
                + System.getProperty("os.arch"));
        String why = NativeLibrary.unavailable();
        lines.add(why == null ? "native library: loads" : why);
        return lines.toArray(new String[0]);
    }

    /** The commit that the jar was built from, which its build has written down. "-dirty" behind it: with changes. */
    private static String commit() {
        Properties written = new Properties();
        try (InputStream file = Version.class.getResourceAsStream("commit.properties")) {
            if (file != null) {
                written.load(file);
            }
        } catch (IOException e) {
            // then it is not known
        }
        return written.getProperty("commit", "unknown");
    }
}
