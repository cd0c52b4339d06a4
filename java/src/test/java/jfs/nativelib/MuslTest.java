package jfs.nativelib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MuslTest {

    @TempDir
    Path folder;

    /** The first two are Alpine's, the third is Debian's where its package musl is installed, the others are of JVMs with glibc. */
    @ParameterizedTest
    @CsvSource({"/lib/ld-musl-x86_64.so.1, true", "/lib/ld-musl-aarch64.so.1, true", "/usr/lib/x86_64-linux-musl/libc.so, true",
        "/usr/lib/x86_64-linux-gnu/libc.so.6, false", "/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2, false",
        "/usr/lib/jvm/java-17-openjdk-amd64/lib/libnio.so, false"})
    void aProcessWithMuslIsKnownByItsFiles(String file, boolean musl) throws Exception {
        Path maps = Files.writeString(folder.resolve("maps"), """
                5581e0a2c000-5581e0a2d000 r--p 00000000 fe:00 270741                     /usr/bin/java
                7f1c5ba8d000-7f1c5ba8f000 rw-p 00000000 00:00 0
                7f1c5ba8f000-7f1c5bab5000 r--p 00000000 fe:00 270742                     %s
                7ffd7d1c6000-7ffd7d1e8000 rw-p 00000000 00:00 0                          [stack]
                """.formatted(file));
        assertEquals(musl, NativeLibrary.hasMusl(maps));
    }

    @Test
    void whatCanNotBeReadIsNotMusl() {
        assertFalse(NativeLibrary.hasMusl(folder.resolve("none")));
    }
}
