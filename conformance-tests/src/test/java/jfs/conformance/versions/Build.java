package jfs.conformance.versions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;
import jfs.JFSSocketImplFactory;
import jfs.conformance.harness.processes.Child;
import org.junit.jupiter.api.Assumptions;

/** A build of JFS that a process may run: this one, an older one, or one that is made for a test. */
enum Build {

    THIS(Map.of()),
    /** The first build of version 1, a jar in {@code previous}. The script {@code previous/build} says where it comes from. */
    FIRST(Map.of()),
    /** The last build before version 3, a jar that the same script makes. */
    SECOND(Map.of()),

    // This build's sources with a change: the file, a text that occurs in it once, and the text in its place.

    SPEAKS_1_TO_4(Map.of("negotiation/handshake/Versions", List.of("OURS = new Versions(1, 3)", "OURS = new Versions(1, 4)"))),
    SPEAKS_3_AND_4(Map.of("negotiation/handshake/Versions", List.of("OURS = new Versions(1, 3)", "OURS = new Versions(3, 4)"))),
    SPEAKS_4_AND_5(Map.of("negotiation/handshake/Versions", List.of("OURS = new Versions(1, 3)", "OURS = new Versions(4, 5)"))),
    /** A build of this version with everything that may be added without a new version. */
    SAYS_MORE(Map.of(
            "negotiation/handshake/Message", List.of("(early ? EARLY : 0)", "(early ? EARLY : 0) | 0x0e"),
            "transport/sci/SciTransport", List.of(
                    "resources.describe(out);", "resources.describe(out); out.putLong(-1).putLong(-1);",
                    "regions.introduce(out);", "regions.introduce(out); out.putLong(-1);"),
            "ring/Inbox", List.of(
                    "memory.setInt(InboxLayout.WINDOW, ", "memory.setLong(32, -1); memory.setLong(720, -1);"
                            + " memory.setLong(4088, -1); memory.setInt(InboxLayout.WINDOW, ",
                    "(InboxLayout.RECEIVER, (ready", "(InboxLayout.RECEIVER, 0x7ffffff8 | (ready"))),
    /** Its region has another version than its offer. */
    MIXES_VERSIONS(Map.of("transport/sci/SciTransport", List.of(".initialise(version, ", ".initialise(version + 1, "))),
    /** Its region has another size than its offer. */
    MIXES_SIZES(Map.of("transport/sci/SciTransport",
            List.of(".initialise(version, sizes.window()", ".initialise(version, sizes.window() / 2")));

    private static final Path SOURCES = Path.of("../java/src/main/java/jfs").toAbsolutePath();
    private static final String PLATFORM = System.getProperty("os.name") + " " + System.getProperty("os.arch");

    private final Map<String, List<String>> changes;

    Build(Map<String, List<String>> changes) {
        this.changes = changes;
    }

    /** @param folder an empty folder for its classes; the same for all processes of a test */
    Child.Start in(Path folder) throws IOException {
        if (isPrevious()) {
            return Child.jfsOf(jar());
        }
        if (changes.isEmpty()) {
            return Child.jfs();
        }
        Path classes = folder.resolve(name());
        if (!Files.exists(classes)) { // the folder exists only when it is complete
            Files.move(compile(Files.createDirectory(folder.resolve(name() + "-making"))), classes);
        }
        return Child.jfsWithClasses(classes);
    }

    boolean isPrevious() {
        return this == FIRST || this == SECOND;
    }

    /** The jar of a previous build. Skips the test if its native code can't run here. */
    Path jar() {
        Assumptions.assumeTrue(PLATFORM.equals("Linux amd64"),
                "the natives of the previous builds are for Linux amd64, and this is " + PLATFORM);
        return Path.of("previous/version-" + (this == FIRST ? 1 : 2) + ".jar").toAbsolutePath();
    }

    private Path compile(Path folder) throws IOException {
        Path classes = Files.createDirectory(folder.resolve("classes"));
        List<String> command = new ArrayList<>(List.of("--release", "17", "-proc:none", "-implicit:none",
                "-cp", thisBuild(), "-d", classes.toString()));
        for (var change : changes.entrySet()) {
            String file = change.getKey() + ".java";
            String text = Files.readString(SOURCES.resolve(file));
            List<String> words = change.getValue();
            for (int i = 0; i < words.size(); i += 2) {
                String was = words.get(i);
                int at = text.indexOf(was);
                assertTrue(at >= 0 && at == text.lastIndexOf(was), file + " has not once: " + was);
                text = text.replace(was, words.get(i + 1));
            }
            Path changed = folder.resolve("sources").resolve(file);
            Files.createDirectories(changed.getParent());
            command.add(Files.writeString(changed, text).toString());
        }
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, command.toArray(String[]::new)));
        return classes;
    }

    private static String thisBuild() {
        try {
            return Path.of(JFSSocketImplFactory.class.getProtectionDomain().getCodeSource().getLocation().toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
