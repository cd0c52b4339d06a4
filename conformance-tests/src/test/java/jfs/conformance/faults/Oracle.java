package jfs.conformance.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import java.util.TreeSet;
import jfs.conformance.harness.faults.Ending;
import jfs.conformance.harness.processes.Child;

/**
 * What a process sees of its peer's death with the JDK's own sockets: class and message of the exceptions that end its
 * reads and writes.
 */
final class Oracle {

    /** More bytes than TCP's buffers take. */
    private static final int TOO_MUCH = 100_000_000;

    /** Fewer bytes than they take. */
    private static final int SOME = 50_000;

    final Set<String> reads = new TreeSet<>();
    final Set<String> writes = new TreeSet<>();
    private final boolean sparesBytes;

    Oracle() throws Exception {
        // A reader whose peer has read everything; a reader whose peer has not, which gives a reset; and what writes throw
        // afterwards.
        afterDeath(0, "readToEnd 1", "writeUntilItFails");
        afterDeath(1000, "readToEnd 1", "writeUntilItFails");
        // A writer that is blocked; a writer that comes later, before any read.
        afterDeath(0, "write 1 " + TOO_MUCH, "readToEnd 1");
        afterDeath(1000, "writeUntilItFails", "readToEnd 1");
        // Whether bytes that had come before a reset can be read: by a reader that comes first, and after a failed write.
        sparesBytes = bytesAreThereAfterReset(false) && bytesAreThereAfterReset(true);
    }

    private static boolean bytesAreThereAfterReset(boolean writeFailsFirst) throws Exception {
        try (Child survivor = Child.plain().start(); Child victim = Child.plain().start()) {
            connect(survivor, victim);
            survivor.begin("write 1 1").isDone();
            victim.begin("write 1 " + SOME).isDone();
            victim.kill();
            victim.awaitEnd();
            if (writeFailsFirst) {
                survivor.tell("writeUntilItFails");
            }
            return survivor.tell("read 1 " + SOME).equals("done");
        }
    }

    /** Whether bytes that were written before a reset can be read before the reader sees the reset. */
    boolean sparesBytesBeforeAReset() {
        return sparesBytes;
    }

    private static void connect(Child survivor, Child victim) throws Exception {
        long port = survivor.ask("listen 127.0.0.1 0");
        Child.Order accept = survivor.begin("accept");
        victim.begin("connect 127.0.0.1 " + port).isDone();
        accept.isDone();
    }

    /** @param unread bytes that the victim has not read when it dies */
    private void afterDeath(int unread, String order, String later) throws Exception {
        try (Child survivor = Child.plain().start(); Child victim = Child.plain().start()) {
            connect(survivor, victim);
            if (unread > 0) {
                survivor.begin("write 1 " + unread).isDone();
            }
            Child.Order blocked = order.startsWith("writeUntil") ? null : survivor.begin(order).blocked();
            victim.kill();
            victim.awaitEnd();
            note(order, blocked != null ? blocked.result() : survivor.tell(order));
            note(later, survivor.tell(later));
        }
    }

    private void note(String order, String result) {
        if (order.startsWith("write")) {
            writes.add(result);
        } else if (result.equals("0")) {
            reads.add("end");
        } else {
            reads.add(result);
        }
    }

    void assertHolds(Ending survivors) {
        assertEquals("none", survivors.own());
        if (!survivors.write().equals("none") && !writes.contains(survivors.write())
                || !reads.contains(survivors.read())) {
            throw new AssertionError(survivors + ", but with the JDK's sockets reads end with " + reads
                    + ", writes with " + writes);
        }
    }
}
