package jfs.benchmarks.measurements;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NetPipeTest {
    @Test
    void readsTheFormatOfNPtcp() {
        SortedMap<Integer, Double> seconds = NetPipe.parse(List.of(
                "       1 0.285234   0.00002675",
                "   65536 16384.000000   0.00003052"));
        assertEquals(List.of(1, 65_536), List.copyOf(seconds.keySet()));
        assertEquals(26.748e-6, seconds.get(1), 1e-8);
        assertEquals(1.0 / 32_768, seconds.get(65_536), 1e-12);
    }

    @Test
    void takesTheTimeFromTheBandwidthWhichHasMoreDigits() {
        // 52 ns: the third column can only say 50.
        assertEquals(52e-9, NetPipe.parse(List.of("       1 146.719126   0.00000005")).get(1), 1e-13);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1 2.0", "one 0.285234 0.00002675", "1 0.285234 0.00012675", "1 0.0 0.00002675", "1 NaN 0.1", ""})
    void refusesWhatIsNotAnNpOut(String line) {
        assertThrows(IllegalArgumentException.class, () -> NetPipe.parse(List.of(line)));
    }

    @Test
    void refusesAnEmptyFile() {
        assertThrows(IllegalArgumentException.class, () -> NetPipe.parse(List.of()));
    }
}
