package jfs.launcher.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import jfs.procfs.TcpTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The kernel's list of a network namespace, which the command status keeps for all of its processes. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class KernelSocketsIT {

    private final String self = String.valueOf(ProcessHandle.current().pid());
    private final String namespace = KernelSockets.namespace(self);
    private final KernelSockets kernel = new KernelSockets();

    private static ServerSocket listener() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    /** The row is that of a listener of this process, by its port. */
    private static boolean has(Map<Long, TcpTable.Row> list, ServerSocket listener) {
        return list.values().stream().filter(row -> row.state() == TcpTable.LISTEN).map(TcpTable.Row::localPort)
                .collect(Collectors.toSet()).contains(listener.getLocalPort());
    }

    /** The process ends between two looks of the command at it. The other processes of its namespace must not lose their connections. */
    @Test
    void aProcessThatHasEndedHasNoListForTheOthers() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        assertEquals(0, ended.waitFor());
        try (ServerSocket listener = listener()) {
            assertFalse(has(kernel.of(String.valueOf(ended.pid()), namespace, false), listener));
            assertTrue(has(kernel.of(self, namespace, false), listener));
        }
    }

    @Test
    void aListIsKeptUntilAProcessMissesASocket() throws Exception {
        try (ServerSocket first = listener()) {
            assertTrue(has(kernel.of(self, namespace, false), first));
            try (ServerSocket second = listener()) {
                assertFalse(has(kernel.of(self, namespace, false), second));
                assertTrue(has(kernel.of(self, namespace, true), second));
                assertTrue(has(kernel.of(self, namespace, false), second));
            }
        }
    }
}
