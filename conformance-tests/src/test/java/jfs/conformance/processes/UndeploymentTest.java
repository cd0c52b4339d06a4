package jfs.conformance.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Children;
import jfs.conformance.harness.processes.Whose;
import jfs.testing.Await;
import jfs.testing.VirtualThreads;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An application server drops an application whose thread was the first to use sockets. The application's classes are
 * unloaded, although that thread started JFS's own threads and these live on.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class UndeploymentTest extends Children {

    @ParameterizedTest
    @EnumSource
    void anApplicationIsUnloaded(Whose whose) throws Exception {
        runAndUnload(whose, false);
    }

    @ParameterizedTest
    @EnumSource
    void anApplicationWithVirtualThreadsIsUnloaded(Whose whose) throws Exception {
        VirtualThreads.assume();
        runAndUnload(whose, true);
    }

    private void runAndUnload(Whose whose, boolean virtual) throws Exception {
        whose.assume();
        Child server = start(whose.start()
                .with("-Djfs.log=fallback") // so there is a thread for the summary
                .with("-Djfs.poll.micros=0") // so readers sleep, virtual ones at their poller
                .running(ApplicationServer.class, String.valueOf(whose != Whose.JDK)));
        server.begin("run " + whose.switches() + " " + virtual).isDone();
        String unloaded = server.begin("awaitUnloaded").resultWithin(2 * Await.LIMIT.toNanos()); // the order itself waits too
        assertEquals("done", unloaded);
    }
}
