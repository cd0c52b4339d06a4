package jfs.nativelib;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.security.CodeSource;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** What lies beside JFS's classes. */
public final class OwnFiles {

    private OwnFiles() {
    }

    /**
     * All of a file in the folder of a class. Out of the jar that the class is from: a young JVM needs 4 ms to ask for it by a URL.
     *
     * @param name begins with a slash if it is not that folder's, as for {@link Class#getResource}
     * @return null if there is no such file
     */
    public static byte[] read(Class<?> beside, String name) throws IOException {
        File jar = jar(beside);
        if (jar == null) {
            try (InputStream in = beside.getResourceAsStream(name)) {
                return in == null ? null : in.readAllBytes();
            }
        }
        try (ZipFile zip = new ZipFile(jar)) {
            ZipEntry entry = zip.getEntry(
                    name.startsWith("/") ? name.substring(1) : beside.getPackageName().replace('.', '/') + '/' + name);
            if (entry == null) {
                return null;
            }
            try (InputStream in = zip.getInputStream(entry)) {
                return in.readAllBytes();
            }
        }
    }

    /** Null if the class is not from a jar that is a file of its own. */
    private static File jar(Class<?> of) {
        CodeSource source = of.getProtectionDomain().getCodeSource(); // none if the JVM's own loader has loaded it
        if (source == null || source.getLocation() == null || !source.getLocation().getProtocol().equals("file")) {
            return null;
        }
        try {
            File file = new File(source.getLocation().toURI());
            return file.isFile() ? file : null;
        } catch (URISyntaxException | IllegalArgumentException e) {
            return null;
        }
    }
}
