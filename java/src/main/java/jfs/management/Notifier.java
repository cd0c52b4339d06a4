package jfs.management;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.management.Notification;
import javax.management.NotificationBroadcasterSupport;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import jfs.monitor.ConnectionObserver;
import jfs.monitor.ConnectionTable;
import jfs.monitor.ConnectionView;
import jfs.stat.SocketsMXBean;
import jfs.threads.ServiceThreads;

/**
 * Makes notifications of what happens to connections. Listeners are code of the program, so they are called on a thread of their own, which
 * ends when there has been nothing to tell for some seconds. At most {@value #MOST_IN_A_SECOND} notifications are sent in a second: whoever
 * wants to know of all connections reads the counters. The others are only counted, so a flood of connections costs each of them some
 * nanoseconds.
 */
final class Notifier implements ConnectionObserver, Runnable {

    static final int MOST_IN_A_SECOND = 20;
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long IDLE_MILLIS = TimeUnit.SECONDS.toMillis(10);

    private static final String[] ITEMS = {
        "peerAddress", "peerPort", "ownPort", "socketClass", "accepted", "direction", "transport", "reason", "missed"};
    private static final String[] MEANINGS = {
        "the address of the other end", "its port", "the port of this end", "Socket or SocketChannel",
        "whether a listener of this process has accepted the connection", "in: what this end reads; out: what it writes",
        "the transport of the path", "why the connection is on TCP", "how many notifications were not sent before this one"};
    private static final OpenType<?>[] TYPES = {
        SimpleType.STRING, SimpleType.INTEGER, SimpleType.INTEGER, SimpleType.STRING, SimpleType.BOOLEAN, SimpleType.STRING,
        SimpleType.STRING, SimpleType.STRING, SimpleType.LONG};
    private static final CompositeType TYPE = type();

    private record Happening(String type, ConnectionView view, String direction, String transport, String reason, String text, long at) {
    }

    private final NotificationBroadcasterSupport to;
    private final LongSupplier nanoClock;

    // Guarded by this.
    private final Queue<Happening> waiting = new ArrayDeque<>();
    private boolean running;
    private long secondBegan;
    private int inThisSecond;
    private long missed;
    private long number;

    Notifier(NotificationBroadcasterSupport to) {
        this(to, System::nanoTime);
    }

    Notifier(NotificationBroadcasterSupport to, LongSupplier nanoClock) {
        this.to = to;
        this.nanoClock = nanoClock;
        this.secondBegan = nanoClock.getAsLong();
    }

    private static CompositeType type() {
        try {
            return new CompositeType("jfs.Happening", "What has happened to a connection", ITEMS, MEANINGS, TYPES);
        } catch (OpenDataException e) {
            throw new IllegalStateException(e); // the arrays have one length
        }
    }

    @Override
    public void began(int row) {
        // No notification: the counters tell it.
    }

    @Override
    public void switched(int row, boolean in, String transport, long overTcp) {
        tell(SocketsMXBean.SWITCH, row, in ? "in" : "out", transport, null,
                "goes by " + transport + " from now on, after " + overTcp + " bytes over TCP");
    }

    @Override
    public void fellBack(int row, String reason, String text) {
        tell(SocketsMXBean.FALLBACK, row, null, null, reason, "stays on TCP: " + reason + ": " + text);
    }

    @Override
    public void peerDied(int row, boolean in) {
        tell(SocketsMXBean.DEATH, row, in ? "in" : "out", null, null, "the peer process has gone without a word");
    }

    private synchronized void tell(String type, int row, String direction, String transport, String reason, String text) {
        long now = nanoClock.getAsLong();
        if (now - secondBegan >= SECOND_NANOS) {
            secondBegan = now;
            inThisSecond = 0;
        }
        if (inThisSecond == MOST_IN_A_SECOND || waiting.size() >= MOST_IN_A_SECOND) {
            missed++;
            return;
        }
        inThisSecond++;
        waiting.add(new Happening(type, ConnectionTable.view(row), direction, transport, reason, text, System.currentTimeMillis()));
        if (running) {
            notifyAll();
            return;
        }
        running = true;
        boolean started = false;
        try {
            ServiceThreads.create("jfs-notifications", this).start();
            started = true;
        } catch (OutOfMemoryError | SecurityException e) {
            // The next one tries again, and takes this one with it.
        } finally {
            running = started;
        }
    }

    /** Sends what is waiting, and ends when there is nothing more. */
    @Override
    public void run() {
        boolean done = false;
        try {
            for (Notification next = next(); next != null; next = next()) {
                try {
                    to.sendNotification(next);
                } catch (RuntimeException e) {
                    // A listener has thrown. The others are not told either, as with every MBean of the JDK.
                }
            }
            done = true;
        } finally {
            if (!done) { // an error of a listener, or for want of memory; the next happening starts another thread
                synchronized (this) {
                    running = false;
                }
            }
        }
    }

    /** @return null if there has been nothing for a while; then the thread has to end */
    private synchronized Notification next() {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(IDLE_MILLIS);
        while (waiting.isEmpty()) {
            long millis = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (millis <= 0) {
                running = false;
                return null;
            }
            try {
                wait(millis);
            } catch (InterruptedException e) { // nobody has a reason to interrupt this thread
                running = false;
                return null;
            }
        }
        Happening it = waiting.remove();
        ConnectionView view = it.view();
        String name = view == null ? "a connection" : (view.accepted() ? "the connection from " : "the connection to ")
                + view.peer().getHostAddress() + " port " + view.port();
        Notification made = new Notification(it.type(), SocketsMXBean.NAME, ++number, it.at(),
                "jfs: " + name + (it.direction() == null ? "" : " (" + it.direction() + ")") + ": " + it.text());
        made.setUserData(data(it, view));
        missed = 0;
        return made;
    }

    private CompositeData data(Happening it, ConnectionView view) {
        Object[] values = {view == null ? null : view.peer().getHostAddress(), view == null ? 0 : view.port(),
            view == null ? 0 : view.ownPort(), view == null ? null : view.socketClass(), view != null && view.accepted(), it.direction(),
            it.transport(), it.reason(), missed};
        try {
            return new CompositeDataSupport(TYPE, ITEMS, values);
        } catch (OpenDataException e) {
            throw new IllegalStateException(e); // the values are of the types above
        }
    }
}
