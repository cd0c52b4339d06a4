package jfs.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import jfs.programs.harness.How;
import jfs.programs.harness.Program;
import jfs.programs.harness.Programs;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import programs.channels.Netty;
import programs.channels.NettyNative;

/**
 * A program that takes Netty's own transport if it is available. JFS can't reach that transport, and its log says how the program does
 * without it. With {@code jfs.netty=nio} JFS sets Netty's property itself.
 */
class NettyNativeIT {

    private static final String OPEN = "2 open now that JFS can't reach (SocketChannel, Netty and the like)";
    /** The summary of a program whose two channels are JFS's: their connection stays on TCP. */
    private static final String WITH_JFS_CHANNELS = summary(OPEN);
    private static final String SWITCH = "io.netty.transport.noNative=true";

    @ParameterizedTest
    @EnumSource(names = {"LAUNCHER", "AGENT"})
    void theLogNamesTheSwitchOfNettysOwnTransport(How how) throws Exception {
        try (Programs programs = new Programs()) {
            String bytes = run(programs, How.JDK, Netty.class).transcript();
            List<String> log = List.of(summary(OPEN + "; Netty has loaded its native transport epoll, which JFS can't reach: -D" + SWITCH
                    + " has it use SocketChannel"));
            assertRan("epoll\n" + bytes, log, run(programs, how, NettyNative.class));
            assertRan("epoll\n" + bytes, log, run(programs, how, NettyNative.class, "-Djfs.nio=on"));
            assertRan("nio\n" + bytes, List.of(WITH_JFS_CHANNELS), run(programs, how, NettyNative.class, "-Djfs.nio=on", "-D" + SWITCH));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LAUNCHER", "AGENT"})
    void aSettingKeepsNettyFromIt(How how) throws Exception {
        try (Programs programs = new Programs()) {
            String bytes = run(programs, How.JDK, Netty.class).transcript();
            String set = "Netty is to use SocketChannel (jfs.netty=nio): " + SWITCH + ", io.grpc.netty.shaded." + SWITCH
                    + ", reactor.netty.native=false";
            assertRan("nio\n" + bytes, List.of(set, WITH_JFS_CHANNELS),
                    run(programs, how, NettyNative.class, "-Djfs.nio=on", "-Djfs.netty=nio"));
        }
    }

    private static String summary(String others) {
        return "0 connections: 0 fast, 0 over TCP; " + others;
    }

    private static void assertRan(String transcript, List<String> log, Program program) {
        assertEquals(transcript, program.transcript());
        assertEquals(log, program.log());
    }

    private static Program run(Programs programs, How how, Class<?> main, String... options) throws Exception {
        Program.Start start = Program.java(how, main).using("netty").with("-Dio.netty.noUnsafe=true");
        for (String option : options) {
            start.with(option);
        }
        return programs.start(start).awaitEnd();
    }
}
