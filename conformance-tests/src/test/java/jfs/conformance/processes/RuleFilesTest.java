package jfs.conformance.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Children;
import jfs.testing.Await;
import jfs.testing.FreePorts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JFS obeys the rules of {@code jfs.rules}, and both ends know the reason. */
class RuleFilesTest extends Children {

    @TempDir
    Path folder;

    private Child.Start with(String... rules) throws IOException {
        Path file = Files.createTempFile(folder, "rules", null);
        Files.write(file, List.of(rules));
        return Child.jfs().with("-Djfs.rules=" + file);
    }

    @Test
    void theClientsRuleSaysTcp() throws Exception {
        Child server = start(Child.jfs());
        Child client = start(with("connect 127.0.0.0/8 * tcp"));
        connect(client, server);
        staysOnTcp(client, "{RULE=1}", server, "{NO_OFFER=1}");
    }

    /** The client learns of the rule by its offer. With 0 turnarounds the offer comes before the connection is accepted. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void theServersRuleSaysTcp(int upgradeAfter) throws Exception {
        Child server = start(with("accept 127.0.0.0/8 * tcp"));
        Child client = start(Child.jfs().with("-Djfs.upgrade.after=" + upgradeAfter));
        connect(client, server);
        assertEquals("{RULE=1}", server.fallbacks());
        staysOnTcp(client, "{RULE=1}", server, "{RULE=1}");
    }

    @Test
    void rulesAreForOneOfTheTwoEnds() throws Exception {
        Child server = start(with("connect * * tcp"));
        Child client = start(with("accept * * tcp"));
        connect(client, server);
        converse(client, server);
    }

    @Test
    void theFirstRuleThatMatchesDecides() throws Exception {
        Child one = start(Child.jfs());
        Child two = start(Child.jfs());
        long portOfOne = one.ask("listen 127.0.0.1 0");
        long portOfTwo = two.ask("listen 127.0.0.1 0");
        Child client = start(with("connect 10.0.0.0/8 * tcp",
                "connect 127.0.0.1 " + portOfTwo + " sci",
                "connect 127.0.0.1 * tcp",
                "connect 127.0.0.1 " + portOfOne + " sci"));
        connect(client, two, portOfTwo);
        converse(client, two);
        assertEquals("{}", client.fallbacks());
        client.begin("close").isDone();
        connect(client, one, portOfOne);
        assertEquals("{RULE=1}", client.fallbacks());
    }

    @Test
    void thePortOfAnAcceptRuleIsTheListeners() throws Exception {
        Child client = start(Child.jfs());
        Child probe = start(Child.jfs());
        long port = probe.ask("listen 127.0.0.1 0");
        Child server = start(with("accept 127.0.0.1 " + port + " tcp"));
        connect(client, server); // another port
        converse(client, server);
        client.begin("close").isDone();
        server.begin("close").isDone();
        probe.begin("closeListener").isDone();
        server.ask("listen 127.0.0.1 " + port);
        connect(client, server, port);
        assertEquals("{RULE=1}", server.fallbacks());
    }

    @Test
    void aHostOfNoRule() throws Exception {
        Child server = start(with("accept 10.0.0.0/8 * tcp"));
        Child client = start(with("connect 10.0.0.0/8 * tcp"));
        connect(client, server);
        converse(client, server);
        talkAboutEverything(client, server);
        assertEquals("{}", client.fallbacks());
        assertEquals("{}", server.fallbacks());
    }

    /** The reason on a machine without RDMA. A test can count neither on an RDMA network nor on UCX. */
    private static String withoutRdma(Child one) {
        return one.fallbacks().contains("NO_MX") ? "{NO_MX=1}" : "{NO_RDMA=1}";
    }

    @Test
    void anMxRuleOfTheClientOnANetworkWithoutRdma() throws Exception {
        Child server = start(Child.jfs());
        Child client = start(with("connect * * mx trusted"));
        connect(client, server);
        staysOnTcp(client, withoutRdma(client), server, "{NO_OFFER=1}");
    }

    /** The file in UCX's place is no library. */
    @Test
    void mxWithoutUcx(@TempDir Path libraries) throws Exception {
        Files.writeString(libraries.resolve("libucp.so.0"), "nothing");
        Child server = start(Child.jfs());
        Child client = start(with("connect * * mx trusted forced").with("-Djfs.log=fallback")
                .under("env", "LD_LIBRARY_PATH=" + libraries));
        connect(client, server);
        staysOnTcp(client, "{NO_MX=1}", server, "{NO_OFFER=1}");
        assertTrue(client.log().contains("no UCX"), client.log());
    }

    /** The client has no such rule and offers shared memory. */
    @Test
    void anMxRuleOfTheServerOnANetworkWithoutRdma() throws Exception {
        Child server = start(with("accept * * mx trusted"));
        Child client = start(Child.jfs());
        connect(client, server);
        String reason = withoutRdma(server);
        staysOnTcp(client, reason, server, reason);
    }

    /** The address may become this host's later, so JFS stays on. Meanwhile other hosts can't find this process. */
    @Test
    void mxAtAnotherHostsAddress() throws Exception {
        Child server = start(with("accept * * mx trusted forced").with("-Djfs.hosts.address=203.0.113.7")
                .with("-Djfs.hosts.ports=" + FreePorts.range()).with("-Djfs.log=fallback"));
        connect(start(Child.jfs()), server);
        assumeFalse(server.fallbacks().contains("NO_MX"), "MX is not available: " + server.log());
        assertEquals("{NO_RENDEZVOUS=1}", server.fallbacks());
        assertTrue(server.log().contains(" of jfs.hosts.address 203.0.113.7: Cannot assign requested address"), server.log());
    }

    /** The rule is refused: there is no key, and the rule does not say that it trusts hosts without one. */
    @Test
    void mxWithoutAKey() throws Exception {
        Child child = start(with("connect * * tcp", "connect * * mx"));
        Await.until(child::log, () -> child.log().contains(
                ", line 2: connect * * mx; allowed is mx trusted, or mx and a key in jfs.hosts.key"));
    }

    @Test
    void aRuleThatChoosesWhatIsNotAllowed() throws Exception {
        Child server = start(Child.jfs());
        Child client = start(with("connect * * mx trusted").with("-Djfs.transport=sci"));
        connect(client, server);
        staysOnTcp(client, "{TRANSPORT_OFF=1}", server, "{NO_OFFER=1}");
    }
}
