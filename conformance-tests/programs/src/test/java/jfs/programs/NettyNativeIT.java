package jfs.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import jfs.programs.harness.How;
import jfs.programs.harness.Log;
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

    private static final String SWITCH = "io.netty.transport.noNative=true";
    /** The ends of the program's connection. */
    private static final int CHANNELS = 2;

    @ParameterizedTest
    @EnumSource(names = {"LAUNCHER", "AGENT"})
    void theLogNamesTheSwitchOfNettysOwnTransport(How how) throws Exception {
        try (Programs programs = new Programs()) {
            String bytes = run(programs, How.JDK, Netty.class).transcript();
            assertOutOfReach(bytes, "SocketChannel, Netty", run(programs, how, NettyNative.class));
            assertOutOfReach(bytes, "AsynchronousSocketChannel, native libraries", run(programs, how, NettyNative.class, "-Djfs.nio=on"));
            assertCounted(bytes, run(programs, how, NettyNative.class, "-Djfs.nio=on", "-D" + SWITCH));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LAUNCHER", "AGENT"})
    void aSettingKeepsNettyFromIt(How how) throws Exception {
        try (Programs programs = new Programs()) {
            String bytes = run(programs, How.JDK, Netty.class).transcript();
            String set = "Netty is to use SocketChannel (jfs.netty=nio): " + SWITCH + ", io.grpc.netty.shaded." + SWITCH
                    + ", reactor.netty.native=false";
            Program program = run(programs, how, NettyNative.class, "-Djfs.nio=on", "-Djfs.netty=nio");
            assertEquals(set, program.log().get(0), program::toString);
            assertCounted(bytes, program);
        }
    }

    /** @param kinds what the log says of the kinds of connections that JFS can't reach */
    private static void assertOutOfReach(String bytes, String kinds, Program program) {
        assertEquals("epoll\n" + bytes, program.transcript());
        assertEquals(List.of("0 connections: 0 fast, 0 over TCP; " + CHANNELS + " open now that JFS can't reach (" + kinds
                + " and the like); Netty has loaded its native transport epoll: JFS can't reach connections that use it, and with -D"
                + SWITCH + " Netty uses SocketChannel"), program.log());
    }

    /** The program's channels are JFS's. */
    private static void assertCounted(String bytes, Program program) {
        assertEquals("nio\n" + bytes, program.transcript());
        Log.assertCounted(program, CHANNELS, "");
    }

    private static Program run(Programs programs, How how, Class<?> main, String... options) throws Exception {
        Program.Start start = Program.java(how, main).using("netty").with("-Dio.netty.noUnsafe=true");
        for (String option : options) {
            start.with(option);
        }
        return programs.start(start).awaitEnd();
    }
}
