package jfs.conformance.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A plain connection costs a program with JFS's provider no system call more than with the JDK's. */
@Tag("channels")
class SystemCallsTest {

    private static final String CALLS = "read,write,readv,writev,recvfrom,sendto,recvmsg,sendmsg,accept,accept4,connect,bind,listen,"
            + "socket,getsockname,getpeername,setsockopt,getsockopt,shutdown,close,dup2,fcntl,ioctl,epoll_create,epoll_create1,epoll_ctl,"
            + "epoll_wait,epoll_pwait,poll,ppoll,eventfd2,sendfile,tgkill";
    /** A thread's number and the call, as strace writes them with -f and -o. */
    private static final Pattern CALL = Pattern.compile("(\\d+) +(\\w+)\\((.*)");

    @TempDir
    Path folder;

    @Test
    void aPlainConnectionMakesNoSystemCallMore() throws Exception {
        assumeTrue(run(List.of("strace", "-o", folder.resolve("probe").toString(), "true")) == 0, "strace is missing, or may not trace");
        Map<String, Integer> expected = calls(Provider.JDK);
        assertTrue(expected.getOrDefault("epoll_wait", 0) + expected.getOrDefault("epoll_pwait", 0) >= EchoProgram.CONNECTIONS,
                expected::toString);
        Map<String, Integer> more = calls(Provider.JFS);
        assertTrue(more.getOrDefault("read", 0) > 0, more::toString);
        more.entrySet().removeIf(call -> call.getValue() <= expected.getOrDefault(call.getKey(), 0));
        assertEquals(Map.of(), more, () -> "more than the JDK's " + expected);
    }

    /** How often the program's main thread makes each call between its two marks. */
    private Map<String, Integer> calls(Provider provider) throws Exception {
        Path trace = folder.resolve("trace-" + provider);
        List<String> command = new ArrayList<>(List.of("strace", "-f", "-o", trace.toString(), "-e", "trace=" + CALLS,
                System.getProperty("java.home") + "/bin/java", "-cp", System.getProperty("java.class.path"), "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED", "-Djfs.native.dir=" + System.getProperty("jfs.native.dir"), "-Djfs.nio=on",
                "-Djfs.transport=tcp", EchoProgram.class.getName(), provider.name()));
        assertEquals(0, run(command), () -> text(folder.resolve("output")));
        String thread = null;
        Map<String, Integer> counts = new TreeMap<>();
        for (String line : Files.readAllLines(trace)) {
            Matcher call = CALL.matcher(line);
            if (!call.matches()) {
                continue; // the end of a call that another thread's has interrupted, or a signal
            }
            if (call.group(2).equals("write") && call.group(3).contains('"' + EchoProgram.MARK)) {
                if (thread != null) {
                    return counts;
                }
                thread = call.group(1);
            } else if (call.group(1).equals(thread) && !(call.group(2).equals("write") && call.group(3).contains("\"\\n\""))) {
                counts.merge(call.group(2), 1, Integer::sum);
            }
        }
        throw new AssertionError("no second mark in " + text(trace));
    }

    /** @return the status; -1 if there is no such program */
    private int run(List<String> command) throws Exception {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(folder.resolve("output").toFile()).start();
        } catch (IOException e) {
            return -1;
        }
        try {
            assertTrue(process.waitFor(120, TimeUnit.SECONDS), () -> text(folder.resolve("output")));
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
