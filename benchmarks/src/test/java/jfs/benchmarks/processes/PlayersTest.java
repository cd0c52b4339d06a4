package jfs.benchmarks.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import jfs.benchmarks.measurements.PingPong;
import org.junit.jupiter.api.Test;

/** Tests with the program that bounces messages over sockets, in two plain JVMs. */
class PlayersTest {
    private static final String HERE = "127.0.0.1";

    private static List<String> java(List<String> program) {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java", "-cp", System.getProperty("java.class.path")));
        command.addAll(program);
        return command;
    }

    private static Players start() throws Exception {
        return Players.start("the program", java(PingPong.serve(HERE)), port -> java(PingPong.play(HERE, port, 100)));
    }

    private static double figure(String name, String result) {
        return Double.parseDouble(result.replaceAll(".* " + name + "=(\\S+).*", "$1"));
    }

    @Test
    void eachTurnHasItsResult() throws Exception {
        try (Players players = start()) {
            double first = players.take(0.01, 5, Players.Trial.LEAST);
            double second = players.take(0.01, 1_000_000, Players.Trial.MEDIAN); // the time is too short for that many trials
            assertTrue(first > 0 && second > 0, first + " and " + second + " seconds");
            List<String> results = players.finish().stream().filter(line -> line.startsWith("result ")).toList();
            assertEquals(2, results.size(), results::toString);
            assertEquals(first, figure("least", results.get(0)) * 1e-9, 0);
            assertTrue(figure("least", results.get(0)) <= figure("median", results.get(0)), results::toString);
        }
    }

    @Test
    void aTurnThatCannotBeTakenIsAFailure() throws Exception {
        try (Players players = start()) {
            players.finish();
            ChildFailure failure = assertThrows(ChildFailure.class, () -> players.take(0.01, 5, Players.Trial.LEAST));
            assertTrue(failure.getMessage().contains("ended without"), failure::getMessage);
        }
    }
}
