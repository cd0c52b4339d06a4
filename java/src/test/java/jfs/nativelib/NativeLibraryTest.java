package jfs.nativelib;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

class NativeLibraryTest {

    /** A developer who adds, removes or changes a native method sets the constant to the number that this test expects. */
    @Test
    void theInterfaceIsThatOfAllNativeMethods() throws Exception {
        Path classes = Path.of(NativeLibrary.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        List<String> methods = new ArrayList<>();
        try (Stream<Path> files = Files.list(classes.resolve("jfs/nativelib"))) {
            for (Path file : files.filter(name -> name.toString().endsWith(".class")).toList()) {
                String name = classes.relativize(file).toString().replace('/', '.');
                Class<?> type = Class.forName(name.substring(0, name.length() - ".class".length()));
                for (Method method : type.getDeclaredMethods()) {
                    if (Modifier.isNative(method.getModifiers())) {
                        methods.add(method.toString());
                    }
                }
            }
        }
        Collections.sort(methods);
        CRC32 sum = new CRC32();
        sum.update(String.join("\n", methods).getBytes(StandardCharsets.US_ASCII));
        assertEquals(String.format("0x%08x", sum.getValue()), String.format("0x%08x", NativeLibrary.INTERFACE));
    }
}
