package jfs.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import jfs.benchmarks.report.Pages;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command line of the whole driver. */
class MainTest extends Runs {
    /** Else the command would fail at the end, with nothing to take the median of. */
    @ParameterizedTest
    @CsvSource({
        "bench pingpong --forks 0, --forks: 0 is not 1 or more",
        "bench connect --forks 0 --jfs . --floor . pingpong, --forks: 0 is not 1 or more",
        "bench pingpong --sizes 1;0, --sizes: 0 is not 1 or more",
        "bench plainpeer --turns 0, --turns: 0 is not 1 or more",
        "bench asleep --forks -1, --forks: -1 is not 1 or more",
        "bench typed --sizes 12, --sizes: 12 is not a multiple of 8",
        "bench preferences --turns 0, --turns: 0 is not 1 or more",
        "bench mx --turns 0, --turns: 0 is not 1 or more",
        "bench light --connections 0, --connections: 0 is not 1 or more",
        "bench scilib --sizes 0, --sizes: 0 is not 1 or more",
        "programs jdbc --databases . --out . --time-limit 0, --time-limit: 0 is not 1 or more",
        "demo --netpipe . --out . --rounds 0, --rounds: 0 is not 1 or more",
    })
    void noCommandTakesACountOfNothing(String command, String says) {
        assertEquals(2, run(command.replace(';', ',').split(" ")));
        assertTrue(err.toString().startsWith("jfs: " + says), err::toString);
    }

    /** The script gives the folders and jars of JFS. */
    @ParameterizedTest
    @CsvSource({
        "demo, ./jfs demo, --rounds", "programs rmi, ./jfs demo rmi, --time-limit", "programs nio, ./jfs demo nio, --rows",
        "bench pingpong, ./jfs bench pingpong, --sizes", "bench nio, ./jfs bench nio, --out",
    })
    void theHelpIsThatOfTheScript(String command, String named, String option) {
        System.setProperty(Pages.COMMAND, named + " --help");
        try {
            assertEquals(0, run((command + " --help").split(" ")), err::toString);
        } finally {
            System.clearProperty(Pages.COMMAND);
        }
        String text = out.toString();
        assertTrue(text.startsWith("Usage: " + named + " ") && text.contains(option + "="), text);
        for (String given : List.of("--jfs", "--floor", "--netpipe", "--libraries", named.contains("demo") ? "--out" : "--databases")) {
            assertFalse(text.contains(given), text);
        }
        assertTrue(text.contains("--java=HOME"), text);
    }

    /** The name of a bench is a subcommand's name too. */
    @Test
    void aBenchIsAnOptionsValue() {
        assertEquals(2, run("bench", "compare", "HEAD", "--benches", "pingpong", "--forks", "0"));
        assertTrue(err.toString().contains("--forks"), err.toString());
        assertFalse(err.toString().contains("--benches' but found"), err.toString());
    }
}
