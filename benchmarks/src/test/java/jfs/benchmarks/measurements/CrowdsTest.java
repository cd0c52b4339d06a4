package jfs.benchmarks.measurements;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import jfs.benchmarks.processes.Players;
import org.junit.jupiter.api.Test;

class CrowdsTest {
    @Test
    void turnsOfSeveralAtOnceCountTogether() throws Exception {
        Players.Turn one = new Players.Turn(Map.of("rounds", 100.0, "nanos", 1e9, "p99", 5.0), 1, 0);
        Players.Turn other = new Players.Turn(Map.of("rounds", 300.0, "nanos", 1e9, "p99", 7.0), 0.25, 0.25);
        Players.Turn last = new Players.Turn(Map.of("rounds", 400.0, "nanos", 1e9, "p99", 90.0), 0, 0.5);
        Players.Turn all = Crowds.together(List.of(one, other, last));
        assertEquals(1.0 / 800, all.round(), 1e-12);
        assertEquals(2.0 / 800, all.processor(), 1e-12);
        assertEquals(7e-9, all.seconds("p99"), 1e-15);
    }
}
