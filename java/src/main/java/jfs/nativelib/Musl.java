package jfs.nativelib;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether the C library of a process is musl, as in Alpine, by {@code /proc/PID/maps}, proc_pid_maps(5). */
final class Musl {

    private Musl() {
    }

    /** @param maps the file of the process; false if it can't be read */
    static boolean isIn(Path maps) {
        try (BufferedReader lines = Files.newBufferedReader(maps, StandardCharsets.ISO_8859_1)) {
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
}
