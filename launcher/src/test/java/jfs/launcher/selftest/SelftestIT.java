package jfs.launcher.selftest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import jfs.launcher.Programs;
import jfs.launcher.Programs.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command selftest finds each fault that is set up on purpose, in the line of its subject. */
class SelftestIT {

    private static final String RESTRICT = System.getProperty("test.restrict");

    @TempDir
    static Path folder;

    private static Outcome run(Map<String, String> environment, List<String> by, String... options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of("-jar", Programs.JAR, "selftest"));
        return Programs.java(folder, environment, by, arguments);
    }

    private static List<String> refusing(String rule) {
        return List.of(RESTRICT, rule, "--");
    }

    private static List<String> inOwnMounts(String command) throws Exception {
        assumeTrue(new ProcessBuilder("unshare", "--mount", "true").start().waitFor() == 0, "unshare --mount needs root");
        return List.of("unshare", "--mount", "sh", "-c", command + " && exec \"$@\"", "sh");
    }

    /** Asserts that there is this line, that a remedy follows, and which result is last. */
    private static void assertFound(Outcome outcome, String verdict, String beginning, String words, String result) {
        List<String> lines = outcome.out().lines().toList();
        int at = 0;
        while (at < lines.size() && !(lines.get(at).startsWith(verdict) && lines.get(at).substring(8).startsWith(beginning + ": "))) {
            at++;
        }
        assertTrue(at < lines.size() && lines.get(at).contains(words), outcome::toString);
        assertTrue(lines.get(at + 1).startsWith("        "), outcome::toString);
        assertEquals(result, lines.get(lines.size() - 1), outcome::toString);
        assertEquals(result.equals("FAILED") ? 1 : 0, outcome.exitCode());
    }

    @Test
    void aMachineWithoutFaultPasses() throws Exception {
        Outcome outcome = run(Map.of(), List.of());
        assertEquals(0, outcome.exitCode(), outcome::toString);
        for (String kind : List.of("sockets", "channels")) {
            assertTrue(outcome.out().contains("ok      two JVMs, " + kind + ": both directions are fast, over sci"), outcome::toString);
        }
    }

    @Test
    void nativesThatAreMissing() throws Exception {
        assertFound(run(Map.of(), List.of(), "-Djfs.native.dir=/nowhere"), "failed", "native library", "does not exist", "FAILED");
    }

    @Test
    void aSisciLibraryThatIsMissing() throws Exception {
        Outcome outcome = run(Map.of(), List.of(), "-Djfs.sci.library=/nowhere/libsisci.so");
        assertFound(outcome, "failed", "native library", "/nowhere/libsisci.so", "FAILED");
        assertTrue(outcome.out().contains("        Remove the setting jfs.sci.library, or let it name a SISCI library that "),
                outcome::toString);
    }

    @Test
    void aTemporaryFolderWithoutExecution(@TempDir Path temporary) throws Exception {
        List<String> mounted = inOwnMounts("mount -t tmpfs -o noexec tmpfs " + temporary);
        assertFound(run(Map.of(), mounted, "-Djava.io.tmpdir=" + temporary), "failed", "native library", "noexec", "FAILED");
    }

    @ParameterizedTest
    @CsvSource({"ro, Read-only file system", "size=64k, No space left on device"})
    void aTemporaryFolderThatCanNotBeWrittenTo(String options, String reason, @TempDir Path temporary) throws Exception {
        List<String> mounted = inOwnMounts("mount -t tmpfs -o " + options + " tmpfs " + temporary);
        Outcome outcome = run(Map.of(), mounted, "-Djava.io.tmpdir=" + temporary);
        assertFound(outcome, "failed", "native library", reason, "FAILED");
        assertTrue(outcome.out().contains("        Give a temporary folder with room that can be written to: "), outcome::toString);
    }

    /** The process with the number 1, which the shell is in its own PID namespace, is root's, and the selftest is another user's. */
    @Test
    void aProcThatHidesProcesses() throws Exception {
        List<String> hidden = new ArrayList<>(List.of("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c",
                "mount -t proc -o hidepid=2 proc /proc && setpriv --reuid=1 --regid=1 --clear-groups \"$@\"; exit $?", "sh"));
        List<String> readable = new ArrayList<>(hidden);
        readable.addAll(List.of("test", "-r", Programs.JAR));
        assumeTrue(new ProcessBuilder(readable).start().waitFor() == 0, "own mounts and another user who can read the jar need root");
        Outcome outcome = run(Map.of(), hidden);
        assertFound(outcome, "issue", "/proc", "processes of other users are hidden (mount option hidepid=", "PASSED WITH ISSUES");
        assertTrue(outcome.out().contains("ok      two JVMs, sockets: both directions are fast, over sci"), outcome::toString);
    }

    @Test
    void theLimitOfAControlGroup() throws Exception {
        boolean first = Files.isDirectory(Path.of("/sys/fs/cgroup/memory"));
        Path group = Path.of(first ? "/sys/fs/cgroup/memory" : "/sys/fs/cgroup", "jfs-selftest-" + ProcessHandle.current().pid());
        assumeTrue(group.toFile().mkdir(), "a memory cgroup can't be made at " + group);
        try {
            Path limit = group.resolve(first ? "memory.limit_in_bytes" : "memory.max");
            assumeTrue(Files.exists(limit), "the cgroup has no limit of memory: there is no " + limit);
            Files.writeString(limit, String.valueOf(2L << 30));
            Outcome outcome = run(Map.of(), List.of("sh", "-c", "echo $$ >" + group + "/cgroup.procs && exec \"$@\"", "sh"));
            assertTrue(outcome.out().lines().anyMatch(it -> it.matches("ok      memory of the control group: [0-9]+ MB of 2048 MB are in"
                    + " use \\(" + group + "\\)")), outcome::toString);
        } finally {
            assertTrue(group.toFile().delete());
        }
    }

    @Test
    void memoryThatIsRefused() throws Exception {
        assertFound(run(Map.of(), refusing("memfd_create=EPERM")), "failed", "shared memory", "memfd_create", "FAILED");
    }

    @Test
    void unixSocketsThatAreRefused() throws Exception {
        assertFound(run(Map.of(), refusing("socket:0==1=EACCES")), "failed", "Unix sockets", "Permission denied", "FAILED");
    }

    @Test
    void anOldKernelsFutex() throws Exception {
        assertFound(run(Map.of(), refusing("futex_waitv=ENOSYS")), "issue", "futex_waitv", "refuses it", "PASSED WITH ISSUES");
    }

    @Test
    void socketOwnersThatAreNotTold() throws Exception {
        assertFound(run(Map.of(), refusing("socket:0==16=EACCES")), "issue", "sock_diag", "Permission denied", "PASSED WITH ISSUES");
    }

    @Test
    void fewDescriptors() throws Exception {
        assertFound(run(Map.of(), List.of("prlimit", "--nofile=400")), "issue", "descriptor limit", "400", "PASSED WITH ISSUES");
    }

    @Test
    void oneCore() throws Exception {
        assertFound(run(Map.of(), List.of("taskset", "-c", "0")), "issue", "cores", "no thread polls", "PASSED WITH ISSUES");
    }

    @Test
    void aWrongSettingInTheEnvironment() throws Exception {
        assertFound(run(Map.of("JFS_POLL_MICROS", "soon"), List.of()), "failed", "settings", "jfs.poll.micros=soon", "FAILED");
    }

    @Test
    void anUnknownSettingInTheEnvironment() throws Exception {
        assertFound(run(Map.of("JFS_POL_MICROS", "5"), List.of()), "issue", "settings", "JFS_POL_MICROS", "PASSED WITH ISSUES");
    }

    @Test
    void aSettingThatKeepsConnectionsOnTcp() throws Exception {
        assertFound(run(Map.of(), List.of(), "-Djfs.transport=tcp"), "failed", "two JVMs, sockets", "TRANSPORT_OFF", "FAILED");
        Path rules = Files.writeString(folder.resolve("rules"), "connect 127.0.0.1 * tcp\n");
        assertFound(run(Map.of(), List.of(), "-Djfs.rules=" + rules), "issue", "two JVMs, sockets", "RULE", "PASSED WITH ISSUES");
    }

    @Test
    void withoutProc() throws Exception {
        List<String> mounted = inOwnMounts("umount -l /proc && ! test -e /proc/self");
        assertFound(run(Map.of("LD_LIBRARY_PATH", System.getProperty("java.home") + "/lib"), mounted), "issue", "/proc", "can't be read",
                "PASSED WITH ISSUES");
    }

    @Test
    void asJson() throws Exception {
        Outcome outcome = Programs.java(folder, Map.of(),
                List.of("-Djfs.native.dir=/no\"where", "-jar", Programs.JAR, "selftest", "--json"));
        assertEquals(1, outcome.exitCode(), outcome::toString);
        assertTrue(outcome.out().startsWith("{\"findings\": [\n  {\"title\": \"platform\", \"verdict\": \"ok\", "), outcome::toString);
        assertTrue(outcome.out().contains("/no\\\"where"), outcome::toString);
        assertTrue(outcome.out().endsWith("\n], \"result\": \"FAILED\"}\n"), outcome::toString);
    }

    @Test
    void aWrongArgumentIsRefused() throws Exception {
        Outcome outcome = Programs.java(folder, Map.of(), List.of("-jar", Programs.JAR, "selftest", "now"));
        assertEquals(2, outcome.exitCode(), outcome::toString);
        assertTrue(outcome.err().startsWith("jfs: unexpected argument now of selftest; "), outcome::toString);
    }
}
