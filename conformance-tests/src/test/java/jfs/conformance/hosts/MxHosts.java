package jfs.conformance.hosts;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Children;
import jfs.conformance.harness.processes.Peer;
import jfs.testing.Natives;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of two processes on two hosts whose rules force MX. The library is this build's, over UCX's tcp. */
@Timeout(180)
abstract class MxHosts extends Children {

    @TempDir
    Path folder;

    @BeforeAll
    static void assume() throws Exception {
        TwoHosts.assume();
        Natives.assumeMx();
    }

    /** @param rule the rule's verb, "connect" or "accept", and the address of the other host */
    final Child host(String rule, String... options) throws IOException {
        return start(starting(rule, options));
    }

    final Child.Start starting(String rule, String... options) throws IOException {
        String end = rule.substring(0, rule.indexOf(' '));
        Path rules = Files.write(Files.createTempFile(folder, "rules", null),
                List.of(rule + " * mx trusted forced", end + " fd00:213:8::/48 * mx trusted forced"));
        Child.Start start = Child.jfs().with("-Djfs.rules=" + rules).with("-Djfs.log=all").running(Peer.class, "true");
        for (String each : options) {
            start = start.with(each);
        }
        return transports(TwoHosts.alone(start));
    }

    /** The transports of UCX: those of two machines. */
    Child.Start transports(Child.Start start) {
        return start.under("env", "UCX_TLS=tcp,self");
    }

    final Child client(String... options) throws IOException {
        return host("connect " + TwoHosts.SERVERS, options);
    }

    final Child server(String... options) throws IOException {
        return host("accept " + TwoHosts.CLIENTS, options);
    }

    /** @return the listener's port */
    static long connectAndSwitch(Child client, Child server) throws Exception {
        long port = TwoHosts.connect(client, server);
        converse(client, server);
        assertTrue(client.log().contains(" over mx"), client.log());
        return port;
    }
}
