package jfs.negotiation.handshake.remote;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.Map;
import java.util.Properties;
import jfs.config.Settings;
import jfs.negotiation.policy.MappedAddress;
import jfs.negotiation.policy.Rules;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values of {@code jfs.hosts.address}. Whether an address is one of this host's shows only when a process listens there. */
class HostsAddressTest {

    private static Hosts hosts(String address) {
        Properties properties = new Properties();
        properties.setProperty("jfs.hosts.address", address);
        return Hosts.read(Settings.read(properties, Map.of()), Rules.NONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.1.0.7", "::1", "fd00:213:8::2", "::ffff:10.1.0.7"})
    void anAddress(String address) throws Exception {
        assertArrayEquals(MappedAddress.of(InetAddress.getByName(address)), hosts(address).address());
        assertEquals("jfs.hosts.ports 27450-27465 of jfs.hosts.address " + InetAddress.getByName(address).getHostAddress(),
                hosts(address).place());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "::"})
    void allOfThem(String address) {
        assertTrue(hosts(address).isAnyAddress());
        assertEquals("jfs.hosts.ports 27450-27465", hosts(address).place());
    }

    /** No name server is asked. */
    @ParameterizedTest
    @ValueSource(strings = {"localhost", "10.1", "10.1.0.256", "10.1.0.0/16", "10.1.0.7:27450", "1:2:3", "*", "0x7f000001"})
    void noAddressInFull(String value) {
        String said = assertThrows(IllegalArgumentException.class, () -> hosts(value)).getMessage();
        assertEquals("jfs: bad setting jfs.hosts.address=" + value + "; allowed is an address of this host, in full", said);
    }
}
