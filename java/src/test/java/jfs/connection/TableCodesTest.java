package jfs.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of connections has ordinal numbers, of which other processes know the names. A change of the order is another layout. */
class TableCodesTest {

    @Test
    void theOrderIsThatOfTheLayout() throws Exception {
        assertEquals("[PLAIN, CANDIDATE, OFFERED, ATTACHED, REFUSED, CLOSING, CLOSED]", Arrays.toString(State.values()));
        assertEquals("[TCP, BOTH, FAST, ENDED, BROKEN]", Arrays.toString(ReaderState.Phase.values()));
        Class<?> phases = Class.forName(Writer.class.getName() + "$Phase");
        assertEquals(List.of("TCP", "TCP_ONLY", "FAST", "BROKEN", "ENDED"),
                Arrays.stream(phases.getEnumConstants()).map(Object::toString).toList());
    }
}
