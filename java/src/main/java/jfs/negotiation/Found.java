package jfs.negotiation;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where each listener was found last, so that the next offer asks there first (NEG-3). Of too many listeners the one that was
 * looked up longest ago is forgotten. Not for several threads.
 *
 * @param <P> a place: one of the listener's names, or a port
 */
final class Found<P> {

    static final int MOST = 1024;

    private final Map<String, P> places = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, P> eldest) {
            return size() > MOST;
        }
    };

    /** Null if it is not known. */
    P of(String listener) {
        return places.get(listener);
    }

    void put(String listener, P place) {
        places.put(listener, place);
    }
}
