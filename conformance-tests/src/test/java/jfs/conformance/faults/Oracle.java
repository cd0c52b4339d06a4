package jfs.conformance.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import jfs.conformance.harness.faults.Ending;
import jfs.conformance.harness.EndKind;
import jfs.conformance.harness.processes.Child;

/**
 * What a process sees of its peer's death with the JDK's own sockets or channels: class and message of the exceptions that end its
 * reads and writes.
 */
final class Oracle {

    /** More bytes than TCP's buffers take. */
    private static final int TOO_MUCH = 100_000_000;

    /** Fewer bytes than they take. */
    private static final int SOME = 50_000;

    private static final int SITUATIONS = 6;

    final Set<String> reads = new TreeSet<>();
    final Set<String> writes = new TreeSet<>();
    private static final Map<EndKind, Oracle> KNOWN = new EnumMap<>(EndKind.class);

    private final EndKind kind;
    private final boolean sparesBytes;

    /** Started together, one for each situation below. */
    private final Deque<Child> victims = new ArrayDeque<>();

    /** @param kind what the survivor's end is */
    private Oracle(EndKind kind) throws Exception {
        this.kind = kind;
        try (Child survivor = Child.plain().start()) {
            for (int i = 0; i < SITUATIONS; i++) {
                victims.add(Child.plain().start());
            }
            survivor.begin("kind " + kind).isDone();
            // A reader whose peer has read everything; a reader whose peer has not, which gives a reset; and what writes throw
            // afterwards.
            afterDeath(survivor, 0, "readToEnd 1", "writeUntilItFails");
            afterDeath(survivor, 1000, "readToEnd 1", "writeUntilItFails");
            // A writer that is blocked; a writer that comes later, before any read.
            afterDeath(survivor, 0, "write 1 " + TOO_MUCH, "readToEnd 1");
            afterDeath(survivor, 1000, "writeUntilItFails", "readToEnd 1");
            // Whether bytes that had come before a reset can be read: by a reader that comes first, and after a failed write.
            sparesBytes = bytesAreThereAfterReset(survivor, false) && bytesAreThereAfterReset(survivor, true);
        } finally {
            victims.forEach(Child::close);
        }
    }

    /** For a survivor whose end is of this kind. The first call for a kind takes its time. */
    static Oracle of(EndKind kind) throws Exception {
        synchronized (KNOWN) {
            if (!KNOWN.containsKey(kind)) {
                KNOWN.put(kind, new Oracle(kind));
            }
            return KNOWN.get(kind);
        }
    }

    private boolean bytesAreThereAfterReset(Child survivor, boolean writeFailsFirst) throws Exception {
        try (Child victim = connected(survivor)) {
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

    private Child connected(Child survivor) throws Exception {
        Child victim = victims.remove();
        long port = survivor.ask("listen 127.0.0.1 0");
        Child.Order accept = survivor.begin("accept");
        victim.begin("connect 127.0.0.1 " + port).isDone();
        accept.isDone();
        return victim;
    }

    /** @param unread bytes that the victim has not read when it dies */
    private void afterDeath(Child survivor, int unread, String order, String later) throws Exception {
        try (Child victim = connected(survivor)) {
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
            throw new AssertionError(survivors + ", but with the JDK's own " + kind + " reads end with " + reads
                    + ", writes with " + writes);
        }
    }
}
