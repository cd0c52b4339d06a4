package jfs.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import jfs.programs.harness.How;
import jfs.programs.harness.Log;
import jfs.programs.harness.Program;
import jfs.programs.harness.Programs;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import programs.channels.Asynchronous;
import programs.channels.Blocking;
import programs.channels.Netty;
import programs.channels.Selecting;

/**
 * Programs whose sockets JFS can't reach run as without JFS, and JFS's log tells the user of these sockets. With {@code jfs.nio} they use
 * JFS's provider, and see the same. Then JFS counts their channels with its connections.
 */
class ChannelsIT {

    private enum Example {
        ALL_CLOSED(Blocking.class, 2, "SocketChannels were used, which JFS can't reach, and have none open now"),
        SELECTOR(Selecting.class, 6, "6 open now that JFS can't reach (SocketChannel, Netty and the like)"),
        NETTY(Netty.class, 2, "2 open now that JFS can't reach (SocketChannel, Netty and the like)"),
        ASYNCHRONOUS(Asynchronous.class, 0, "AsynchronousSocketChannel was used, which JFS can't reach");

        private final Class<?> main;
        private final int channels;
        private final String summary;

        /** @param channels how many ends of connections are SocketChannels */
        Example(Class<?> main, int channels, String summary) {
            this.main = main;
            this.channels = channels;
            this.summary = summary;
        }
    }

    @ParameterizedTest
    @EnumSource
    void runsUntouchedAndIsInTheLog(Example example) throws Exception {
        try (Programs programs = new Programs()) {
            String oracle = run(programs, example, How.JDK).transcript();
            for (How how : List.of(How.LAUNCHER, How.AGENT)) {
                Program onTcp = run(programs, example, how);
                assertEquals(oracle, onTcp.transcript());
                assertEquals(List.of("0 connections: 0 fast, 0 over TCP; " + example.summary), onTcp.log());
                Program fast = run(programs, example, how, "-Djfs.nio=on", "-Xverify:all", "-esa",
                        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED"); // so that Netty puts its own key set into the selector
                assertEquals(oracle, fast.transcript());
                Log.assertCounted(fast, example.channels, example.channels > 0 ? "" : "; " + example.summary);
            }
        }
    }

    private static Program run(Programs programs, Example example, How how, String... options) throws Exception {
        Program.Start start = Program.java(how, example.main).using("netty").with("-Dio.netty.noUnsafe=true");
        for (String option : options) {
            start.with(option);
        }
        return programs.start(start).awaitEnd();
    }
}
