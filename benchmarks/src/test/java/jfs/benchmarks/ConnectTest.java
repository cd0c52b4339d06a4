package jfs.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The measurements of short connections and of connections that are used little, with stand-ins. */
class ConnectTest extends Runs {
    @Test
    void benchKnowsTheSleepingReceiverAndTheShortConnection() throws Exception {
        assertEquals(0, run("bench", "asleep", "--forks", "1", "--requests", "40"), err::toString);
        assertEquals(0, run("bench", "connect", "--forks", "1", "--calls", "1,3", "--turns", "1"), err::toString);
        assertTrue(out.toString().contains("median"), out::toString);
        assertTrue(out.toString().lines().anyMatch(line -> line.matches(" *3( +\\S+){8}")), out::toString);
        assertTrue(out.toString().contains("3 calls: CPU of both ends to the JDK's"), out::toString);
        // Here both sides run over the JDK's sockets.
        String text = out.toString();
        assertTrue(text.lines().anyMatch(line -> line.matches("3 calls: server's garbage above the JDK's .* met")), text);
        assertEquals(4, text.lines().filter(line -> line.matches(" *[13]( +\\S+){8}")).count(), text);
        pageHas(3);
    }

    @Test
    void benchLooksForWhatGrowsWithConnections() throws Exception {
        assertEquals(0, run("bench", "connect", "--rate", "100", "--seconds", "1"), err::toString);
        String text = out.toString();
        String row = " *(JDK|JFS) +\\d+ +(client|server)( +\\d+ to \\d+){6}";
        assertEquals(4, text.lines().filter(line -> line.matches(row)).count(), text);
        assertTrue(text.lines().anyMatch(line -> line.matches("JFS: after \\d+ connections (nothing has grown|more: .*)\\.")), text);
        pageHas(1);
    }

    /** Four pairs of processes, each of which waits five seconds until JFS has noticed that the connections are idle. */
    @Test
    @Timeout(180)
    void benchKnowsConnectionsThatAreUsedLittle() throws Exception {
        String[] light = "bench light --forks 1 --connections 3 --periods 10 --seconds 1 --idle-seconds 1".split(" ");
        assertEquals(0, run(light), err::toString);
        String text = out.toString();
        assertEquals(2, text.lines().filter(line -> line.matches(" +3 +10 +\\d+ +JDK( +\\S+){8}")).count(), text);
        assertEquals(2, text.lines().filter(line -> line.matches(" +3 +10 +\\d+ +JFS( +\\S+){10}")).count(), text);
        pageHas(4);
    }

    @ParameterizedTest
    @CsvSource({
        "--calls=0, --calls: 0 is not 1 or more",
        "--forks=0, --forks: 0 is not 1 or more",
        "--turns=0, --turns: 0 is not 1 or more",
        "--rate=0, --rate: 0.0 is not more than 0",
        "--rate=1 --seconds=0, --seconds: 0 is not 1 or more",
        "--seconds=1, --seconds: has no meaning without --rate",
        "--rate=1 --forks=1, --forks: has no meaning with --rate",
        "--rate=1 --turns=1, --turns: has no meaning with --rate",
        "'--rate=1 --calls=1,2', --calls: with --rate it is one number",
    })
    void shortConnectionsRefuseWhatCannotBe(String options, String says) {
        List<String> arguments = new ArrayList<>(List.of("bench", "connect"));
        arguments.addAll(List.of(options.split(" ")));
        assertEquals(2, run(arguments.toArray(String[]::new)));
        assertTrue(err.toString().startsWith("jfs: " + says), err::toString);
    }
}
