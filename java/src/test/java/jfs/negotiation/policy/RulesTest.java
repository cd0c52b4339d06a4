package jfs.negotiation.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jfs.config.Transports;
import jfs.spi.TransportProvider;
import jfs.transport.BuiltIn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RulesTest {

    private static final String HOST_IS =
            "*, an address, an address with a prefix length, or the name of a host that can be resolved";
    private static final String PORT_IS = "*, a port from 1 to 65535, or a range of them like 5000-5999";

    private static final TransportProvider MX = Transports.named(BuiltIn.TRANSPORTS, "mx");

    /** A name server that knows one host, with two addresses. */
    private static InetAddress[] resolve(String host) throws UnknownHostException {
        if (!host.equals("db.example")) {
            throw new UnknownHostException(host);
        }
        return new InetAddress[] {InetAddress.getByName("10.0.0.1"), InetAddress.getByName("fd00::1")};
    }

    private static Rules rules(String... lines) {
        return Rules.parse("/rules", List.of(lines), BuiltIn.TRANSPORTS, RulesTest::resolve);
    }

    private static String chosen(Rule rule) {
        return rule == null ? "none" : rule.transport() == null ? Rule.TCP : rule.transport().name();
    }

    private static InetAddress address(String literal) throws UnknownHostException {
        return InetAddress.getByName(literal);
    }

    @ParameterizedTest
    @CsvSource({
        "*, 10.1.2.3, mx",
        "*, fd00::1, mx",
        "10.1.2.3, 10.1.2.3, mx",
        "10.1.2.3, 10.1.2.4, none",
        "10.1.0.0/16, 10.1.255.255, mx",
        "10.1.0.0/16, 10.2.0.0, none",
        "10.1.77.77/16, 10.1.2.3, mx",
        "10.1.2.128/25, 10.1.2.129, mx",
        "10.1.2.128/25, 10.1.2.127, none",
        "0.0.0.0/0, 10.1.2.3, mx",
        "0.0.0.0/0, fd00::1, none",
        "10.1.2.3/32, 10.1.2.3, mx",
        "10.1.2.3/32, 10.1.2.2, none",
        "fd00::/8, fdff::1, mx",
        "fd00::/8, fe00::1, none",
        "fd00::/9, fd80::1, none",
        "::/0, fd00::1, mx",
        "::/0, 10.1.2.3, none",
        "::/80, 10.1.2.3, none",
        "::/80, ::1, mx",
        "::fffe:0:0/95, 10.1.2.3, none",
        "::fffe:0:0/95, ::fffe:1:2, mx",
        "::1/128, ::1, mx",
        "::1, ::2, none",
        "::ffff:10.1.2.3, 10.1.2.3, mx",
        "::ffff:10.1.2.3, 10.1.2.4, none",
        "::ffff:10.1.0.0/112, 10.1.2.3, mx",
        "::ffff:10.1.0.0/112, 10.2.2.3, none",
        "::ffff:a01:203/128, 10.1.2.3, mx",
        "::ffff:0.0.0.0/96, 10.1.2.3, mx",
        "::ffff:0.0.0.0/96, fd00::1, none",
        "10.1.2.3, ::ffff:10.1.2.3, mx",
        "10.0.0.0/8, ::a00:1, none",
        "db.example, 10.0.0.1, mx",
        "db.example, fd00::1, mx",
        "db.example, 10.0.0.2, none",
    })
    void hosts(String host, String remote, String transport) throws Exception {
        Rules rules = rules("connect " + host + " * mx");
        assertEquals(transport, chosen(rules.connecting(address(remote), 80)));
        assertNull(rules.accepting(address(remote), 80), "it is a rule for the other end");
    }

    @ParameterizedTest
    @CsvSource({
        "*, 1, true", "*, 65535, true",
        "80, 80, true", "80, 79, false", "80, 81, false",
        "80-82, 79, false", "80-82, 80, true", "80-82, 82, true", "80-82, 83, false",
        "5000-*, 4999, false", "5000-*, 65535, true",
    })
    void ports(String range, int port, boolean matches) throws Exception {
        Rules rules = rules("accept * " + range + " tcp");
        assertEquals(matches, rules.accepting(address("127.0.0.1"), port) != null);
    }

    @Test
    void theFirstThatMatchesDecides() throws Exception {
        Rules rules = rules(
                "accept * * tcp",
                "connect 10.1.2.0/24 5432 tcp",
                "connect 10.1.0.0/16 * mx",
                "connect 10.1.0.0/16 * sci");
        assertEquals("tcp", chosen(rules.connecting(address("10.1.2.3"), 5432)));
        assertEquals("mx", chosen(rules.connecting(address("10.1.2.3"), 5433)));
        assertEquals("mx", chosen(rules.connecting(address("10.1.3.3"), 5432)));
        assertEquals("none", chosen(rules.connecting(address("10.2.0.0"), 5432)));
    }

    @Test
    void commentsAndBlanks() throws Exception {
        Rules rules = rules("# all of them", "", "  \t ", "\tconnect\t10.1.2.3   80  sci  # the cache", "#connect * * tcp");
        Rule rule = rules.connecting(address("10.1.2.3"), 80);
        assertEquals("sci", chosen(rule));
        assertEquals("line 4 of jfs.rules: connect\t10.1.2.3   80  sci", rule.text());
        assertNull(rules.connecting(address("10.1.2.4"), 80));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "bind * * sci             | bind                     | connect or accept",
        "CONNECT * * sci          | CONNECT                  | connect or accept",
        "connect                  | connect                  | \"connect\" or \"accept\", host, port and transport",
        "connect 10.1.0.0/16 *    | connect 10.1.0.0/16 *    | \"connect\" or \"accept\", host, port and transport",
        "connect * * sci tcp      | tcp                      | OPTION",
        "connect * * sci trusted  | trusted                  | OPTION",
        "connect * * tcp forced   | forced                   | OPTION",
        "connect * * mx Trusted   | Trusted                  | OPTION",
        "connect * * mx forced forced | forced               | OPTION",
        "connect nowhere * tcp    | nowhere                  | HOST",
        "connect db.example/24 * tcp | db.example/24         | HOST",
        "connect 10.1 * tcp       | 10.1                     | HOST",
        "connect 10.1.2.256 * tcp | 10.1.2.256               | HOST",
        "connect 10.01.2.3 * tcp  | 10.01.2.3                | HOST",
        "connect 10.1.2.3.4 * tcp | 10.1.2.3.4               | HOST",
        "connect fd00::g * tcp    | fd00::g                  | HOST",
        "connect fd00:: : * tcp   | :                        | PORT",
        "connect */8 * tcp        | */8                      | HOST",
        "connect /8 * tcp         | /8                       | HOST",
        "connect 10.0.0.0/33 * tcp | 10.0.0.0/33             | a prefix length from 0 to 32",
        "connect 10.0.0.0/ * tcp  | 10.0.0.0/                | a prefix length from 0 to 32",
        "connect 10.0.0.0/-1 * tcp | 10.0.0.0/-1             | a prefix length from 0 to 32",
        "connect 10.0.0.0/8/8 * tcp | 10.0.0.0/8/8           | a prefix length from 0 to 32",
        "connect fd00::/129 * tcp | fd00::/129               | a prefix length from 0 to 128",
        "connect ::ffff:10.1.2.3/16 * tcp | ::ffff:10.1.2.3/16 | a prefix length from 96 to 128",
        "connect ::ffff:10.1.2.3/129 * tcp | ::ffff:10.1.2.3/129 | a prefix length from 96 to 128",
        "connect * 0 tcp          | 0                        | PORT",
        "connect * 65536 tcp      | 65536                    | PORT",
        "connect * 123456 tcp     | 123456                   | PORT",
        "connect * http tcp       | http                     | PORT",
        "connect * 80- tcp        | 80-                      | PORT",
        "connect * -80 tcp        | -80                      | PORT",
        "connect * *-80 tcp       | *-80                     | PORT",
        "connect * 90-80 tcp      | 90-80                    | PORT",
        "connect * * sdp          | sdp                      | sci, mx or tcp",
        "connect * * SCI          | SCI                      | sci, mx or tcp",
    })
    void whatIsNoRule(String line, String word, String allowed) {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> rules("# one", "connect * * tcp", line));
        assertEquals("jfs: bad setting jfs.rules=/rules, line 3: " + word + "; allowed is "
                + allowed.replace("HOST", HOST_IS).replace("PORT", PORT_IS)
                .replace("OPTION", "trusted and forced, once each, after mx"), e.getMessage());
    }

    @Test
    void files(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("rules");
        Files.writeString(file, "connect 127.0.0.1 * tcp\r\n# größer\n");
        assertNotNull(Rules.read(file, BuiltIn.TRANSPORTS).connecting(address("127.0.0.1"), 1));
        Files.writeString(file, "");
        assertNull(Rules.read(file, BuiltIn.TRANSPORTS).connecting(address("127.0.0.1"), 1));
        Files.write(file, "# größer\n".getBytes(StandardCharsets.ISO_8859_1));
        assertEquals("jfs: bad setting jfs.rules=" + file + "; it is not UTF-8", refusal(file));
        Path none = folder.resolve("none");
        assertEquals("jfs: bad setting jfs.rules=" + none + "; it does not exist", refusal(none));
        assertEquals("jfs: bad setting jfs.rules=" + folder + "; it can't be read: Is a directory", refusal(folder));
    }

    private static String refusal(Path file) {
        return assertThrows(IllegalArgumentException.class, () -> Rules.read(file, BuiltIn.TRANSPORTS)).getMessage();
    }

    /** The address of a host that only a proxy can resolve is null. */
    @Test
    void anAddressThatNobodyHereKnows() {
        assertNull(rules("connect * * tcp").connecting(null, 80));
    }

    @ParameterizedTest
    @CsvSource({"mx, false, false", "mx trusted, true, false", "mx forced, false, true",
        "mx trusted forced, true, true", "mx forced trusted, true, true"})
    void options(String words, boolean trusted, boolean forced) throws Exception {
        Rule rule = rules("accept * * " + words).accepting(address("10.1.2.3"), 80);
        assertEquals("mx", chosen(rule));
        assertEquals(trusted, rule.trusted());
        assertEquals(forced, rule.forced());
    }

    /** Only accept rules for a transport between hosts let this process answer a host, or be found for a port. */
    @Test
    void mxIsForTheHostsAndPortsOfItsRules() throws Exception {
        Rules rules = rules("accept 10.1.2.3 80 tcp", "accept 10.1.0.0/16 80-90 mx", "connect 10.3.0.0/16 * mx",
                "accept 10.4.0.0/16 * sci");
        assertTrue(rules.choose(MX));
        assertTrue(rules.admit(MappedAddress.of(address("10.1.9.9"))));
        assertFalse(rules.admit(MappedAddress.of(address("10.3.0.1"))));
        assertFalse(rules.admit(MappedAddress.of(address("10.4.0.1"))));
        assertTrue(rules.serve(80));
        assertTrue(rules.serve(90));
        assertFalse(rules.serve(91));
        assertFalse(rules("connect * * sci").choose(MX));
    }

    @ParameterizedTest
    @CsvSource({"::/0, 0:0:0:0:0:0:0:0/0", "0.0.0.0/0, 0.0.0.0/0", "*, *", "::ffff:10.1.0.0/112, 10.1.0.0/16", "::1/128, 0:0:0:0:0:0:0:1"})
    void aNetworkInWords(String host, String words) {
        assertEquals(List.of("line 1 of jfs.rules: accept " + host + " * tcp\n    from " + words + ", to all our ports: TCP"),
                rules("accept " + host + " * tcp").describe());
    }

    @Test
    void inWords() throws Exception {
        Rules rules = rules("accept 10.1.77.0/16 80-90 mx trusted", "connect db.example * tcp", "connect fd00::/8 1 sci");
        assertEquals(List.of(
                "line 1 of jfs.rules: accept 10.1.77.0/16 80-90 mx trusted\n    from 10.1.77.0/16, to our ports 80 to 90: "
                        + "MX, where there is RDMA; whoever has one of these addresses is trusted",
                "line 2 of jfs.rules: connect db.example * tcp\n    to listeners on 10.0.0.1, fd00:0:0:0:0:0:0:1, all ports: TCP",
                "line 3 of jfs.rules: connect fd00::/8 1 sci\n    to listeners on fd00:0:0:0:0:0:0:0/8, port 1: "
                        + "shared memory, if the peer is on this host"), rules.describe());
        assertEquals("line 2 of jfs.rules: connect db.example * tcp: TCP",
                rules.explainConnecting(address("10.0.0.1"), 9));
        assertEquals("no rule: shared memory, if the peer is on this host, else TCP",
                rules.explainAccepting(address("10.0.0.1"), 9));
    }
}
