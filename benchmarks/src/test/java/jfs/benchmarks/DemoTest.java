package jfs.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

/** The demos, with stand-ins. */
class DemoTest extends Runs {
    private int demo(String netpipe, String upper) {
        return run("demo", "--netpipe", netpipe, "--out", folder.resolve("out").toString(), "--rounds", "2", "--upper", upper);
    }

    @Test
    void demoComparesAndSaysThatNothingWasSwitched() throws Exception {
        assertEquals(0, demo(STAND_INS.toString(), "1"), err::toString);
        String text = out.toString();
        assertTrue(text.lines().anyMatch(line -> line.matches(" *1 +26.7 +26.7 +1.00 +0.0374 +0.0374 +0.0500")), text);
        assertTrue(text.contains("535 x   goal <= 3 x   not met"), text);
        assertTrue(text.contains("NOT switched in 2 of 2 JFS sweeps"), text);
        assertTrue(text.contains("\n  jfs: fallback stand-in"), text);
        assertTrue(Files.readString(folder.resolve("out/results.json")).contains("\"rounds_switched\": 0"));
        assertEquals(2, Files.readAllLines(folder.resolve("out/results.csv")).size());
        for (String plot : List.of("latency.png", "bandwidth.png")) {
            assertEquals(1000, ImageIO.read(folder.resolve("out").resolve(plot).toFile()).getWidth());
        }
        pageHas(3);
    }

    @Test
    void aFailedChildIsOneErrorWithTheEndOfItsOutput() {
        assertEquals(1, demo(STAND_INS.toString(), "13"));
        String text = err.toString();
        assertTrue(text.startsWith("jfs: the NetPIPE transmitter over JDK ended with exit code 1"), text);
        assertTrue(text.contains("an unlucky number"), text);
        assertFalse(text.contains("jfs.benchmarks"), text);
    }

    @Test
    void aWrongPathIsAUsageError() {
        assertEquals(2, demo("/does/not/exist.jar", "1"));
        assertTrue(err.toString().startsWith("jfs: --netpipe: there is no file /does/not/exist.jar"), err::toString);
    }

    @Test
    void programsRunOverEachSideAndBesideTheirCeiling() throws Exception {
        Path results = folder.resolve("out");
        assertEquals(
                0, runWithJar("programs", "rmi", "--warmup", "0.01", "--seconds", "0.01", "--out", results.toString()), err::toString);
        String text = out.toString();
        assertTrue(text.lines().anyMatch(line -> line.matches(" *RMI +null call( +\\S+){9} % +the (program|connection)")), text);
        assertTrue(text.contains("RMI: The JFS connection was switched in 0 of 1 forks; in the others"), text);
        assertTrue(text.contains("\nRMI: The JFS, agent connection was switched in 1 of 1 forks."), text);
        assertEquals(9, Files.readAllLines(results.resolve("rmi.csv")).size());
        assertEquals(1000, ImageIO.read(results.resolve("rmi.png").toFile()).getWidth());
        pageHas(1);
    }

    @Test
    void theDemoOfChannelsIsAShortRunOfThem() throws Exception {
        Path results = folder.resolve("out");
        assertEquals(
                0, runWithJar("programs", "nio", "--libraries", libraries().toString(), "--turns", "1", "--seconds", "0.05",
                        "--warm-up", "1", "--cold-seconds", "0.1", "--out", results.toString()),
                err::toString);
        String text = out.toString();
        assertTrue(text.contains(" 1 turns a fork; 1 fork: "), text);
        assertEquals(
                List.of("netty", "netty", "netty", "netty", "httpserver", "httpserver"),
                Files.readAllLines(results.resolve("nio.csv")).stream().skip(1).map(line -> line.split(",")[0]).toList());
        assertEquals(1000, ImageIO.read(results.resolve("nio.png").toFile()).getWidth());
        assertEquals(1000, ImageIO.read(results.resolve("nio-cpu.png").toFile()).getWidth());
        pageHas(2);
    }
}
