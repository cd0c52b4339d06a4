package jfs.nativelib;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.security.CodeSource;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** The files that lie beside JFS's classes. */
public final class OwnFiles {

    private OwnFiles() {
    }

    /**
     * The whole content of a file in the folder of a class. The file is read directly from the class's jar: a young JVM needs 4 ms to ask
     * for it by a URL.
     *
     * @param name begins with a slash if the file is not in that folder, as for {@link Class#getResource}
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

    /** The jar of a class; null if the class does not come from a jar that is a file. */
    private static File jar(Class<?> of) {
        CodeSource source = of.getProtectionDomain().getCodeSource(); // null if the JVM's own loader has loaded the class
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
