package jfs.negotiation.handshake;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The clients that are being served, and the one that has to leave when there are too many (NEG-5). Each client belongs to a party. If
 * there are too many clients, the first client of the party that has most clients has to leave. A party that floods this process therefore
 * displaces its own clients. Not thread-safe.
 *
 * @param <T> a client
 */
public final class ClientLimit<T> {

    private final int most;
    private final Map<Long, Set<T>> parties = new HashMap<>();
    private int size;

    /** @param most how many clients there should be */
    public ClientLimit(int most) {
        this.most = most;
    }

    public void add(long party, T member) {
        Set<T> its = parties.get(party);
        if (its == null) {
            its = new LinkedHashSet<>();
            parties.put(party, its);
        }
        its.add(member);
        size++;
    }

    /** Does nothing if the client is not here. */
    public void remove(long party, T member) {
        Set<T> its = parties.get(party);
        if (its != null && its.remove(member)) {
            size--;
            if (its.isEmpty()) {
                parties.remove(party);
            }
        }
    }

    /** @return the client that has to leave; null if there are not too many. The caller has to {@link #remove} it */
    public T tooMany() {
        if (size <= most) {
            return null;
        }
        Set<T> largest = Set.of();
        for (Set<T> its : parties.values()) {
            if (its.size() > largest.size()) {
                largest = its;
            }
        }
        return largest.iterator().next();
    }
}
