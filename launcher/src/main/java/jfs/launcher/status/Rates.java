package jfs.launcher.status;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jfs.monitor.ConnectionView;
import jfs.monitor.ConnectionView.Direction;

/** How fast counters grow from one look at the processes to the next. One thread uses it. */
public final class Rates {

    private record Key(String pid, int row, long since, int port) {
        static Key of(JfsProcess process, ConnectionView view) {
            return new Key(process.pid(), view.row(), view.since(), view.port());
        }
    }

    private Map<Key, ConnectionView> before = Map.of();
    private long lookedAt;
    private double seconds;

    /**
     * A connection in the time since the last look; numbers for each second.
     *
     * @param in bytes
     * @param inWaits waits of the reading threads
     * @param out bytes
     * @param outWaits waits of the writing threads
     */
    record Rate(double in, double inWaits, double out, double outWaits) {
    }

    /** Called before each look. @param now as {@link System#nanoTime} */
    public void begin(long now) {
        seconds = lookedAt == 0 ? 0 : (now - lookedAt) / 1e9;
        lookedAt = now;
    }

    /** @return null if the last look has not shown the connection */
    Rate of(JfsProcess process, ConnectionView now) {
        ConnectionView was = before.get(Key.of(process, now));
        if (was == null || seconds <= 0) {
            return null;
        }
        return new Rate(each(now.in().bytes() - was.in().bytes()), each(waits(now.in()) - waits(was.in())),
                each(now.out().bytes() - was.out().bytes()), each(waits(now.out()) - waits(was.out())));
    }

    private double each(long more) {
        return Math.max(0, more) / seconds;
    }

    private static long waits(Direction direction) {
        return direction.found() + direction.sleeps();
    }

    /** Called after each look, which the next one is compared with. */
    public void end(List<JfsProcess> processes) {
        Map<Key, ConnectionView> shown = new HashMap<>();
        for (JfsProcess process : processes) {
            process.connections().forEach(it -> shown.put(Key.of(process, it.view()), it.view()));
        }
        before = shown;
    }
}
