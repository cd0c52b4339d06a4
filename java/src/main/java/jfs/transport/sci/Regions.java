package jfs.transport.sci;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import jfs.sisci.SciException;
import jfs.spi.NoResourcesException;
import jfs.spi.StaleOfferException;

/**
 * The regions that this process shares with others. The more connections two processes have, the more places the next region
 * between them gets: 1, 4, then 16 each. So a single connection takes no more address space than it needs, and thousands take few
 * mappings and few descriptors.
 *
 * <p>A process is known by a random number, its <em>instance</em>, which it sends in its answers. Which process will answer an
 * offer is not known in advance. So the offer is a guess: a place in a region shared with the instance that has answered under
 * that name before. If another process answers now it says so, and gets a region of its own ({@link StaleOfferException}).
 *
 * <p>Thread-safe. Regions are made and removed without the lock.
 */
final class Regions {

    private static final int MOST_PLACES = 16;
    /** Most address space of one region, bytes: larger inboxes get fewer places. */
    private static final long MOST_BYTES = 256L << 20;
    /** Number of bytes by which an offer names a place. */
    private static final int PLACE_BYTES = Long.BYTES + 2 * Integer.BYTES;
    private static final int NAMES_MAX = 1024;

    private final long instance = ThreadLocalRandom.current().nextLong() | 1; // not 0, which is "not known"

    // Guarded by this.
    /** The instance that has answered last, by the name under which it was asked. */
    private final Map<String, Long> instances = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > NAMES_MAX;
        }
    };
    /** The regions that this process has made, by the peer's instance. */
    private final Map<Long, List<Region>> made = new HashMap<>();
    /** Regions with several places that other processes made, by node and segment id. */
    private final Map<Long, Region> joined = new HashMap<>();

    /**
     * Takes a place for one more connection.
     *
     * @param name under which the peer will be asked; null: the place has to be one that any process can take
     */
    Place offer(String name, int inboxBytes, long nonce) throws IOException {
        Long peer;
        int regions;
        synchronized (this) {
            peer = name == null ? Long.valueOf(0) : instances.getOrDefault(name, 0L);
            List<Region> known = made.getOrDefault(peer, List.of());
            for (Region region : known) {
                int index = region.isPeerGone() ? -1 : region.freePlace();
                if (index >= 0) {
                    Place place = new Place(this, region, index, true, nonce);
                    region.take(index);
                    return place;
                }
            }
            regions = known.size();
        }
        Region region = create(inboxBytes, peer == 0 ? 1 : places(regions, inboxBytes));
        try {
            Place place = new Place(this, region, 0, true, nonce);
            synchronized (this) {
                if (peer != 0) {
                    add(region, peer);
                }
                region.take(0);
            }
            return place;
        } catch (Throwable e) { // an OutOfMemoryError
            region.end();
            throw e;
        }
    }

    /** @param regions how many regions there are already */
    private static int places(int regions, int inboxBytes) {
        if (Pages.STRICT) { // each place takes all its memory at once
            return 1;
        }
        long room = MOST_BYTES / Region.bytes(inboxBytes, 1);
        return (int) Math.max(1, Math.min(room, regions == 0 ? 1 : regions == 1 ? 4 : MOST_PLACES));
    }

    /** Makes a region. It has only one place if there is not enough address space for more. */
    private static Region create(int inboxBytes, int places) throws IOException {
        try {
            return Region.create(inboxBytes, places);
        } catch (NoResourcesException e) {
            if (places == 1) {
                throw e;
            }
            return Region.create(inboxBytes, 1);
        }
    }

    private void add(Region region, Long peer) {
        region.isSharedWith(peer);
        List<Region> its = made.get(peer);
        if (its == null) {
            its = new ArrayList<>();
            made.put(peer, its);
        }
        its.add(region);
    }

    /** Writes to the answer which process joined. */
    void introduce(ByteBuffer answer) {
        answer.putLong(instance);
    }

    /**
     * The peer that was asked by this name has joined that place.
     *
     * @param answer the rest of its answer
     */
    synchronized void met(String name, Place place, ByteBuffer answer) {
        long peer = answer.remaining() < Long.BYTES ? 0 : answer.getLong(); // older builds say nothing
        if (peer == 0) {
            return;
        }
        instances.put(name, peer);
        if (place.region().peer() == 0) {
            add(place.region(), peer);
        }
    }

    /** The peer that was asked by this name could not take that place. The next offer to it relies on nothing that is known. */
    synchronized void missed(String name, Place place) {
        instances.remove(name);
        unlist(place.region());
    }

    /** No more places of the region are offered. Allocates nothing. */
    private void unlist(Region region) {
        List<Region> others = made.get(region.peer());
        if (others != null && others.remove(region) && others.isEmpty()) {
            made.remove(region.peer());
        }
    }

    /**
     * Takes the place that an offer names.
     *
     * @param description what follows the name of the segment in the offer
     * @param deadline for the peer process to answer
     * @throws StaleOfferException if this process shares no such region
     */
    Place join(int node, int segmentId, int inboxBytes, long nonce, ByteBuffer description, long deadline) throws IOException {
        boolean said = description.remaining() >= PLACE_BYTES; // older builds say nothing of a place
        long asked = said ? description.getLong() : 0;
        int places = said ? description.getInt() : 0;
        int index = said ? description.getInt() : 0;
        if (places == 0) {
            return alone(Region.connect(node, segmentId, inboxBytes, 1, deadline), nonce);
        }
        if (asked != instance) {
            throw new StaleOfferException("the offer is for another process");
        }
        if (places < 2 || Region.bytes(inboxBytes, places) > MOST_BYTES || index < 0 || index >= places) {
            throw new IOException("an offer with an impossible place: " + index + " of " + places);
        }
        Region region = take(node, segmentId, inboxBytes, places, index, deadline);
        boolean in = false;
        try {
            Place place = new Place(this, region, index, false, nonce);
            place.join();
            in = true;
            return place;
        } finally {
            if (!in) {
                leave(region, index);
            }
        }
    }

    private Place alone(Region region, long nonce) {
        try {
            Place place = new Place(this, region, 0, false, nonce);
            region.take(0);
            return place;
        } catch (Throwable e) { // an OutOfMemoryError
            region.end();
            throw e;
        }
    }

    private Region take(int node, int segmentId, int inboxBytes, int places, int index, long deadline) throws IOException {
        Long key = (long) node << Integer.SIZE | segmentId & 0xffffffffL;
        synchronized (this) {
            Region known = joined.get(key);
            if (known != null && !known.isPeerGone()) {
                if (!known.has(inboxBytes, places)) {
                    throw new IOException("an offer of a region of " + places + " places that has " + known.places());
                }
                if (!known.take(index)) { // an end of this process has just freed the place, and has not left it here yet
                    throw new StaleOfferException("this process is still in that place");
                }
                return known;
            }
        }
        Region region;
        try {
            region = Region.connect(node, segmentId, inboxBytes, places, deadline);
        } catch (SciException e) { // this process was in the region, and has left it since
            throw new StaleOfferException(e.getMessage());
        }
        try {
            synchronized (this) {
                joined.put(key, region);
                region.isKnownAs(key);
                region.take(index);
            }
            return region;
        } catch (Throwable e) { // an OutOfMemoryError
            region.end();
            throw e;
        }
    }

    /** This process has left a place. Allocates nothing. */
    void leave(Region region, int index) {
        synchronized (this) {
            if (!region.leave(index)) {
                return;
            }
            unlist(region);
            joined.remove(region.key(), region);
        }
        region.end();
    }
}
