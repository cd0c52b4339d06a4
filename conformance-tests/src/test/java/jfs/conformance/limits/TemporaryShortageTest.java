package jfs.conformance.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Commands;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One of two processes runs out of something in the middle of its life. The connection that is fast by then stays fast. The
 * next one stays on TCP and says why. When there is enough again the one after it is fast.
 */
class TemporaryShortageTest extends Shortages {

    private static final int DESCRIPTORS = 250;
    private static final String MORE_THAN_HALF = "more than " + DESCRIPTORS / 2 + " descriptors are in use, half of RLIMIT_NOFILE";

    /** What runs out, as the process that lacks it sees that, and what the process reports then. */
    private enum What {

        /** One descriptor is left, for the connection itself. */
        DESCRIPTORS_ALL("connecting to a name: Too many open files", "sock_diag: Too many open files") {
            @Override
            String[] under() {
                return new String[] {"prlimit", "--nofile=" + DESCRIPTORS + ":" + DESCRIPTORS};
            }

            @Override
            void begin(Child child) {
                child.begin("openAllBut 1").isDone();
            }

            @Override
            void end(Child child) {
                child.begin("closeOpened").isDone();
            }
        },

        /**
         * There are two more. The client needs them for its visit and for a bell, and the bell's number shows how many are in use. The
         * server has as many as it needs to ask which process visits.
         */
        DESCRIPTORS_NEARLY_ALL(MORE_THAN_HALF, MORE_THAN_HALF) {
            @Override
            String[] under() {
                return DESCRIPTORS_ALL.under();
            }

            @Override
            void begin(Child child) {
                child.begin("openAllBut 3").isDone();
            }

            @Override
            void end(Child child) {
                child.begin("closeOpened").isDone();
            }
        },

        /** The number of descriptors that a user's epolls may watch; here descriptors with a high number are refused. */
        WATCHES("SCISetSegmentAvailable: epoll_ctl: No space left on device", "SCIConnectSegment: epoll_ctl: No space left on device") {
            @Override
            String[] under() {
                return refusing("epoll_ctl:2>=150=ENOSPC");
            }

            @Override
            void begin(Child child) {
                child.begin("open 150").isDone();
            }

            @Override
            void end(Child child) {
                child.begin("closeOpened").isDone();
            }
        },

        /** Too little address space for one more region, which is 40 MB here. */
        ADDRESS_SPACE("SCIMapLocalSegment: mmap: Cannot allocate memory",
                "SCIMapRemoteSegment: mmap: Cannot allocate memory") {
            @Override
            void begin(Child child) throws Exception {
                long pages = Long.parseLong(Files.readString(Path.of("/proc/" + child.pid() + "/statm")).split(" ")[0]);
                limit(child, "--as=" + (pages * 4096 + (25 << 20)) + ":");
            }

            @Override
            void end(Child child) throws Exception {
                limit(child, "--as=unlimited:");
            }
        },

        /** Files must be shorter than a region. The server makes no file. */
        FILE_SIZE("SCICreateSegment: ftruncate: File too large", null) {
            @Override
            void begin(Child child) throws Exception {
                limit(child, "--fsize=1000000:");
            }

            @Override
            void end(Child child) throws Exception {
                limit(child, "--fsize=unlimited:");
            }
        };

        private final String client;
        private final String server;

        /** What each end reports when it is the one that lacks it; null if it reports nothing because it needs none. */
        What(String client, String server) {
            this.client = client;
            this.server = server;
        }

        String[] under() {
            return new String[] {"prlimit"};
        }

        abstract void begin(Child child) throws Exception;

        abstract void end(Child child) throws Exception;

        private static void limit(Child child, String limit) throws Exception {
            Commands.run("prlimit", "--pid", "" + child.pid(), limit);
        }
    }

    @ParameterizedTest
    @CsvSource({"DESCRIPTORS_ALL,CLIENT", "DESCRIPTORS_ALL,SERVER", "DESCRIPTORS_NEARLY_ALL,SERVER", "WATCHES,SERVER",
            "ADDRESS_SPACE,CLIENT", "ADDRESS_SPACE,SERVER"})
    void connectionsGoOnInAShortageAndAreFastAfterIt(What what, End end) throws Exception {
        runOutAndRecover(what, end);
    }

    @ParameterizedTest
    @CsvSource({"DESCRIPTORS_NEARLY_ALL,CLIENT", "WATCHES,CLIENT", "FILE_SIZE,CLIENT", "FILE_SIZE,SERVER"})
    @EnabledIfSystemProperty(named = "test.all", matches = "true",
            disabledReason = "only ./jfs test --all runs these cases, which repeat others at the other end")
    void connectionsGoOnInFurtherShortages(What what, End end) throws Exception {
        runOutAndRecover(what, end);
    }

    private void runOutAndRecover(What what, End end) throws Exception {
        String[] under = what.under();
        Commands.assume("such a shortage", Stream.concat(Stream.of(under), Stream.of("true")).toArray(String[]::new));
        Child.Start limited = under.length == 1 ? logging() : logging().under(under);
        Child server = start((end == End.SERVER ? limited : logging()).with("-Djfs.buffer.size=16777216"));
        Child client = start((end == End.CLIENT ? limited : logging()).with("-Djfs.buffer.size=16777216"));
        Child shortOne = end == End.CLIENT ? client : server;
        long port = server.ask("listen 127.0.0.1 0");
        connect(client, server, port);
        converse(client, server);
        isFast(client, server); // everything that needs a descriptor only once has it by now
        what.begin(shortOne);
        isFast(client, server);
        keep(client, server);

        connect(client, server, port);
        String says = end == End.CLIENT ? what.client : what.server;
        if (says == null) {
            converse(client, server);
        } else {
            mustStayOnTcp(client, end == End.CLIENT ? says : PEER, server, end == End.CLIENT ? null : says);
        }
        what.end(shortOne);

        connect(client, server, port);
        converse(client, server);
        isFast(client, server);
        client.begin("close").isDone();
        server.begin("close").isDone();
        for (Child each : List.of(client, server)) {
            each.begin("takeKept").isDone();
        }
        isFast(client, server);
        for (Child each : List.of(client, server)) {
            each.begin("close").isDone();
        }
        nothingIsLeft(client, server, port);
    }

    private static void keep(Child client, Child server) {
        client.begin("keep").isDone();
        server.begin("keep").isDone();
    }

    /** @param servers null if the server's only reason is that there was no offer */
    private static void mustStayOnTcp(Child client, String clients, Child server, String servers) throws Exception {
        long switched = client.ask("switched") + server.ask("switched");
        Child.Order follow = server.begin("follow");
        client.ask("lead 5");
        follow.isDone();
        says(client, "NO_RESOURCES", clients);
        talkAboutEverything(client, server);
        assertEquals("{NO_RESOURCES=1}", client.fallbacks());
        assertEquals(servers == null ? "{NO_OFFER=1}" : "{NO_RESOURCES=1}", server.fallbacks());
        if (servers != null) {
            says(server, "NO_RESOURCES", servers);
        }
        assertEquals(switched, client.ask("switched") + server.ask("switched"));
    }
}
