package jfs.management;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jfs.stat.Reason;
import org.junit.jupiter.api.Test;

/** Some details of a reason need another remedy than the reason has. The texts are those that processes give. */
class RemedyTest {

    @Test
    void aUserOfAnotherNamespaceCanNotBeAllowed() {
        assertEquals("run both as one user, or both in one user namespace, or map the peer's user in this one",
                Remedy.of(Reason.FOREIGN_USER, "the peer's user has no number in this process's user namespace (the kernel shows 65534),"
                        + " so jfs.allow.uids can't name it"));
        assertEquals(Remedy.of(Reason.FOREIGN_USER),
                Remedy.of(Reason.FOREIGN_USER, "the listener's name belongs to a process of user 7,"
                        + " whom jfs.allow.uids of this process does not name"));
        assertEquals(Remedy.of(Reason.FOREIGN_USER), Remedy.of(Reason.FOREIGN_USER, ""));
    }

    @Test
    void aControlGroupThatIsNearlyFull() {
        assertEquals("raise the memory limit of the container or service, or give the JVM a smaller heap (-Xmx)",
                Remedy.of(Reason.NO_RESOURCES, "the control group has 12 MB left of its memory limit of 200 MB, and a fast path needs 14 MB"
                        + " (/sys/fs/cgroup)"));
        assertEquals(Remedy.of(Reason.NO_RESOURCES), Remedy.of(Reason.NO_RESOURCES, "SCICreateSegment: ftruncate: File too large"));
    }
}
