package jfs.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/** The JDKs of this machine. */
public final class Jdks {

    /** All tests run on one JDK only, so that JDK runs all of them. */
    private static final boolean ALONE = Integer.getInteger("test.jdks", 1) == 1;

    private Jdks() {
    }

    /** Another JDK beside the one that runs the tests. It has another version, on which JFS runs too. */
    public static Optional<Path> other() throws IOException {
        try (Stream<Path> beside = Files.list(Path.of(System.getProperty("java.home")).toRealPath().getParent())) {
            return beside.filter(home -> version(home) >= 17 && version(home) != Runtime.version().feature())
                    .findFirst();
        }
    }

    /**
     * Whether this JDK is the oldest one on which all tests run. Tests that take long run on one JDK only if their results
     * can't depend on it, for example because they use both JDKs themselves.
     */
    public static boolean isOldest() throws IOException {
        return ALONE || other().map(home -> version(home) > Runtime.version().feature()).orElse(true);
    }

    public static boolean isNewest() throws IOException {
        return ALONE || other().map(home -> version(home) < Runtime.version().feature()).orElse(true);
    }

    private static int version(Path home) {
        Properties release = new Properties();
        try (var in = Files.newBufferedReader(home.resolve("release"))) {
            release.load(in);
        } catch (IOException e) {
            return 0; // not a JDK
        }
        return Files.isExecutable(home.resolve("bin/java"))
                ? Runtime.Version.parse(release.getProperty("JAVA_VERSION").replace("\"", "")).feature() : 0;
    }
}
