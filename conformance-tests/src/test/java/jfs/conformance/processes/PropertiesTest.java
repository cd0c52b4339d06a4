package jfs.conformance.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Children;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The JVM's networking properties have the same effect on JFS's sockets as on the JDK's. */
class PropertiesTest extends Children {

    /** The results of a program, one for each line. */
    private List<String> look(Child.Start how, String options) throws IOException {
        for (String option : options.split(" ")) {
            how.with(option);
        }
        return new ArrayList<>(List.of(start(how).tell("look").split("; ")));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "-Djava.net.preferIPv4Stack=true",
        "-Djava.net.preferIPv6Addresses=true",
        "-Djava.net.preferIPv4Stack=true -Djdk.includeInExceptions=hostInfo",
        "-Djdk.includeInExceptions=hostInfo",
        "-Djdk.includeInExceptions=hostInfoExclSocket",
        "-Djdk.includeInExceptions=none",
        "-DsocksProxyHost=127.0.0.1 -DsocksProxyPort=1",
        "-DsocksProxyHost=127.0.0.1 -DsocksProxyPort=1 -DsocksNonProxyHosts=127.0.0.1|nobody.invalid",
    })
    void aProgramUnderThem(String options) throws Exception {
        List<String> expected = look(Child.plain(), options);
        assertTrue(expected.size() > 40, expected.toString());
        assertEquals(expected, look(Child.jfs(), options));
        assertEquals(expected, look(Child.jfsWithNatives("/nonexistent"), options));
    }

    /** The kernel has the same addresses for the connection at both ends, but in different forms. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void oneOfTheTwoHasIpv4Only(boolean isServer) throws Exception {
        Child one = start(Child.jfs().with("-Djava.net.preferIPv4Stack=true"));
        Child other = start(Child.jfs());
        Child server = isServer ? one : other;
        Child client = isServer ? other : one;
        connect(client, server);
        converse(client, server);
        talkAboutEverything(client, server);
    }
}
