package jfs.management;

import java.lang.module.ModuleDescriptor;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.management.ListenerNotFoundException;
import javax.management.MBeanNotificationInfo;
import javax.management.Notification;
import javax.management.NotificationBroadcasterSupport;
import javax.management.NotificationEmitter;
import javax.management.NotificationFilter;
import javax.management.NotificationListener;
import jfs.monitor.ConnectionTable;
import jfs.monitor.Observers;
import jfs.monitor.TableReader;
import jfs.procfs.MappedFiles;
import jfs.stat.ConnectionInfo;
import jfs.stat.SocketsMXBean;
import jfs.stat.Stats;
import jfs.transport.tcp.NettyLibraries;

/** The MXBean. It reads the process's table when it is asked. Notifications are made while there are listeners. */
final class SocketsBean implements SocketsMXBean, NotificationEmitter {

    /** The numbers that a client asks for one after the other come from one reading of the kernel's list. */
    private static final long READING_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final NotificationBroadcasterSupport broadcaster = new NotificationBroadcasterSupport(new MBeanNotificationInfo(
            new String[] {SWITCH, FALLBACK, DEATH}, Notification.class.getName(), "What has happened to a connection"));
    private final Notifier notifier = new Notifier(broadcaster);
    /** Those of the broadcaster, which does not tell how many it has. Guarded by itself. */
    private final List<NotificationListener> listeners = new ArrayList<>();

    /** Null if there was no memory for a table. */
    private final TableReader table = ConnectionTable.reader();
    /** The last reading, unless it is garbage, and when it was made. Guarded by this. */
    private WeakReference<OpenConnections> last = new WeakReference<>(null);
    private long lastAt;

    @Override
    public String getVersion() {
        Optional<ModuleDescriptor> module = Optional.ofNullable(SocketsBean.class.getModule().getDescriptor());
        String ofJar = SocketsBean.class.getPackage().getImplementationVersion();
        return module.flatMap(ModuleDescriptor::rawVersion).orElse(ofJar == null ? "unknown" : ofJar);
    }

    @Override
    public synchronized long getSince() {
        return table == null ? 0 : table.since();
    }

    @Override
    public synchronized String getUnavailable() {
        return table == null || table.unavailable().isEmpty() ? null : table.unavailable();
    }

    @Override
    public String getChannelsUnavailable() {
        return Stats.channelsUnavailable();
    }

    @Override
    public String getSummary() {
        return Stats.summary();
    }

    @Override
    public synchronized Map<String, Long> getCounters() {
        return table == null ? Map.of() : table.counters();
    }

    @Override
    public synchronized Map<String, Long> getReasons() {
        return table == null ? Map.of() : table.reasons();
    }

    @Override
    public int getOpenConnections() {
        return lately().connections().size();
    }

    @Override
    public int getFastConnections() {
        return (int) lately().connections().stream().filter(ConnectionInfo::isFast).count();
    }

    @Override
    public synchronized long getWithoutRow() {
        return table == null ? 0 : table.withoutRow();
    }

    @Override
    public int getOutOfReach() {
        return lately().outOfReach();
    }

    @Override
    public List<String> getOtherLibraries() {
        return NettyLibraries.among(MappedFiles.names());
    }

    @Override
    public List<ConnectionInfo> getConnections() {
        return now().connections();
    }

    private synchronized OpenConnections now() {
        OpenConnections it = OpenConnections.now();
        last = new WeakReference<>(it);
        lastAt = System.nanoTime();
        return it;
    }

    private synchronized OpenConnections lately() {
        OpenConnections it = last.get();
        return it != null && System.nanoTime() - lastAt < READING_NANOS ? it : now();
    }

    @Override
    public MBeanNotificationInfo[] getNotificationInfo() {
        return broadcaster.getNotificationInfo();
    }

    @Override
    public void addNotificationListener(NotificationListener listener, NotificationFilter filter, Object handback) {
        synchronized (listeners) {
            broadcaster.addNotificationListener(listener, filter, handback);
            listeners.add(listener);
            Observers.listen(notifier);
        }
    }

    @Override
    public void removeNotificationListener(NotificationListener listener) throws ListenerNotFoundException {
        synchronized (listeners) {
            broadcaster.removeNotificationListener(listener); // however often it was added
            listeners.removeIf(it -> it == listener);
            stopIfNobodyListens();
        }
    }

    @Override
    public void removeNotificationListener(NotificationListener listener, NotificationFilter filter, Object handback)
            throws ListenerNotFoundException {
        synchronized (listeners) {
            broadcaster.removeNotificationListener(listener, filter, handback); // once
            for (int i = 0; i < listeners.size(); i++) {
                if (listeners.get(i) == listener) {
                    listeners.remove(i);
                    break;
                }
            }
            stopIfNobodyListens();
        }
    }

    private void stopIfNobodyListens() {
        if (listeners.isEmpty()) {
            Observers.listen(null);
        }
    }
}
