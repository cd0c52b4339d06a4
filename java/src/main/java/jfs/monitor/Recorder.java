package jfs.monitor;

/**
 * The flight recorder's events of JFS. An event object is made for each happening, and filled only if a recording wants it. The JIT
 * compiler does not even make the object where no recording runs.
 */
final class Recorder implements ConnectionObserver {

    /**
     * Initializes the classes that events need. Otherwise virtual threads that have their first event at the same time wait for that, and
     * keep their carriers.
     *
     * @throws LinkageError if this Java runtime has no flight recorder
     */
    void prepare() {
        ConnectionTable.reader();
        ConnectionView.NONE.socketClass();
        new ConnectEvent();
        new SwitchEvent();
        new FallbackEvent();
        new SleepEvent();
        new DeathEvent();
    }

    @Override
    public void began(int row) {
        ConnectEvent event = new ConnectEvent();
        if (event.isEnabled()) {
            event.of(row);
            event.commit();
        }
    }

    @Override
    public void switched(int row, boolean in, String transport, long overTcp) {
        SwitchEvent event = new SwitchEvent();
        if (event.isEnabled()) {
            event.of(row);
            event.direction = direction(in);
            event.transport = transport;
            event.bytesOverTcp = overTcp;
            event.commit();
        }
    }

    @Override
    public void fellBack(int row, String reason, String text) {
        FallbackEvent event = new FallbackEvent();
        if (event.isEnabled()) {
            event.of(row);
            event.reason = reason;
            event.text = text;
            event.commit();
        }
    }

    @Override
    public void peerDied(int row, boolean in) {
        DeathEvent event = new DeathEvent();
        if (event.isEnabled()) {
            event.of(row);
            event.direction = direction(in);
            event.commit();
        }
    }

    /** @return null if no recording wants sleeps */
    Object sleeps() {
        SleepEvent event = new SleepEvent();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    void slept(Object begun, int row, boolean reader) {
        SleepEvent event = (SleepEvent) begun;
        event.end();
        if (event.shouldCommit()) { // the sleep was long enough
            event.of(row);
            event.direction = direction(reader);
            event.commit();
        }
    }

    private static String direction(boolean in) {
        return in ? "in" : "out";
    }
}
