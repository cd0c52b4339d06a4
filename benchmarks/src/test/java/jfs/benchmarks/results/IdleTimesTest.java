package jfs.benchmarks.results;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import jfs.benchmarks.output.Table;
import jfs.benchmarks.processes.Players;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.statistics.Goal;
import org.junit.jupiter.api.Test;

class IdleTimesTest {
    private static final int CONNECTIONS = 1000;

    private final IdleTimes times = new IdleTimes(CONNECTIONS);

    /** The turn of each pair: JDK without and with idle connections, JFS without and with them. */
    private static Map<IdleTimes.Pair, List<Players.Turn>> turns(Function<Double, Players.Turn> turn, double... values) {
        Map<IdleTimes.Pair, List<Players.Turn>> all = new HashMap<>();
        for (int i = 0; i < values.length; i++) {
            all.put(IdleTimes.Pair.all().get(i), List.of(turn.apply(values[i])));
        }
        return all;
    }

    /** A round trip of these microseconds, and as much processor time. */
    private static Players.Turn talked(double micros) {
        return new Players.Turn(Map.of("rounds", 100.0, "nanos", micros * 1e5), micros * 1e-4, 0);
    }

    /** Ten seconds in which the server uses that much processor time. */
    private static Players.Turn waited(double seconds) {
        return new Players.Turn(Map.of("nanos", 10e9), 0, seconds);
    }

    /** The server holds that much more than the client. */
    private static Players.Turn held(double bytes) {
        Map<String, Double> figures = new HashMap<>();
        for (String key : List.of("heap", "resident", "shared", "descriptors", "mappings")) {
            figures.put(key, 5000.0);
            figures.put("server-" + key, 5000 + bytes);
        }
        return new Players.Turn(figures, 0, 0);
    }

    private void add(double[] micros, double[] seconds) throws Exception {
        times.talked(turns(IdleTimesTest::talked, micros));
        times.waited(turns(IdleTimesTest::waited, seconds));
        times.held(turns(IdleTimesTest::held, 0, 1000, 0, 8000));
    }

    private static String cells(Table table, int row) {
        return table.toString().lines().skip(row).findFirst().orElseThrow().strip().replaceAll(" +", " ");
    }

    @Test
    void jfsIsComparedWithTheJdkAndWithItselfWithoutIdleConnections() throws Exception {
        add(new double[] {20, 40, 10, 11}, new double[] {0.01, 0.02, 0.02, 0.03});
        assertEquals("0 20.0 10.0 2.00 2.00..2.00 20.0 10.0 0.500 0.500..0.500", cells(times.conversations(), 1));
        assertEquals("1000 40.0 11.0 3.64 3.64..3.64 40.0 11.0 0.275 0.275..0.275", cells(times.conversations(), 2));
        assertEquals("JDK 2.00 2.00..2.00 2.00 2.00..2.00 0.00 0.00 0.200 0.100", cells(times.costs(), 1));
        assertEquals("JFS, agent, nio 1.10 1.10..1.10 1.10 1.10..1.10 0.00 0.00 0.300 0.200", cells(times.costs(), 2));
    }

    @Test
    void memoryIsThatOfAnIdleConnection() throws Exception {
        add(new double[] {20, 40, 10, 11}, new double[] {0, 0, 0, 0});
        assertEquals("JDK client 0 0 0 0.00 0.00", cells(times.memory(), 1));
        assertEquals("JDK server 1 1 1 1.00 1.00", cells(times.memory(), 2));
        assertEquals("JFS, agent, nio server 8 8 8 8.00 8.00", cells(times.memory(), 4));
    }

    @Test
    void goalsAreAboutWhatIdleConnectionsAdd() throws Exception {
        add(new double[] {20, 40, 10, 10}, new double[] {0, 0, 0.5, 0.51});
        assertEquals(List.of(true, true, true), times.goals().stream().map(Goal::met).toList());
        IdleTimes slower = new IdleTimes(CONNECTIONS);
        slower.talked(turns(IdleTimesTest::talked, 20, 20, 10, 12));
        slower.waited(turns(IdleTimesTest::waited, 0, 0.5, 0.5, 0.53));
        assertEquals(List.of(false, false, false), slower.goals().stream().map(Goal::met).toList());
    }

    @Test
    void theFileHasALineForEachPairAndThePlotItsRoundTrips() throws Exception {
        add(new double[] {20, 40, 10, 11}, new double[] {0.01, 0.02, 0.02, 0.03});
        List<String> lines = times.csv().lines().toList();
        assertEquals(5, lines.size(), lines::toString);
        assertTrue(
                lines.get(0).startsWith("side,idle,us,cpu_us,client_idle_percent,server_idle_percent,descriptors,heap,"), lines::toString);
        assertTrue(lines.get(4).startsWith("\"JFS, agent, nio\",1000,11.000,11.000,0.000,0.300,5000,5000,"), lines::toString);
        assertEquals(List.of(10.0, 11.0), times.plot().medians("JFS").stream().map(micros -> Math.rint(micros * 1e6) / 1e6).toList());
    }

    @Test
    void whatJfsSaysOfConnectionsIsKeptForEachPair() {
        times.summary(new IdleTimes.Pair(Side.AGENT_NIO, true), "1001 connections: 1001 fast, 0 over TCP");
        assertEquals("JFS, agent, nio, with idle connections: 1001 connections: 1001 fast, 0 over TCP", times.switching());
    }
}
