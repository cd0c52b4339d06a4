package jfs.negotiation;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Those who are being served, each for a party, and who of them gives way when there are too many (R18): the one that came
 * first, of the party that has most. So one who floods us pushes out his own. Not for several threads.
 */
final class Crowd<T> {

    private final int most;
    private final Map<Long, Set<T>> parties = new HashMap<>();
    private int size;

    /** @param most how many there should be */
    Crowd(int most) {
        this.most = most;
    }

    void add(long party, T member) {
        parties.computeIfAbsent(party, key -> new LinkedHashSet<>()).add(member);
        size++;
    }

    /** Nothing happens if it is not here. */
    void remove(long party, T member) {
        Set<T> its = parties.get(party);
        if (its != null && its.remove(member)) {
            size--;
            if (its.isEmpty()) {
                parties.remove(party);
            }
        }
    }

    /** Who has to go now that the last one has come; null if nobody. */
    T tooMany() {
        if (size <= most) {
            return null;
        }
        Iterator<T> largest = parties.values().stream().max(Comparator.comparing(Collection::size)).get().iterator();
        return largest.next();
    }
}
