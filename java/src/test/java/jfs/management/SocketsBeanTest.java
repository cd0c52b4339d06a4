package jfs.management;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.management.Notification;
import javax.management.NotificationListener;
import jfs.monitor.Observers;
import org.junit.jupiter.api.Test;

/** From when on, and until when, the MXBean makes notifications. */
class SocketsBeanTest {

    private final SocketsBean bean = new SocketsBean();
    private final BlockingQueue<Notification> told = new LinkedBlockingQueue<>();
    private final NotificationListener listener = (notification, handback) -> told.add(notification);

    private void assertTold(long number, String text) throws InterruptedException {
        Notification it = told.poll(30, TimeUnit.SECONDS);
        assertNotNull(it, "no notification has come");
        assertTrue(it.getMessage().endsWith(text), it.getMessage());
        assertEquals(number, it.getSequenceNumber());
    }

    /** The number tells how many have been made. */
    @Test
    void noNotificationIsMadeAfterTheLastListenerHasGone() throws Exception {
        bean.addNotificationListener(listener, null, "once");
        bean.addNotificationListener(listener, null, "twice");
        bean.removeNotificationListener(listener, null, "once");
        Observers.fellBack(0, "RULE", "the first");
        assertTold(1, "the first");
        bean.removeNotificationListener(listener, null, "twice");
        Observers.fellBack(0, "RULE", "nobody listens");
        bean.addNotificationListener(listener, null, "once");
        bean.addNotificationListener(listener, null, "twice");
        bean.removeNotificationListener(listener);
        Observers.fellBack(0, "RULE", "nobody listens");
        bean.addNotificationListener(listener, null, null);
        Observers.fellBack(0, "RULE", "the second");
        assertTold(2, "the second");
        bean.removeNotificationListener(listener);
    }
}
