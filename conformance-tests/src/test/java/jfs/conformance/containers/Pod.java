package jfs.conformance.containers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Commands;

/**
 * Makes containers of one pod, by unshare(1) and the program of restrict.c: they have this machine's network, and all else of their own.
 * The folder of the build stays visible, wherever it lies.
 */
final class Pod {

    /** A user of the system other than root and the overflow user. */
    static final int USER = 1;

    /** The root can not be written to, and /dev/shm is full at once. */
    private static final String READ_ONLY = "mount -o remount,bind,ro / && [ ! -w /usr ]"
            + " && mount -t tmpfs -o size=4k tmpfs /dev/shm && head -c 4096 /dev/zero >/dev/shm/full";
    private static final Path DOCKERS_RULES = Path.of("restrict/docker.rules").toAbsolutePath();

    private Pod() {
    }

    /** @return the beginning of a command that runs in a container of its own, as root of a user namespace of its own */
    static String[] rootOfItself(boolean rootless) {
        List<String> command = new ArrayList<>();
        if (rootless) {
            command.addAll(List.of("setpriv", "--reuid=" + USER, "--regid=" + USER, "--clear-groups"));
        }
        command.addAll(List.of("unshare", "--user", "--map-root-user"));
        return container(command, List.of());
    }

    /** @return the beginning of a command that runs in a container of its own, as this user of the system, without privileges */
    static String[] userOfTheSystem(int user) {
        return container(List.of("unshare"), List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups", "--no-new-privs",
                "--inh-caps=-all", "--bounding-set=-all"));
    }

    private static String[] container(List<String> unshare, List<String> setpriv) {
        List<String> command = new ArrayList<>(unshare);
        command.addAll(List.of("--pid", "--mount", "--ipc", "--mount-proc", "--fork", "--kill-child"));
        command.addAll(List.of("sh", "-c", READ_ONLY + " && exec \"$@\"", "sh"));
        command.addAll(setpriv);
        command.addAll(List.of(System.getProperty("test.restrict"), "@" + DOCKERS_RULES, "--"));
        return command.toArray(String[]::new);
    }

    /** Skips the test if this machine can't make such a container, or if the user in it can't read the build. */
    static void assume(String[] container) throws Exception {
        List<String> command = new ArrayList<>(List.of(container));
        command.addAll(List.of("test", "-r", System.getProperty("jfs.native.dir")));
        Commands.assume("a container that sees the build", command.toArray(String[]::new));
    }

    /** A JFS process in such a container, whose log has the first connection for each reason why it stays on TCP. */
    static Child.Start peer(String[] container) {
        return Child.jfs().with("-Djfs.log=fallback").under(container);
    }
}
