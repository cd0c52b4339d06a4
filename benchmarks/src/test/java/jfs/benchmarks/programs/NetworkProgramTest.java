package jfs.benchmarks.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import jfs.benchmarks.processes.Players;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs each operation of each network program in two plain JVMs. The programs check every answer themselves. */
class NetworkProgramTest {
    @TempDir
    private Path folder;

    private static Stream<NetworkProgram> all() {
        return Stream.of(NetworkProgram.ALL, NetworkProgram.NIO).flatMap(List::stream);
    }

    private static List<String> java(List<String> program) {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java", "-cp", System.getProperty("java.class.path")));
        command.addAll(program);
        return command;
    }

    /** In the second turn the connections exist already. */
    @ParameterizedTest
    @MethodSource("all")
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void worksOverTheJdksSockets(NetworkProgram program) throws Exception {
        try (Players players = Players.startCold(
                program.toString(), java(program.server(folder.resolve("server"))), port -> java(program.client(port)))) {
            for (int i = 0; i < 2; i++) {
                Players.Turn turn = players.take(0.1, 1);
                assertTrue(turn.figures().get("rounds") >= program.threads(), turn::toString);
                assertTrue(turn.figures().get("nanos") >= 0.1e9, turn::toString);
            }
            List<String> output = players.finish();
            assertEquals(2, output.stream().filter(line -> line.startsWith("result ")).count(), output::toString);
            players.end(); // or the server would still write files while their folder is deleted
        }
    }

    @Test
    void onlyTomcatHasNoJfs() {
        assertEquals(
                List.of("sockets", "rmi", "thrift", "grpc", "jgroups", "ftp", "smtp", "imap", "tomcat"),
                NetworkProgram.names(NetworkProgram.ALL));
        for (NetworkProgram program : NetworkProgram.ALL) {
            assertEquals(program.program().equals("tomcat") ? Side.AGENT_CLIENT : Side.AGENT, program.side(), program::toString);
        }
        assertEquals(Side.Start.PLAIN, Side.AGENT_CLIENT.server());
    }

    @Test
    void onlyTheClientOfAPlainRowRunsWithoutJfs() {
        assertEquals(
                List.of("netty", "jetty", "tomcat", "httpserver", "zookeeper", "kafka", "plain", "file"),
                NetworkProgram.names(NetworkProgram.NIO));
        for (NetworkProgram program : NetworkProgram.NIO) {
            assertEquals(program.program().equals("plain") ? Side.AGENT_SERVER : Side.AGENT, program.side(), program::toString);
        }
        assertEquals(List.of(Side.Start.AGENT, Side.Start.PLAIN), List.of(Side.AGENT_SERVER.server(), Side.AGENT_SERVER.client()));
    }

    private static Stream<NetworkProgram> withCeiling() {
        return all().filter(NetworkProgram::hasCeiling);
    }

    @Test
    void requestsOverChannelsHaveACeiling() {
        assertEquals(List.of("jetty", "tomcat", "httpserver", "zookeeper"), withCeiling().map(NetworkProgram::program).toList());
    }

    @ParameterizedTest
    @MethodSource("withCeiling")
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void worksOverPipesInOneJvm(NetworkProgram program) throws Exception {
        List<String> command = new ArrayList<>(NetworkProgram.PIPES);
        command.addAll(program.inProcess(folder.resolve("server")));
        List<String> java = java(command);
        try (Players players = Players.startInProcess(program.toString(), java)) {
            for (int i = 0; i < 2; i++) {
                assertTrue(players.take(0.1, 1).figures().get("rounds") >= 1);
            }
            players.finish();
            players.end(); // or the server would still write files while their folder is deleted
        }
    }

    @Test
    void noTwoRowsLookAlike() {
        assertEquals(all().count(), all().map(NetworkProgram::toString).distinct().count());
    }
}
