package workloads.preferences;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketOption;
import java.util.ArrayList;
import java.util.List;
import jfs.spi.Preferences;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What reaches a socket of JFS. A stand-in for it keeps the values of its options. */
class StatedTest {
    private static final int USUAL_MICROS = 80;
    private static final int CHEAP_MICROS = 3;

    private static List<Object> reaches(Stated stated) throws IOException {
        List<Object> values = new ArrayList<>();
        try (Socket socket = new Socket() {
            @Override
            public <T> Socket setOption(SocketOption<T> name, T value) {
                values.add(value);
                return this;
            }
        }) {
            stated.of(socket);
        }
        return values;
    }

    @ParameterizedTest
    @CsvSource({"CPU, 3, true, 8192", "LATENCY, 320, false, 8192", "BANDWIDTH, 80, false, 32768"})
    void eachChangesOneThing(Stated stated, int pollMicros, boolean savesCpu, int longMin) throws IOException {
        List<Object> values = reaches(stated);
        assertEquals(1, values.size());
        Preferences preferences = (Preferences) values.get(0);
        assertEquals(pollMicros, preferences.pollMicros(USUAL_MICROS, CHEAP_MICROS));
        assertEquals(savesCpu, preferences.savesCpu());
        assertEquals(longMin, preferences.longMin(8_192));
    }

    @Test
    void nothingIsNotStated() throws IOException {
        assertTrue(reaches(Stated.NOTHING).isEmpty());
    }
}
