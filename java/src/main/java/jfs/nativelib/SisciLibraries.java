package jfs.nativelib;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Chooses among the SISCI libraries: a vendor's where it is installed and finds a card, else our shim. A file that the
 * user names is used, or nothing is.
 */
final class SisciLibraries {

    static final String AUTO = "auto";
    static final String SHIM = "shim";

    private static final String NAME = "libsisci.so";
    /** Where a card's packages put theirs, which the dynamic linker need not know. */
    private static final List<Path> VENDORS_FOLDERS = List.of(Path.of("/opt/DIS/lib64"), Path.of("/opt/DIS/lib"));

    private SisciLibraries() {
    }

    /** @return null, or why there is none */
    static String load(String wanted, Path shim) {
        if (!wanted.equals(AUTO) && !wanted.equals(SHIM)) {
            return Sisci.load(wanted, false);
        }
        if (wanted.equals(AUTO)) {
            for (String library : vendors()) {
                if (Sisci.load(library, true) == null) {
                    return null;
                }
            }
        }
        return Sisci.load(shim.toString(), false);
    }

    /** First what the dynamic linker finds, which {@code LD_LIBRARY_PATH} guides. */
    private static List<String> vendors() {
        List<String> all = new ArrayList<>();
        all.add(NAME);
        for (Path folder : VENDORS_FOLDERS) {
            if (Files.isDirectory(folder)) {
                try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, NAME + "*")) {
                    files.forEach(file -> all.add(file.toString()));
                } catch (IOException | DirectoryIteratorException e) { // it can't be read, so nothing there can be used
                    continue;
                }
            }
        }
        return all;
    }
}
