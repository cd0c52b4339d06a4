package jfs.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The measurement of programs that have just started, with stand-ins. */
class FirstTest extends Runs {
    @Test
    void benchKnowsTheFirstSeconds() throws Exception {
        Path results = folder.resolve("out");
        assertEquals(
                0, run("bench", "first", "--forks", "1", "--pairs", "2,1", "--seconds", "0.3", "--out", results.toString()),
                err::toString);
        String text = out.toString();
        assertTrue(text.lines().anyMatch(line -> line.matches("until s +1 pair: JDK +JFS +to JDK +2 pairs: JDK +JFS +to JDK")), text);
        assertEquals(3, text.lines().filter(line -> line.matches(" +0\\.[123]( +\\S+){6}")).count(), text);
        assertTrue(text.lines().anyMatch(line -> line.matches(" *2 +JFS( +\\S+){6}")), text);
        assertTrue(text.contains("2 pairs, 0.3 s: to the JDK's"), text);
        assertFalse(text.contains("first second:"), text);
        assertTrue(text.contains("0 of 3 JFS connections were fast in the end; the others ran over plain TCP"), text);
        for (String plot : List.of("first-1.png", "first-2.png")) {
            assertEquals(1000, ImageIO.read(results.resolve(plot).toFile()).getWidth());
        }
        pageHas(2);
    }

    @Test
    void firstSecondsBesideAProgramThatComputesHaveNoGoalForTheFirstOne() {
        assertEquals(
                0, run("bench", "first", "--forks", "1", "--pairs", "1", "--seconds", "1", "--busy", "1", "--one-core"),
                err::toString);
        assertFalse(out.toString().contains("first second:"), out::toString);
        assertTrue(out.toString().contains("1 pair, 1 s: to the JDK's"), out::toString);
    }

    @ParameterizedTest
    @CsvSource({
        "--forks, 0, --forks: 0 is not 1 or more",
        "--pairs, 0, --pairs: 0 is not 1 or more",
        "--seconds, 0.05, --seconds: 0.05 is not at least 0.1 and at most 60",
        "--seconds, 61, --seconds: 61.0 is not at least 0.1 and at most 60",
        "--bytes, 0, --bytes: 0 is not 1 or more",
        "--busy, -1, --busy: -1 is not 0 or more",
    })
    void firstSecondsRefuseWhatCannotBe(String option, String value, String says) {
        assertEquals(2, run("bench", "first", option, value));
        assertTrue(err.toString().startsWith("jfs: " + says), err::toString);
    }
}
