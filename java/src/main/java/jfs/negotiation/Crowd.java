package jfs.negotiation;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Those who are being served, each for a party, and who of them gives way when there are too many (NEG-5): the one that came
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
        Set<T> its = parties.get(party);
        if (its == null) {
            its = new LinkedHashSet<>();
            parties.put(party, its);
        }
        its.add(member);
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
        Set<T> largest = Set.of();
        for (Set<T> its : parties.values()) {
            if (its.size() > largest.size()) {
                largest = its;
            }
        }
        return largest.iterator().next();
    }
}
