package jfs.conformance.versions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Children;
import jfs.conformance.hosts.NegotiatingPeer;
import jfs.testing.Await;
import jfs.testing.FreePorts;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tests of {@link VersionsTest} with offers between hosts. */
class HostVersionsTest extends Children {

    @TempDir
    static Path folder;

    private int port;

    @BeforeEach
    void choosePort() {
        port = FreePorts.firstOf(1);
    }

    private Child start(Build build) throws Exception {
        Path rules = Files.writeString(folder.resolve("rules"), "connect * * mx trusted\naccept * * mx trusted\n");
        return start(build.in(folder).with("-Djfs.rules=" + rules).with("-Djfs.hosts.ports=" + port)
                .with("-Djfs.hosts.address=127.0.0.1").with("-Djfs.log=all").running(NegotiatingPeer.class, "rdma"));
    }

    @ParameterizedTest
    @CsvSource({"SPEAKS_1_TO_4, THIS, 2", "THIS, SPEAKS_1_TO_4, 1", "SPEAKS_3_AND_4, THIS, 2"})
    void hostsUseTheNewestCommonVersion(Build clients, Build servers, int offers) throws Exception {
        Child server = start(servers);
        Child client = start(clients);
        connect(client, server);
        Child.Order follow = server.begin("follow");
        client.ask("lead 3");
        follow.isDone();
        Await.until(() -> client.log() + server.log(), () -> client.ask("attached") == 1);
        talkAboutEverything(client, server);
        assertEquals(offers, client.ask("offers"));
        assertEquals("{}", client.fallbacks() + server.fallbacks().replace("{}", ""));
    }

    @Test
    void withoutACommonVersionHostsStayOnTcp() throws Exception {
        Child server = start(Build.THIS);
        Child client = start(Build.SPEAKS_4_AND_5);
        connect(client, server);
        staysOnTcp(client, "{VERSION=1}", server, "{VERSION=1}");
        assertTrue(client.log().contains("the peer speaks versions 1 to 3 of JFS's protocol, this process versions 4 to 5"),
                client.log());
    }
}
