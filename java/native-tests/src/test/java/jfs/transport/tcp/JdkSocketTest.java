package jfs.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import jfs.testing.Natives;
import org.junit.jupiter.api.Test;

class JdkSocketTest {

    /**
     * Builds of JFS in one program share the class that the first one has defined in {@code java.net}. A developer who
     * adds, removes or changes a method writes the number that this test expects into that class and into JdkSocket.
     */
    @Test
    void theVersionIsThatOfAllMethods() throws Exception {
        Natives.load();
        assertNull(JdkSocket.unavailable());
        String methods = Arrays.stream(Class.forName("java.net.JfsSocketImplAccess").getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .map(Method::toString).sorted().collect(Collectors.joining("\n"));
        CRC32 sum = new CRC32();
        sum.update(methods.getBytes(StandardCharsets.US_ASCII));
        assertEquals(String.format("0x%08x", sum.getValue()), String.format("0x%08x", JdkSocket.ACCESS_VERSION));
    }
}
