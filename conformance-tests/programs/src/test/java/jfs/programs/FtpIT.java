package jfs.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import jfs.programs.harness.How;
import jfs.programs.harness.Log;
import jfs.programs.harness.Log.Connection;
import jfs.programs.harness.Program;
import jfs.programs.harness.Programs;
import jfs.programs.harness.ReservedPort;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import programs.ftp.Client;
import programs.ftp.Server;

/** FTP: each file has its own connection, which the client makes in passive mode and the server in active mode. */
class FtpIT {

    private static final String[] LIBRARIES = {"MockFtpServer", "ftpserver-core", "ftplet-api", "mina-core",
        "commons-net", "commons-io", "slf4j"};
    /**
     * Reasons of connections that end early: one end and its listener can be closed while the other end still reads.
     */
    private static final Set<String> ENDED =
            Set.of("NOT_ASKED", "NO_OFFER", "NO_PEER", "NOT_MINE", "NO_ANSWER", "HUNG_UP", "STALE", "FAILED");

    private static String oracle;

    @BeforeAll
    static void onTheJdk() throws Exception {
        oracle = new Session(How.JDK, How.JDK).run();
        assertTrue(oracle.endsWith("\nclosed"), oracle);
    }

    @ParameterizedTest
    @CsvSource({"LAUNCHER, LAUNCHER", "AGENT, AGENT", "LAUNCHER, JDK", "JDK, AGENT"})
    void carriesTheSameFiles(How client, How server) throws Exception {
        assertEquals(oracle, new Session(client, server).run());
    }

    /** One run. All ports are known before it, except those of the first server's data connections in passive mode. */
    private static final class Session {
        private final How clientHow;
        private final How serverHow;

        private Program client;
        private Program server;
        private int firstControl;
        private int secondControl;
        private int secondPassive;
        private int firstActive;
        private int secondActive;

        Session(How client, How server) {
            clientHow = client;
            serverHow = server;
        }

        String run() throws Exception {
            try (Programs programs = new Programs(); ReservedPort passive = new ReservedPort();
                    ReservedPort active1 = new ReservedPort(); ReservedPort active2 = new ReservedPort()) {
                secondPassive = passive.number();
                firstActive = active1.number();
                secondActive = active2.number();
                server = programs.start(Program.java(serverHow, Server.class, "" + secondPassive).using(LIBRARIES));
                String[] ports = server.awaitWord("port").split(" ");
                firstControl = Integer.parseInt(ports[0]);
                secondControl = Integer.parseInt(ports[1]);
                client = programs.start(Program.java(clientHow, Client.class, ports[0], "" + firstActive, ports[1],
                        "" + secondActive).using(LIBRARIES));
                converse();
                client.awaitEnd();
                server.end();
                if (clientHow.hasJfs() && serverHow.hasJfs()) {
                    someAreFast();
                } else if (clientHow.hasJfs()) {
                    Log.assertOverTcp(client, "NO_PEER", "NO_OFFER");
                } else if (serverHow.hasJfs()) {
                    Log.assertOverTcp(server, "NO_PEER", "NO_OFFER");
                }
                return client.transcript();
            }
        }

        /** If both processes have JFS, each kind of transfer is repeated until one was fast. */
        private void converse() throws Exception {
            // The first server writes a file in one piece. So the kernel has all bytes before the direction could
            // switch.
            next("first server, passive, retrieve", () -> Log.attached(client).stream().filter(this::firstPassive)
                    .map(Connection::reversed).anyMatch(Log.attached(server)::contains));
            next("first server, passive, store", () -> sends(client, server, this::firstPassive));
            next("first server, active, retrieve", () -> true);
            next("first server, active, store", () -> sends(client, server, at -> at.localPort() == firstActive));
            next("second server, passive, retrieve",
                    () -> sends(server, client, at -> at.localPort() == secondPassive));
            next("second server, passive, store",
                    () -> sends(client, server, at -> at.remotePort() == secondPassive));
            next("second server, active, retrieve",
                    () -> sends(server, client, at -> at.remotePort() == secondActive));
            next("second server, active, store",
                    () -> sends(client, server, at -> at.localPort() == secondActive));
        }

        private void next(String transfers, Supplier<Boolean> fast) throws InterruptedException {
            client.awaitLine(transfers);
            if (clientHow.hasJfs() && serverHow.hasJfs()) {
                client.await(transfers + ", fast, at " + server, fast);
            }
            client.tell();
        }

        private static boolean sends(Program sender, Program receiver, Predicate<Connection> which) {
            return Log.oneWay(sender, receiver).stream().anyMatch(which);
        }

        /**
         * Whether this is a data connection of the first server in passive mode. The connection is given as the client
         * sees it.
         */
        private boolean firstPassive(Connection connection) {
            return !List.of(firstControl, secondControl, secondPassive).contains(connection.remotePort())
                    && !List.of(firstActive, secondActive).contains(connection.localPort());
        }

        private void someAreFast() {
            Set<Integer> fast = Log.fast(client, server).stream().map(Connection::remotePort)
                    .collect(Collectors.toSet());
            assertTrue(fast.contains(firstControl) && !fast.contains(secondControl), client + "\n" + server);
            assertTrue(Log.fallbacks(client, secondControl).contains("NO_PEER"), client.toString());
            assertEquals(Set.of(), Log.oneWay(server, client).stream().map(Connection::reversed)
                    .filter(this::firstPassive).collect(Collectors.toSet()), "written in one piece");
            for (Program program : List.of(client, server)) {
                Set<String> others = Log.reasons(program);
                others.removeAll(ENDED);
                assertEquals(Set.of(), others);
            }
            String summary = server.log().get(server.log().size() - 1);
            assertTrue(summary.endsWith("; SocketChannels were used, which JFS can't reach, and have none open now"),
                    summary);
        }
    }
}
