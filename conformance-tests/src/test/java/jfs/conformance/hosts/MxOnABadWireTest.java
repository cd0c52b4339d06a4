package jfs.conformance.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import jfs.conformance.Await;
import jfs.conformance.processes.Child;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Packets of MX itself are late, or lost. That may cost an offer, which doesn't wait for ever, and never a byte. */
class MxOnABadWireTest extends MxHosts {

    /** What may become of an offer of which a packet was lost; of several, each once. */
    private static final String OF_LOSS = "\\{((NO_RENDEZVOUS|NO_ANSWER|NO_OFFER|HUNG_UP|FAILED|PATH_FAILED)=\\d+(, )?)*\\}";

    @ParameterizedTest
    @ValueSource(strings = {"delay 30ms 10ms", "loss 3%", "delay 5ms 2ms loss 1%"})
    void everything(String how) throws Exception {
        BadWire.assume();
        Child client = client();
        Child server = server();
        new TwoHosts(client, server, how.split(" "));
        long port = server.ask("listen 0.0.0.0 0");
        do {
            TwoHosts.connect(client, server, TwoHosts.SERVERS, port);
            converseUntilDecided(client, server);
            talkAboutEverything(client, server);
            for (Child each : List.of(client, server)) {
                assertTrue(each.fallbacks().matches(OF_LOSS), each.log());
            }
        } while (client.ask("switched") == 0); // what has failed is not asked again for ten seconds
        assertEquals(2, client.ask("switched"));
        assertEquals(2, server.ask("switched"));
    }

    /** Until both directions have left TCP, or the client knows why they won't. */
    private static void converseUntilDecided(Child client, Child server) throws Exception {
        String before = client.fallbacks();
        Await.until(() -> client.log() + server.log(), () -> {
            Child.Order follow = server.begin("follow");
            client.ask("lead 1");
            follow.isDone();
            return client.ask("switched") == 2 || !client.fallbacks().equals(before);
        });
    }
}
