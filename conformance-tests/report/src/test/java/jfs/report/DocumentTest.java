package jfs.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Only the generated part is replaced, and the differences between two versions are counted. */
class DocumentTest {

    private static final String TEXT = "# Title\n" + Document.BEGIN + "\nold\n" + Document.END + "\nby hand\n";

    private static final String WRITES = "; ./jfs test --docs writes it";

    private static final String TABLE = """
            |  | behaviours | JDK 17 |
            | --- | ---: | --- |
            | Sockets, jdk | 2 | 2 passed |

            ### ATest

            | behaviour | jdk |
            | --- | :---: |
            | stays | ✓ |
            | goes | ✓ |

            ### BTest

            | behaviour | jdk |
            | --- | :---: |
            | stays | ✓ |
            """;

    @Test
    void onlyTheGeneratedPartIsWritten() {
        assertEquals(TEXT.replace("old", "new"), Document.of(TEXT).with("new\n").text());
        assertEquals(TEXT, Document.of(TEXT).text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", Document.BEGIN + "\n", Document.END + "\n" + Document.BEGIN + "\n",
        TEXT + Document.BEGIN + "\n", TEXT + Document.END + "\n"})
    void theTwoLinesMustBeThere(String text) {
        assertThrows(IllegalArgumentException.class, () -> Document.of(text));
    }

    private static String compared(String before, String now) {
        Document document = Document.of(TEXT);
        return document.with(before).comparedWith(document.with(now));
    }

    @Test
    void differencesAreCounted() {
        assertEquals("has what this run gave", compared(TABLE, TABLE));
        assertEquals("differs from what this run gave: behaviours added 1, removed 1, with other results 0" + WRITES,
                compared(TABLE, TABLE.replace("| goes |", "| comes |")));
        assertEquals("differs from what this run gave: behaviours added 0, removed 0, with other results 2" + WRITES,
                compared(TABLE, TABLE.replace("| stays | ✓ |", "| stays | ✗ |")));
        assertEquals("differs from what this run gave: behaviours added 1, removed 0, with other results 0" + WRITES,
                compared(TABLE, TABLE + "| goes | ✓ |\n"));
    }

    @Test
    void otherJdksAreNotCompared() {
        assertEquals("is not of the JDKs of this run, so they are not compared",
                compared(TABLE.replace("JDK 17 |", "JDK 17 | JDK 25 |"), TABLE));
    }
}
