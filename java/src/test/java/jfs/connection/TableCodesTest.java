package jfs.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The table of connections has ordinal numbers, of which other processes know the names. A change of the order is another layout. */
class TableCodesTest {

    @Test
    void theOrderIsThatOfTheLayout() throws Exception {
        assertEquals("[PLAIN, CANDIDATE, OFFERED, ATTACHED, REFUSED, CLOSING, CLOSED]", Arrays.toString(State.values()));
        assertEquals("[TCP, BOTH, FAST, ENDED, BROKEN]", Arrays.toString(ReaderState.Phase.values()));
        assertEquals("[TCP, TCP_ONLY, FAST, BROKEN, ENDED]", Arrays.toString(WriterState.Phase.values()));
    }
}
