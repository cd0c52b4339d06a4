package jfs.nativelib;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Chooses among the libraries of one interface: a vendor's where it is installed and finds its hardware, else our shim. A
 * file that the user names is used, or nothing is.
 *
 * @param name the file's
 * @param folders where vendors' packages put theirs, which the dynamic linker need not know
 * @param isMx whether it is MX's, else SISCI's
 */
record Libraries(String name, List<Path> folders, boolean isMx) {

    static final String AUTO = "auto";
    static final String SHIM = "shim";

    static final Libraries SISCI =
            new Libraries("libsisci.so", List.of(Path.of("/opt/DIS/lib64"), Path.of("/opt/DIS/lib")), false);
    static final Libraries MX = new Libraries("libmyriexpress.so",
            List.of(Path.of("/opt/mx/lib64"), Path.of("/opt/mx/lib"), Path.of("/opt/open-mx/lib")), true);

    /** @return null, or why there is none */
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
     * @param vendors whether to refuse our shim
     * @return null, or why it can't be used
     */
    private String begin(String path, boolean vendors) {
        return isMx ? Mx.load(path, vendors) : Sisci.load(path, vendors);
    }

    /** First what the dynamic linker finds, which {@code LD_LIBRARY_PATH} guides. */
    private List<String> vendors() {
        List<String> all = new ArrayList<>();
        all.add(name);
        for (Path folder : folders) {
            if (Files.isDirectory(folder)) {
                try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, name + "*")) {
                    for (Path file : files) {
                        all.add(file.toString());
                    }
                } catch (IOException | DirectoryIteratorException e) { // it can't be read, so nothing there can be used
                    continue;
                }
            }
        }
        return all;
    }
}
