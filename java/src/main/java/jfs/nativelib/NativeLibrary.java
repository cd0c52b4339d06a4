package jfs.nativelib;

import java.io.BufferedReader;
import java.io.FileOutputStream;
import java.io.FileReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * Finds and loads the native libraries, once, when they are first asked for. They come from the folder that {@code
 * jfs.native.dir} names, else from the jar of the classes or another one ({@link NativeFiles}), by way of a private temporary folder. That
 * folder is removed right after loading: Linux keeps a mapped file's pages, so nothing stays behind, in whatever way the process ends. The
 * MX library is loaded only when MX is asked for: it opens the network, which most processes do not need.
 *
 * <p>A failure to load is no error: {@link #unavailable()} has the reason, and sockets stay on TCP.
 */
public final class NativeLibrary {

    private static final String JNI = "libjfs_jni.so";
    private static final String SHIM = "libsisci.so";
    private static final String MX = "libmyriexpress.so";

    /**
     * Checksum of all native methods; a test tells what it has to be. A library that was built for another checksum is refused:
     * {@code jfs.native.dir} may name a folder with older libraries, or older ones may come first on the class path.
     */
    static final int INTERFACE = 0x76d711f6;

    private static Path folder;
    private static String sisci = Libraries.AUTO;
    private static String mx = Libraries.AUTO;
    private static boolean tried;
    private static String reason;
    private static boolean blocksWanted;
    private static volatile boolean copiesBlocks;
    private static boolean mxTried;
    private static String mxReason;

    private NativeLibrary() {
    }

    /**
     * Sets where the libraries are. Loads nothing yet. A call after they are loaded comes too late.
     *
     * @param folder where they lie, or null for those in the jar
     * @param sisci which SISCI library is used: "auto", "shim", or a file
     * @param mx which MX library is used: "auto", "shim", or a file
     */
    public static synchronized void lookIn(Path folder, String sisci, String mx) {
        NativeLibrary.folder = folder;
        NativeLibrary.sisci = sisci;
        NativeLibrary.mx = mx;
    }

    /** The same, with the libraries that are there by default. */
    public static synchronized void lookIn(Path folder) {
        lookIn(folder, Libraries.AUTO, Libraries.AUTO);
    }

    /** Loads all but the MX library at the first call. Returns null if native methods can be used, else why not, in one line. */
    public static synchronized String unavailable() {
        if (!tried) {
            tried = true;
            reason = "native library: an earlier attempt to load it failed";
            reason = load(List.of(JNI, SHIM));
            copiesBlocks = blocksWanted && reason == null;
        }
        return reason;
    }

    /** Says whether the methods of {@link Blocks} are to be used. Loads nothing. Without a call they are not. */
    public static synchronized void wantBlocks(boolean wanted) {
        blocksWanted = wanted;
        copiesBlocks = wanted && tried && reason == null;
    }

    /** Whether the methods of {@link Blocks} are to be used, and can be. Loads nothing and does not wait. */
    public static boolean copiesBlocks() {
        return copiesBlocks;
    }

    /** Loads the MX library at the first call. Returns null if the MX interface can be used, else why not, in one line. */
    public static synchronized String mxUnavailable() {
        if (unavailable() != null) {
            return reason;
        }
        if (!mxTried) {
            mxTried = true;
            mxReason = "mx: an earlier attempt to load its library failed";
            mxReason = load(List.of(MX));
        }
        return mxReason;
    }

    /** @return why they can't be loaded, or null */
    private static String load(List<String> names) {
        try {
            return folder != null ? loadFrom(folder, names) : loadFromJar(names);
        } catch (LinkageError | ServiceConfigurationError | IOException | RuntimeException e) { // the last: denied native access
            return "native library: " + firstLine(e);
        }
    }

    private static String loadFromJar(List<String> names) throws IOException {
        String platform = platform();
        if (runsWithMusl()) {
            return "native library: the jar's needs the C library glibc, and this Java runs with musl (use a Java for glibc, such as "
                    + "Debian's instead of Alpine's; jfs.native.dir names a folder with another library)";
        }
        byte[][] libraries = new byte[names.size()][];
        for (int i = 0; i < libraries.length; i++) {
            libraries[i] = library(platform, names.get(i));
            if (libraries[i] == null) {
                return "native library: none for " + platform + ": " + names.get(i) + " is in no jar (the Maven artifact jfs-native with "
                        + "the classifier linux-x86-64 or linux-aarch64 has it for that platform; jfs.native.dir names a folder with one)";
            }
        }
        Path folder = privateFolder();
        try {
            for (int i = 0; i < libraries.length; i++) {
                write(folder.resolve(names.get(i)).toString(), libraries[i]);
            }
            return loadFrom(folder, names);
        } finally {
            for (String name : names) {
                delete(folder.resolve(name));
            }
            delete(folder);
        }
    }

    /** Returns the content of a library in the jar of the classes, else in another jar; null if none has it. */
    private static byte[] library(String platform, String name) throws IOException {
        byte[] own = OwnFiles.read(NativeLibrary.class, platform + "/" + name);
        if (own != null) {
            return own;
        }
        for (NativeFiles files : ServiceLoader.load(NativeFiles.class, NativeLibrary.class.getClassLoader())) {
            try (InputStream in = files.open(platform, name)) {
                if (in != null) {
                    return in.readAllBytes();
                }
            }
        }
        return null;
    }

    /** A file that can't be deleted stays. The libraries that have been loaded from there can be used all the same. */
    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException | SecurityException e) {
            // another process has put a file into the folder, for instance
        }
    }

    /** Uses no channel, because a young JVM may not have loaded its thirty classes yet. */
    private static void write(String file, byte[] content) throws IOException {
        try (FileOutputStream out = new FileOutputStream(file)) {
            out.write(content);
        } catch (IOException e) { // such as a full file system, for which the message does not name the file
            throw new FileSystemException(file, null, e.getMessage());
        }
    }

    /** Makes a folder that only this user can access. Its name need not be secret, so no SecureRandom is started: that takes 25 ms. */
    private static Path privateFolder() throws IOException {
        for (int attempt = 0;; attempt++) {
            Path folder = Path.of(System.getProperty("java.io.tmpdir"), "jfs-" + Long.toHexString(System.nanoTime()));
            try {
                return Files.createDirectory(folder,
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } catch (FileAlreadyExistsException e) { // another process has chosen the same nanosecond, or guessed the name
                if (attempt == 100) {
                    throw e;
                }
            }
        }
    }

    private static String loadFrom(Path folder, List<String> names) {
        return names.contains(MX) ? loadMxFrom(folder) : loadFrom(folder);
    }

    private static String loadFrom(Path folder) {
        Path jni = folder.resolve(JNI).toAbsolutePath();
        if (!Files.isRegularFile(jni)) {
            return "native library: " + jni + " does not exist";
        }
        System.load(jni.toString());
        if (!isForTheseClasses()) {
            return "native library: " + jni + " is of another version of JFS";
        }
        String noSisci = Libraries.SISCI.load(sisci, folder.resolve(SHIM).toAbsolutePath());
        return noSisci == null ? null : "sisci: " + noSisci;
    }

    private static String loadMxFrom(Path folder) {
        String noMx = Libraries.MX.load(mx, folder.resolve(MX).toAbsolutePath());
        return noMx == null ? null : "mx: " + noMx;
    }

    private static boolean isForTheseClasses() {
        try {
            return builtFor() == INTERFACE;
        } catch (UnsatisfiedLinkError e) { // the library is older than this method
            return false;
        }
    }

    /** The {@link #INTERFACE} of the classes that the library was built with. */
    private static native int builtFor();

    /**
     * Whether the C library of this JVM is musl, for which the libraries in the jar are not made. Reads this JVM's mappings only where
     * musl is installed. It may be installed beside glibc, and then either can be the JVM's.
     */
    public static boolean runsWithMusl() {
        String arch = System.getProperty("os.arch", "");
        return Files.exists(Path.of("/lib/ld-musl-" + (arch.equals("amd64") ? "x86_64" : arch) + ".so.1"))
                && hasMusl(Path.of("/proc/self/maps"));
    }

    /** @param maps of a process, proc_pid_maps(5); false if that can't be read */
    static boolean hasMusl(Path maps) { // not in a class of its own: a JVM's first connection would load it where musl is installed
        try (BufferedReader lines = new BufferedReader(new FileReader(maps.toFile(), StandardCharsets.ISO_8859_1))) { // uses no channel
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String name = line.substring(line.lastIndexOf('/') + 1);
                if (name.startsWith("ld-musl-") || name.equals("libc.so")) { // one file by two names; glibc's is libc.so.6
                    return true;
                }
            }
        } catch (IOException | SecurityException e) {
            return false;
        }
        return false;
    }

    private static String platform() {
        String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String arch = System.getProperty("os.arch", "");
        return os.replace(' ', '-') + "-" + (arch.equals("amd64") ? "x86-64" : arch);
    }

    private static String firstLine(Throwable e) {
        // The class of a FileSystemException tells what has failed, such as "no access". Its message may be only the file's name.
        String text = e instanceof FileSystemException ? e.toString() : String.valueOf(e.getMessage());
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end);
    }
}
