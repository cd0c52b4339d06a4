package jfs.launcher;

import static jfs.launcher.Programs.JAR;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import jfs.launcher.Programs.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With {@code jfs.netty=nio} Netty's properties are set before the program starts, if JFS's provider of channels is installed. */
class NettyPropertiesIT {

    private static final String PLAIN = "io.netty.transport.noNative";
    private static final String GRPC = "io.grpc.netty.shaded." + PLAIN;
    private static final String REACTOR = "reactor.netty.native";
    private static final String LOG = "jfs: Netty is to use SocketChannel (jfs.netty=nio): ";

    @TempDir
    static Path classes;

    @BeforeAll
    static void compile() throws Exception {
        Programs.compile(classes, Map.of("Tells", """
                public class Tells {
                    static final String AT_START = text();
                    static String text() {
                        return System.getProperty("io.netty.transport.noNative") + " "
                                + System.getProperty("io.grpc.netty.shaded.io.netty.transport.noNative") + " "
                                + System.getProperty("reactor.netty.native");
                    }
                    public static void main(String[] args) {
                        System.out.println(AT_START);
                    }
                }"""));
    }

    /** Runs the program. The summary, which ends the log, is not returned. */
    private static Outcome run(List<String> how, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("-Djfs.log=fallback"));
        command.addAll(List.of(options));
        command.addAll(how);
        command.add("Tells");
        Outcome outcome = Programs.java(classes, Map.of(), command);
        return new Outcome(outcome.exitCode(), outcome.out(), outcome.err().replaceAll("jfs: 0 connections: .*\n", ""));
    }

    private static Outcome byAgent(String... options) throws Exception {
        return run(List.of("-javaagent:" + JAR, "-cp", classes.toString()), options);
    }

    @Test
    void theyAreSetBeforeTheProgramStarts() throws Exception {
        Outcome expected = new Outcome(0, "true true false\n", LOG + PLAIN + "=true, " + GRPC + "=true, " + REACTOR + "=false\n");
        assertEquals(expected, byAgent("-Djfs.nio=on", "-Djfs.netty=nio"));
        assertEquals(expected, run(List.of("-cp", JAR + ":" + classes, "JFSLauncher"), "-Djfs.nio=on", "-Djfs.netty=nio"));
    }

    @Test
    void whatTheUserHasSetStays() throws Exception {
        assertEquals(new Outcome(0, "false true true\n", LOG + PLAIN + "=false (as the user has set it), " + GRPC + "=true, " + REACTOR
                + "=true (as the user has set it)\n"),
                byAgent("-Djfs.nio=on", "-Djfs.netty=nio", "-D" + PLAIN + "=false", "-D" + REACTOR + "=true"));
    }

    @Test
    void nothingIsSetByDefault() throws Exception {
        assertEquals(new Outcome(0, "null null null\n", ""), byAgent("-Djfs.nio=on"));
        assertEquals(new Outcome(0, "null null null\n", ""), byAgent("-Djfs.nio=on", "-Djfs.netty=as-is"));
    }

    /** Netty would lose its native transport and gain nothing. */
    @Test
    void nothingIsSetWhereTheProviderIsNotInstalled() throws Exception {
        assertEquals(new Outcome(0, "null null null\n",
                "jfs: no fast path for channels in this process: JFS's own sockets use the program's provider (jfs.tcp=nio)\n"),
                byAgent("-Djfs.nio=on", "-Djfs.netty=nio", "-Djfs.tcp=nio"));
    }

    @Test
    void itNeedsChannels() throws Exception {
        String why = "jfs: bad setting jfs.netty=nio; it can't be with jfs.nio=off\n";
        assertEquals(new Outcome(0, "null null null\n", why), byAgent("-Djfs.netty=nio", "-Djfs.nio=off"));
        assertEquals(new Outcome(2, "", why), run(List.of("-cp", JAR + ":" + classes, "JFSLauncher"), "-Djfs.netty=nio", "-Djfs.nio=off"));
    }
}
