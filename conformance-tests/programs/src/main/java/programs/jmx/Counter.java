package programs.jmx;

import javax.management.AttributeChangeNotification;
import javax.management.NotificationBroadcasterSupport;

/** A counter that sends a notification of every change. */
public final class Counter extends NotificationBroadcasterSupport implements CounterMBean {

    private int count;
    private long notifications;
    private String name = "unnamed";

    @Override
    public synchronized int getCount() {
        return count;
    }

    @Override
    public synchronized String getName() {
        return name;
    }

    @Override
    public synchronized void setName(String name) {
        this.name = name;
    }

    @Override
    public synchronized int add(int n) {
        int before = count;
        count += n;
        sendNotification(new AttributeChangeNotification(this, ++notifications, 0, "added " + n, "Count", "int", before,
                count));
        return count;
    }

    @Override
    public void fail() {
        throw new IllegalStateException("on purpose");
    }
}
