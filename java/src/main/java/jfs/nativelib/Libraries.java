package jfs.nativelib;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Chooses among the libraries of one interface: a vendor's where it is installed and finds its hardware, else JFS's shim. If
 * the user names a file, only that file is tried.
 *
 * @param name the name of the library's file
 * @param folders in which vendors' packages install the library; the dynamic linker need not know them
 * @param isMx whether the interface is MX, else it is SISCI
 */
record Libraries(String name, List<Path> folders, boolean isMx) {

    static final String AUTO = "auto";
    static final String SHIM = "shim";

    static final Libraries SISCI =
            new Libraries("libsisci.so", List.of(Path.of("/opt/DIS/lib64"), Path.of("/opt/DIS/lib")), false);
    static final Libraries MX = new Libraries("libmyriexpress.so",
            List.of(Path.of("/opt/mx/lib64"), Path.of("/opt/mx/lib"), Path.of("/opt/open-mx/lib")), true);

    /** @return null, or why no library can be used */
    String load(String wanted, Path shim) {
        if (!wanted.equals(AUTO) && !wanted.equals(SHIM)) {
            return begin(wanted, false);
        }
        if (wanted.equals(AUTO)) {
            for (String library : vendors()) {
                if (begin(library, true) == null) {
                    return null;
                }
            }
        }
        return begin(shim.toString(), false);
    }

    /**
     * Begins to use a library.
     *
     * @param vendors whether to refuse JFS's shim
     * @return null, or why it can't be used
     */
    private String begin(String path, boolean vendors) {
        return isMx ? Mx.load(path, vendors) : Sisci.load(path, vendors);
    }

    /** The candidates. The first one is what the dynamic linker finds, which {@code LD_LIBRARY_PATH} guides. */
    private List<String> vendors() {
        List<String> all = new ArrayList<>();
        all.add(name);
        for (Path folder : folders) {
            if (Files.isDirectory(folder)) {
                try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, name + "*")) {
                    for (Path file : files) {
                        all.add(file.toString());
                    }
                } catch (IOException | DirectoryIteratorException e) { // the folder can't be read, so nothing in it can be used
                    continue;
                }
            }
        }
        return all;
    }
}
