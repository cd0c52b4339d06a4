package jfs.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The contents of the table. */
class TableTest {

    @TempDir
    private Path folder;

    private final TreeMap<String, List<TestRun>> results = new TreeMap<>();

    private void ran(String jdk, String... lines) {
        for (String line : lines) {
            String[] words = line.split(" ", -1); // outcome, test, reason
            results.computeIfAbsent(jdk, first -> new ArrayList<>()).add(new TestRun("m", words[1],
                    Outcome.valueOf(words[0].toUpperCase(Locale.ROOT)), words[2].replace('_', ' '), 0));
        }
    }

    private String markdown() throws IOException {
        return new Table(results, Sources.below(List.of(folder)), folder.resolve("docs")).markdown();
    }

    /** The lines of one table. */
    private String tableOf(String type) throws IOException {
        String rest = markdown().split("### " + type + "\n\n")[1];
        return rest.split("\n\n#")[0].strip();
    }

    @Test
    void aRowForEachBehaviourAndAColumnForEachSubject() throws IOException {
        for (String subject : List.of("sci", "other", "jdk")) {
            for (String jdk : List.of("17", "25")) {
                ran(jdk, "passed jfs.conformance.ATest(" + subject + ").theEndStays(Start)[1] ",
                        "passed jfs.conformance.ATest(" + subject + ").theEndStays(Start)[2] ",
                        "passed jfs.conformance.ATest(" + subject + ").overIPv6 ");
            }
        }
        assertEquals("""
                | behaviour | jdk | sci | other |
                | --- | :---: | :---: | :---: |
                | over IPv6 | ✓ | ✓ | ✓ |
                | the end stays | ✓ 2 | ✓ 2 | ✓ 2 |""", tableOf("ATest"));
    }

    @Test
    void wordsAndOrderAreThoseOfTheSource() throws IOException {
        Files.writeString(folder.resolve("ATest.java"), """
                package jfs.conformance;
                /** What {@code close} does\n * to a {@link Reader}. And more. */
                class ATest {
                    void zebra() { }
                    private void helper() { new Object() { void aardvark() { } }; }
                    void aardvark() { }
                }
                """);
        ran("17", "passed jfs.conformance.ATest(jdk).aardvark ", "passed jfs.conformance.ATest(jdk).zebra ",
                "passed jfs.conformance.ATest(jdk).inherited ");
        assertEquals("""
                What `close` does to a `Reader`. ([source](../ATest.java))

                | behaviour | jdk |
                | --- | :---: |
                | zebra | ✓ |
                | aardvark | ✓ |
                | inherited | ✓ |""", tableOf("ATest"));
    }

    @Test
    void whatJdksHaveNotInCommonIsToldOfEach() throws IOException {
        ran("17", "skipped jfs.conformance.ATest(jdk).both(Start)[1] not_*here*",
                "passed jfs.conformance.ATest(jdk).both(Start)[2] ",
                "passed jfs.conformance.ATest(sci).both(Start)[1] ", "passed jfs.conformance.ATest(jdk).old ",
                "skipped jfs.conformance.ATest(jdk).young needs_more");
        ran("25", "failed jfs.conformance.ATest(jdk).both(Start)[1] at_0x7f",
                "passed jfs.conformance.ATest(jdk).both(Start)[2] ",
                "unsteady jfs.conformance.ATest(sci).both(Start)[1] at_first", "passed jfs.conformance.ATest(jdk).young ");
        assertEquals("""
                | behaviour | jdk | sci |
                | --- | :---: | :---: |
                | both | 17: ✓ 1, – 1 <sup>1</sup>; 25: ✗ 1, ✓ 1 | 17: ✓; 25: ↻ |
                | old | 17: ✓; 25: not run |  |
                | young | 17: – <sup>2</sup>; 25: ✓ |  |

                <sup>1</sup> not \\*here\\*<br>
                <sup>2</sup> needs more""", tableOf("ATest"));
    }

    @Test
    void whatHasNoSubjectHasAColumnForEachJdk() throws IOException {
        ran("17", "passed jfs.programs.RmiIT.aClientAlone(How)[1] ", "passed jfs.programs.RmiIT.aClientAlone(How)[2] ");
        ran("25", "failed jfs.programs.RmiIT. whoever_knows");
        assertEquals("""
                | behaviour | JDK 17 | JDK 25 |
                | --- | :---: | :---: |
                | *the class as a whole* | not run | ✗ |
                | a client alone | ✓ 2 | not run |""", tableOf("RmiIT"));
    }

    /** {@code ./jfs test} leaves subjects out on its second JDK. */
    @Test
    void aSubjectThatRanOnOneJdk() throws IOException {
        ran("17", "passed jfs.conformance.ATest(jdk).x ", "passed jfs.conformance.ATest(file).x ");
        ran("25", "passed jfs.conformance.ATest(jdk).x ");
        assertEquals("""
                |  | behaviours | JDK 17 | JDK 25 |
                | --- | ---: | --- | --- |
                | Sockets, jdk | 1 | 1 passed | 1 passed |
                | Sockets, file | 1 | 1 passed | not run |""", markdown().split("\n\n")[0]);
        assertEquals("""
                | behaviour | jdk | file |
                | --- | :---: | :---: |
                | x | ✓ | 17: ✓; 25: not run |""", tableOf("ATest"));
    }

    @Test
    void totals() throws IOException {
        ran("17", "passed jfs.conformance.ATest(jdk).x(int)[1] ", "passed jfs.conformance.ATest(jdk).x(int)[2] ",
                "skipped jfs.conformance.ATest(jdk).y ", "failed jfs.conformance.ATest(tcp).x(int)[1] ",
                "unsteady jfs.conformance.processes.BTest.z at_first", "passed jfs.ring.RingTest.isNotShown ",
                "passed mx-probe ");
        assertEquals("""
                |  | behaviours | JDK 17 |
                | --- | ---: | --- |
                | Sockets, jdk | 2 | 2 passed, 1 skipped |
                | Sockets, tcp | 1 | 0 passed, 1 failed |
                | Processes | 1 | 1 passed (1 unsteady) |
                """.strip(), markdown().split("\n\n")[0]);
        assertFalse(markdown().contains("Ring"));
    }

    /** Reports come in any order, and one test may have more runs than another. */
    @Test
    void theOrderOfTheResultsDoesNotShow() throws IOException {
        for (String jdk : List.of("17", "25")) {
            for (int i = 0; i < 30; i++) {
                ran(jdk, "skipped jfs.conformance.T%d(s%d).m%d(int)[%d] r%d".formatted(i % 3, i % 2, i / 15, i, i % 7));
            }
        }
        String first = markdown();
        results.values().forEach(ofJdk -> Collections.shuffle(ofJdk, new Random(1)));
        assertEquals(first, markdown());
    }

    @ParameterizedTest
    @CsvSource({"aBlockedReaderSeesTheEnd, a blocked reader sees the end", "lingerZeroIsAReset, linger zero is a reset",
        "waitsForAWhile, waits for a while", "overIPv6AndBack, over IPv6 and back", "theJdksOwn, the JDK's own",
        "rules_2, rules_2"})
    void namesInWords(String name, String words) {
        assertEquals(words, Words.of(name));
    }
}
