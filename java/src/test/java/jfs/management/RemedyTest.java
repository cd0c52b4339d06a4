package jfs.management;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import jfs.monitor.ConnectionView;
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

    @Test
    void theLimitOfDescriptors() {
        String remedy = "raise the limit of descriptors of its process: ulimit -n 65536 in the shell that starts it, or LimitNOFILE= of a"
                + " systemd service";
        assertEquals(remedy, Remedy.of(Reason.NO_RESOURCES, "more than 10 descriptors are in use, half of RLIMIT_NOFILE"));
        assertEquals(remedy, Remedy.of(Reason.NO_RESOURCES, "memfd_create: Too many open files"));
    }

    @Test
    void aConnectionThatIsTooYoung() {
        assertEquals(new Remedy("it has had 399 of the 400 requests and answers after which JFS offers it",
                "nothing, if it goes on; connections that stay short do not gain"), Remedy.of(plain(true, false, 399), 400));
        assertEquals(new Remedy("it has had 11 of the 12 requests and answers after which offers can find it",
                "nothing, if it goes on; connections that stay short do not gain"), Remedy.of(plain(false, true, 11), 400));
    }

    @Test
    void aChannelInTheFirstSecondsOfItsProcess() {
        assertEquals(new Remedy("JFS offers it at its next use, but not in the first four seconds in which its process talks over channels",
                "nothing, if it goes on; with jfs.nio=on there is no such delay"), Remedy.of(plain(true, false, 13_527), 400));
        assertEquals(new Remedy("offers can find it at its next use, but not in the first four seconds in which its process talks over"
                + " channels", "nothing, if it goes on; with jfs.nio=on there is no such delay"), Remedy.of(plain(true, true, 12), 400));
        assertEquals(new Remedy("JFS offers it at its next use", "nothing, if it goes on"), Remedy.of(plain(false, false, 400), 400));
    }

    private static ConnectionView plain(boolean channel, boolean accepted, int turnarounds) {
        ConnectionView.Direction none = new ConnectionView.Direction("TCP", 0, 0, 0, 0, 0);
        return new ConnectionView(1, InetAddress.getLoopbackAddress(), 1, 2, channel, accepted, 0, "PLAIN", "", "", "", 0, turnarounds,
                none, none);
    }

    @Test
    void whatTheOtherEndHasToDo() {
        assertEquals("at the other end: change it", new Remedy("a rule", "change it").atTheOtherEnd());
        assertEquals("nothing: JFS tries again", new Remedy("busy", "nothing: JFS tries again").atTheOtherEnd());
    }
}
