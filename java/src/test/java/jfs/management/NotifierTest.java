package jfs.management;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.Notification;
import javax.management.NotificationBroadcasterSupport;
import javax.management.openmbean.CompositeData;
import org.junit.jupiter.api.Test;

/** What listeners are told of, how often, and on which thread. */
class NotifierTest {

    private final AtomicLong clock = new AtomicLong();
    private final NotificationBroadcasterSupport broadcaster = new NotificationBroadcasterSupport();
    private final Notifier notifier = new Notifier(broadcaster, clock::get);
    private final BlockingQueue<Notification> told = new LinkedBlockingQueue<>();

    private void listen() {
        broadcaster.addNotificationListener((notification, handback) -> told.add(notification), null, null);
    }

    private Notification next() throws InterruptedException {
        Notification it = told.poll(30, TimeUnit.SECONDS);
        assertNotNull(it, "no notification has come");
        return it;
    }

    private static Object item(Notification notification, String name) {
        return ((CompositeData) notification.getUserData()).get(name);
    }

    /** Row 0 is no connection's own. */
    @Test
    void aConnectionWithoutARowIsToldOfToo() throws Exception {
        listen();
        notifier.fellBack(0, "RULE", "line 2 of jfs.rules");
        Notification it = next();
        assertEquals("jfs.fallback", it.getType());
        assertEquals("jfs:type=Sockets", it.getSource());
        assertEquals("jfs: a connection: stays on TCP: RULE: line 2 of jfs.rules", it.getMessage());
        assertEquals("RULE", item(it, "reason"));
        assertNull(item(it, "peerAddress"));
        notifier.switched(0, true, "sci", 7);
        it = next();
        assertEquals("jfs.switch", it.getType());
        assertEquals("jfs: a connection (in): goes by sci from now on, after 7 bytes over TCP", it.getMessage());
        assertEquals("sci", item(it, "transport"));
        notifier.peerDied(0, false);
        it = next();
        assertEquals("jfs.death", it.getType());
        assertEquals("out", item(it, "direction"));
        assertEquals(3, it.getSequenceNumber());
    }

    @Test
    void ofAFloodTheFirstAreToldAndTheOthersCounted() throws Exception {
        listen();
        int flood = 1_000;
        for (int i = 0; i < flood; i++) {
            notifier.fellBack(0, "RULE", "no");
        }
        long missed = 0;
        for (int i = 0; i < Notifier.MOST_IN_A_SECOND; i++) {
            missed += (long) item(next(), "missed");
        }
        clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
        notifier.fellBack(0, "RULE", "no");
        missed += (long) item(next(), "missed");
        assertEquals(flood - Notifier.MOST_IN_A_SECOND, missed);
    }

    @Test
    void aListenerThatThrowsEndsNothing() throws Exception {
        broadcaster.addNotificationListener((notification, handback) -> {
            told.add(notification);
            throw new IllegalStateException("by the test");
        }, null, null);
        notifier.fellBack(0, "RULE", "no");
        next();
        notifier.fellBack(0, "RULE", "no");
        assertEquals(2, next().getSequenceNumber());
    }
}
