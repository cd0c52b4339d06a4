package jfs.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SocksSettingsTest {

    @Test
    void aFile(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("net.properties"), "# no\nsocksProxyVersion=4\n");
        assertEquals(Map.of("socksProxyVersion", "4"), SocksSettings.read(file));
        assertEquals(Map.of(), SocksSettings.read(Files.writeString(file, "a=1\nsocksProxyVersion=\\u00")));
        assertEquals(Map.of(), SocksSettings.read(folder.resolve("none")));
    }

    @Test
    void theVersion() {
        assertFalse(SocksSettings.isVersion4());
        for (String version : new String[] {"4", "5", "four"}) {
            System.setProperty("socksProxyVersion", version);
            try {
                assertEquals(version.equals("4"), SocksSettings.isVersion4());
            } finally {
                System.clearProperty("socksProxyVersion");
            }
        }
    }

    @Test
    void whoMayNameAProxy() {
        assertFalse(SocksSettings.mayNameAProxy(), "as a JDK comes");
        System.setProperty("socksProxyHost", "127.0.0.1");
        try {
            assertTrue(SocksSettings.mayNameAProxy());
        } finally {
            System.clearProperty("socksProxyHost");
        }
        ProxySelector before = ProxySelector.getDefault();
        try {
            ProxySelector.setDefault(ProxySelector.of(new InetSocketAddress("127.0.0.1", 1)));
            assertTrue(SocksSettings.mayNameAProxy());
            ProxySelector.setDefault(null);
            assertFalse(SocksSettings.mayNameAProxy());
        } finally {
            ProxySelector.setDefault(before);
        }
    }
}
