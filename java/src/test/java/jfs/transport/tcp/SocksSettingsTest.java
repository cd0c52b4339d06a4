package jfs.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SocksSettingsTest {

    @Test
    void netPropertiesAreRead(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("net.properties"), "# no\nsocksProxyVersion=4\n");
        assertEquals(Map.of("socksProxyVersion", "4"), SocksSettings.read(file));
        assertEquals(Map.of("a", "1"), SocksSettings.read(Files.writeString(file, "a=1\nsocksProxyVersion=\\u00")), "what stands before");
        Files.writeString(file, "# f\u00fcr alle\nsocksProxyHost=proxy\n", StandardCharsets.ISO_8859_1);
        assertEquals(Map.of("socksProxyHost", "proxy"), SocksSettings.read(file));
        assertEquals(Map.of(), SocksSettings.read(folder.resolve("none")));
    }

    @Test
    void onlyFourIsVersion4() {
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

    /** JFS still asks for a proxy for the addresses that the conformance tests' ProxySelectorTest compares with the JDK. */
    @Test
    void addressesThatSurelyNeedNoProxy() throws Exception {
        byte[] address = {127, 0, 0, 1};
        for (String name : List.of("host.example", "xn--kda4b0koi.example", "127.0.0.1", "A-9")) {
            assertTrue(SocksSettings.surelyDirect(new InetSocketAddress(InetAddress.getByAddress(name, address), 1)), name);
            assertTrue(SocksSettings.surelyDirect(InetSocketAddress.createUnresolved(name, 1)), name);
        }
        for (String name : List.of("", "under_score", "\u00fc.example", "a b", "[::1]", "fe80::1%1234567")) {
            assertFalse(SocksSettings.surelyDirect(InetSocketAddress.createUnresolved(name, 1)), name);
        }
        assertFalse(SocksSettings.surelyDirect(new SocketAddress() { }), "of another kind");
        System.setProperty("socksProxyHost", "127.0.0.1");
        try {
            assertFalse(SocksSettings.surelyDirect(new InetSocketAddress("127.0.0.1", 1)));
        } finally {
            System.clearProperty("socksProxyHost");
        }
    }

    @Test
    void aPropertyOrASelectorMayNameAProxy() {
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
