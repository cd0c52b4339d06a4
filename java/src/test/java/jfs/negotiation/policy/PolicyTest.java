package jfs.negotiation.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jfs.config.Transports;
import jfs.spi.Obstacle;
import jfs.spi.TransportProvider;
import jfs.stat.Reason;
import jfs.transport.BuiltIn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyTest {

    private static final Rules RULES = Rules.parse("/rules", List.of(
            "connect * 1 tcp", "connect * 2 sci", "connect * 3 mx", "connect * 5 mx trusted forced",
            "accept * 1 tcp", "accept * 2 sci", "accept * 3 mx", "accept * 5 mx trusted forced"),
            BuiltIn.TRANSPORTS, InetAddress::getAllByName);

    private static final TransportProvider SCI = Transports.named(BuiltIn.TRANSPORTS, "sci");
    private static final TransportProvider MX = Transports.named(BuiltIn.TRANSPORTS, "mx");
    private static final Map<String, Obstacle> NO_UCX = Map.of("mx", new Obstacle("NO_MX", "no UCX", false));

    private static Transports allowed(String... names) {
        List<TransportProvider> allowed = new ArrayList<>();
        for (String name : names) {
            TransportProvider it = Transports.named(BuiltIn.TRANSPORTS, name);
            if (it != null) { // tcp is none
                allowed.add(it);
            }
        }
        return new Transports(BuiltIn.TRANSPORTS, allowed, null, 0, Set.of());
    }

    /** Port 4 is in no rule. */
    @ParameterizedTest
    @CsvSource({
        "sci+mx, 1, RULE", "sci+mx, 2,", "sci+mx, 3, NO_MX", "sci+mx, 4,",
        "sci, 1, RULE", "sci, 2,", "sci, 3, TRANSPORT_OFF", "sci, 4,",
        "mx, 1, RULE", "mx, 2, TRANSPORT_OFF", "mx, 3, NO_MX", "mx, 4, TRANSPORT_OFF",
        "tcp, 1, RULE", "tcp, 2, TRANSPORT_OFF", "tcp, 3, TRANSPORT_OFF", "tcp, 4, TRANSPORT_OFF",
    })
    void transportRestrictsWhatRulesChoose(String allowed, int port, Reason reason) {
        Policy policy = new Policy(RULES, allowed(allowed.split("\\+")), null, NO_UCX);
        InetAddress peer = InetAddress.getLoopbackAddress();
        assertEquals(reason, reason(policy.connecting(peer, port)));
        assertEquals(reason, reason(policy.accepting(peer, port)));
    }

    private static Reason reason(Choice choice) {
        return choice.refusal() == null ? null : choice.refusal().reason();
    }

    /** MX is used only if a rule chooses it. Where nothing faster than TCP lies under MX, it is used only if the rule says forced. */
    @Test
    void mx() {
        InetAddress peer = InetAddress.getLoopbackAddress();
        Policy fast = new Policy(RULES, allowed("sci", "mx"), null, Map.of());
        assertEquals(Choice.of(MX, false), fast.connecting(peer, 3));
        assertEquals(Choice.of(MX, true), fast.accepting(peer, 5));
        assertEquals(Choice.of(SCI, false), fast.connecting(peer, 2));
        Policy slow = new Policy(RULES, allowed("sci", "mx"), null,
                Map.of("mx", new Obstacle("NO_RDMA", "UCX has tcp only", true)));
        assertEquals(Choice.tcp(new Refusal(Reason.NO_RDMA, "UCX has tcp only")), slow.connecting(peer, 3));
        assertEquals(Choice.tcp(new Refusal(Reason.NO_RDMA, "UCX has tcp only")), slow.accepting(peer, 3));
        assertEquals(Choice.of(MX, true), slow.connecting(peer, 5));
        assertEquals(Choice.of(SCI, false), slow.connecting(peer, 2));
    }

    @Test
    void onlyTransportsThatAConnectionMayGetAreUsable() {
        assertEquals(List.of(SCI, MX), new Policy(RULES, allowed("sci", "mx"), null, Map.of()).usable());
        assertEquals(List.of(MX), new Policy(RULES, allowed("mx"), null, Map.of()).usable());
        assertEquals(List.of(SCI), new Policy(Rules.NONE, allowed("sci", "mx"), null, Map.of()).usable(), "no rule chooses mx");
        assertEquals(List.of(SCI), new Policy(RULES, allowed("sci", "mx"), null, NO_UCX).usable());
        assertEquals(List.of(), new Policy(RULES, allowed("sci", "mx"), "no library", Map.of()).usable());
    }

    @Test
    void anObstacleWithoutAReasonOfItsOwnHasOne() {
        Policy policy = new Policy(RULES, allowed("sci"), null, Map.of("sci", new Obstacle("RAIN", "it rains", false)));
        assertEquals(new Refusal(Reason.NO_TRANSPORT, "it rains"), policy.connecting(InetAddress.getLoopbackAddress(), 4).refusal());
    }

    @Test
    void aRefusalNamesItsRule() {
        Policy policy = new Policy(RULES, allowed("sci"), null, NO_UCX);
        InetAddress peer = InetAddress.getLoopbackAddress();
        assertEquals("line 1 of jfs.rules: connect * 1 tcp", policy.connecting(peer, 1).refusal().detail());
        assertEquals("jfs.transport forbids line 7 of jfs.rules: accept * 3 mx", policy.accepting(peer, 3).refusal().detail());
        assertEquals("no UCX", new Policy(RULES, allowed("mx"), null, NO_UCX).connecting(peer, 3).refusal().detail());
    }

    @Test
    void withoutAnythingFastNothingElseMatters() {
        Policy policy = new Policy(RULES, allowed("sci", "mx"), "no library", NO_UCX);
        for (int port = 1; port <= 4; port++) {
            assertEquals(new Refusal(Reason.UNAVAILABLE, "no library"),
                    policy.connecting(InetAddress.getLoopbackAddress(), port).refusal());
        }
    }
}
