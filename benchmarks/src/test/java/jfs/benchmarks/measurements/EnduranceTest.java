package jfs.benchmarks.measurements;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jfs.benchmarks.processes.Players;
import jfs.benchmarks.programs.Side;
import org.junit.jupiter.api.Test;

class EnduranceTest {
    private final Endurance endurance = new Endurance();

    private static Players.Turn holding(String what, double more) {
        Map<String, Double> all = new HashMap<>();
        for (String key : List.of("heap", "jfs", "resident", "descriptors", "threads", "mappings")) {
            all.put(key, 100.0);
            all.put("server-" + key, 100.0);
        }
        all.merge(what, more, Double::sum);
        return new Players.Turn(all, 0, 0);
    }

    @Test
    void whatHasGrownIsNamed() throws Exception {
        endurance.add(Side.JDK, holding("heap", 0), 600, 60, holding("heap", 1000));
        endurance.add(Side.JFS, holding("heap", 0), 500, 60, holding("server-jfs", 41));
        assertEquals(List.of("JDK: after 600 connections nothing has grown.", "JFS: after 500 connections more: server's JFS objects."),
                endurance.verdict().lines().toList());
    }

    @Test
    void eachEndHasARow() throws Exception {
        endurance.add(Side.JFS, holding("heap", 0), 600, 60, holding("server-descriptors", 3));
        String text = endurance.table().toString();
        assertTrue(text.lines().anyMatch(line -> line.matches("JFS +10 +client +0 to 0 +100 to 100 .*")), text);
        assertTrue(text.lines().anyMatch(line -> line.matches("JFS +10 +server .* 100 to 103 +100 to 100 +100 to 100")), text);
    }
}
