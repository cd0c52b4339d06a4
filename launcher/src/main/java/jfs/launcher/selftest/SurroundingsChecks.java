package jfs.launcher.selftest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import jfs.launcher.status.HiddenProcesses;

/** Where the process runs: its view of /proc, container, network namespace, filter of system calls. */
final class SurroundingsChecks {

    private static final Map<Path, String> SIGNS = Map.of(Path.of("/.dockerenv"), "Docker", Path.of("/run/.containerenv"), "Podman",
            Path.of("/var/run/secrets/kubernetes.io"), "Kubernetes");

    private SurroundingsChecks() {
    }

    static List<Finding> all() {
        return List.of(proc(), container(), network(), seccomp());
    }

    private static Finding proc() {
        boolean maps = !PlatformChecks.lines(Path.of("/proc/self/maps")).isEmpty();
        boolean sockets = !PlatformChecks.lines(Path.of("/proc/net/tcp")).isEmpty();
        String hidden = HiddenProcesses.option();
        if (maps && sockets && hidden != null) {
            return Finding.issue("/proc", "processes of other users are hidden (mount option " + hidden
                            + "); connections become fast, and the command status shows this user's processes only",
                    "If you want to see those of other users, run status as root, or mount -o remount,hidepid=0 /proc.");
        }
        return maps && sockets ? Finding.ok("/proc", "can be read")
                : Finding.issue("/proc", maps ? "/proc/net/tcp can't be read"
                        : "/proc/self can't be read; JFS can't look up its limits, and counts no connections that it can't reach",
                        "Mount it: mount -t proc proc /proc.");
    }

    private static Finding container() {
        String variable = System.getenv("container"); // systemd-nspawn, Podman and others set it
        for (Map.Entry<Path, String> sign : SIGNS.entrySet()) {
            if (Files.exists(sign.getKey())) {
                return Finding.ok("container", "yes, by " + sign.getValue() + "; connections become fast between containers that share"
                        + " a network namespace, as those of one pod do");
            }
        }
        return variable != null && !variable.isEmpty() ? Finding.ok("container", "yes, by " + variable)
                : Finding.absent("container", "no sign of one");
    }

    private static Finding network() {
        String own = target("/proc/self/ns/net");
        String first = target("/proc/1/ns/net");
        if (own == null) {
            return Finding.absent("network namespace", "can't be read");
        }
        return Finding.ok("network namespace", own + (first == null || first.equals(own) ? ""
                : ", another one than that of process 1 (" + first + "); to JFS each network namespace is a host"));
    }

    private static String target(String link) {
        try {
            return Files.readSymbolicLink(Path.of(link)).toString();
        } catch (IOException e) {
            return null;
        }
    }

    private static Finding seccomp() {
        String mode = PlatformChecks.lines(Path.of("/proc/self/status")).stream().filter(it -> it.startsWith("Seccomp:")).findFirst()
                .map(it -> it.substring("Seccomp:".length()).strip()).orElse("");
        return switch (mode) {
            case "" -> Finding.absent("seccomp", "can't be read");
            case "0" -> Finding.absent("seccomp", "no filter of system calls");
            default -> Finding.ok("seccomp", "a filter of system calls is in force; the lines above say what it refuses to JFS");
        };
    }
}
