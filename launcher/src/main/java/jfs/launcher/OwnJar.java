package jfs.launcher;

import java.net.URISyntaxException;
import java.nio.file.Path;

/** The jar that this class is from. */
public final class OwnJar {

    private OwnJar() {
    }

    /** The jar's absolute path. */
    public static Path path() {
        try {
            return Path.of(OwnJar.class.getProtectionDomain().getCodeSource().getLocation().toURI()).toAbsolutePath();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
