package jfs.negotiation.handshake;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers where each listener was found last, so that the next offer asks there first (NEG-3). At most {@value #MOST} listeners are
 * remembered. The one that was looked up longest ago is forgotten first. Not thread-safe.
 *
 * @param <P> a place: one of the listener's names, or a port
 */
public final class LastFound<P> {

    public static final int MOST = 1024;

    private final Map<String, P> places = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, P> eldest) {
            return size() > MOST;
        }
    };

    /** @return null if no place is known */
    public P of(String listener) {
        return places.get(listener);
    }

    public void put(String listener, P place) {
        places.put(listener, place);
    }
}
