package jfs.conformance.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Commands;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that has used up half of its descriptors or mappings makes no more fast connections (LIMIT-1). */
class HalfOfLimitTest extends Shortages {

    private static final int DESCRIPTORS = 200;
    /** With a higher limit this test would take too long. */
    private static final int MAPPINGS_MAX = 300_000;

    @ParameterizedTest
    @EnumSource
    void noFastConnectionWithHalfOfTheDescriptorsInUse(End who) throws Exception {
        String[] limited = {"prlimit", "--nofile=" + DESCRIPTORS + ":" + DESCRIPTORS};
        Commands.assume("a limit of descriptors", limited[0], limited[1], "true");
        refusesWhen(who, limited, "open " + DESCRIPTORS / 2);
    }

    /** No descriptor is left. The JDK's own sockets show the expected result. */
    @ParameterizedTest
    @ValueSource(strings = {"jdk", "jfs", "channels"})
    void readsTimeOutWithoutDescriptors(String whose) throws Exception {
        String[] limited = {"prlimit", "--nofile=" + DESCRIPTORS + ":" + DESCRIPTORS};
        Commands.assume("a limit of descriptors", limited[0], limited[1], "true");
        Child.Start how = switch (whose) {
            case "jdk" -> Child.plain();
            case "jfs" -> Child.jfs();
            default -> Child.jfs().with("-Djfs.tcp=nio");
        };
        Child child = start(how.under(limited));
        assertEquals("[Read timed out]", child.tell("timeouts 1"));
        assertEquals("[Read timed out]", child.tell("timeouts 25"));
    }

    @ParameterizedTest
    @EnumSource
    void noFastConnectionWithHalfOfTheMappingsInUse(End who) throws Exception {
        int limit = Integer.parseInt(Files.readAllLines(Path.of("/proc/sys/vm/max_map_count")).get(0));
        assumeTrue(limit <= MAPPINGS_MAX, "vm.max_map_count is " + limit + ", and to make half as many mappings takes too long");
        refusesWhen(who, new String[0], "map " + limit / 2);
    }

    /** There is no descriptor even for the negotiation. No byte is lost, and no call fails because of that. */
    @Test
    void noDescriptorsForTheNegotiation() throws Exception {
        String[] limited = {"prlimit", "--nofile=" + DESCRIPTORS + ":" + DESCRIPTORS};
        Commands.assume("a limit of descriptors", limited[0], limited[1], "true");
        Child server = start(Child.jfs());
        Child client = start(Child.jfs().under(limited).with("-Djfs.upgrade.after=4"));
        connect(client, server);
        Child.Order follow = server.begin("follow");
        client.ask("lead 2"); // the JDK's own sockets take more descriptors for their first bytes
        follow.isDone();
        assertEquals("done", client.tell("openAllBut 1")); // the class loader needs that one
        staysOnTcp(client, "{NO_RESOURCES=1}", server, "{NO_OFFER=1}");
    }

    private void refusesWhen(End who, String[] limited, String used) throws Exception {
        Child server = start(who == End.SERVER ? Child.jfs().under(limited) : Child.jfs());
        Child client = start(who == End.CLIENT ? Child.jfs().under(limited) : Child.jfs());
        assertEquals("done", (who == End.SERVER ? server : client).tell(used));
        connect(client, server);
        staysOnTcp(client, "{NO_RESOURCES=1}", server, who == End.SERVER ? "{NO_RESOURCES=1}" : "{NO_OFFER=1}");
    }
}
