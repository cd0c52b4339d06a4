package jfs.launcher.selftest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jfs.config.Permissions;
import jfs.nativelib.NativeLibrary;

/** The operating system, the processor, Java, and whether the native library can be loaded. */
final class PlatformChecks {

    private static final String NATIVES = "native library";

    Finding platform() {
        String system = System.getProperty("os.name", "");
        String processor = System.getProperty("os.arch", "");
        String what = system + " on " + processor;
        if (!system.equals("Linux") || !hasLibrary(processor)) {
            return Finding.failed("platform", what + "; jfs.jar has no native library for it",
                    "Use JFS on Linux on x86-64, or on aarch64 with a jfs.jar that ./jfs natives aarch64 has built. On this machine all"
                    + " connections stay on TCP, and programs work as before.");
        }
        return NativeLibrary.runsWithMusl()
                ? Finding.failed("platform", what + ", with the C library musl; the native library in jfs.jar needs glibc",
                        "Use an image or a distribution with glibc, such as Debian instead of Alpine.")
                : Finding.ok("platform", what + ", with the C library glibc");
    }

    /** Whether the jar has the native library for Linux on that processor. */
    private static boolean hasLibrary(String processor) {
        String folder = "linux-" + (processor.equals("amd64") ? "x86-64" : processor);
        return NativeLibrary.class.getResource(folder + "/libjfs_jni.so") != null;
    }

    /** A Java that is older than 17 can't load this class. */
    Finding java() {
        return Finding.ok("Java", System.getProperty("java.vm.name") + " " + Runtime.version() + " in "
                + System.getProperty("java.home"));
    }

    Finding securityManager() {
        String manager = Permissions.securityManager();
        return manager == null ? Finding.ok("security manager", "none")
                : Finding.failed("security manager", "this JVM has one: " + manager + "; JFS is not installed beside it",
                        "Start the program without the option java.security.manager.");
    }

    /** Loads the library, as a program with JFS does for its first socket. */
    Finding natives(SettingsChecks settings) {
        settings.lookForLibraries();
        String why = NativeLibrary.unavailable();
        if (why == null) {
            return Finding.ok(NATIVES, "loaded");
        }
        String folder = System.getProperty("java.io.tmpdir");
        String remedy;
        if (settings.sciLibrary() != null && why.contains(settings.sciLibrary())) {
            remedy = "Remove the setting jfs.sci.library, or let it name a SISCI library that can be loaded here.";
        } else if (settings.nativeFolder() != null) {
            remedy = "Remove the setting jfs.native.dir, or let it name the folder of the libraries of this build.";
        } else if (why.contains("failed to map segment") || isNoexec(Path.of(folder))) {
            why += "; the temporary folder " + folder + " is mounted noexec";
            remedy = "Give another temporary folder: -Djava.io.tmpdir=FOLDER; in a container, docker run --tmpfs /tmp:exec.";
        } else if (why.contains("Read-only file system") || why.contains("No space left on device")) {
            remedy = "Give a temporary folder with room that can be written to: -Djava.io.tmpdir=FOLDER; in a container,"
                    + " docker run --tmpfs /tmp:exec. Or unpack the native libraries into the image, and name their folder by"
                    + " jfs.native.dir.";
        } else {
            remedy = "Read docs/how-to/troubleshoot.md, \"The native library\"; the temporary folder is " + folder + ".";
        }
        return Finding.failed(NATIVES, why.replaceFirst("^native library: ", ""), remedy);
    }

    /** Whether the file system of the folder is mounted noexec, by /proc/self/mounts; false if that can't be known. */
    private static boolean isNoexec(Path folder) {
        int longest = -1;
        boolean noexec = false;
        for (String line : lines(Path.of("/proc/self/mounts"))) {
            String[] columns = line.split(" ");
            if (columns.length > 3 && folder.toAbsolutePath().startsWith(columns[1]) && columns[1].length() >= longest) {
                longest = columns[1].length();
                noexec = List.of(columns[3].split(",")).contains("noexec");
            }
        }
        return noexec;
    }

    /** The lines of a file of /proc; none if it can't be read. */
    static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return List.of();
        }
    }
}
