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
 * The regions that this process shares with others. The more connections there are between two processes, the more places has
 * the next region that is made for them: 1, 4, then 16 each. So a connection alone takes no more address space than it
 * needs, and thousands take few mappings and few descriptors.
 *
 * <p>A process is known by a random number, its <em>instance</em>, which it says in its answers. Who will answer an offer is
 * not known before, so what is offered is a guess: a place in a region shared with the instance that has answered
 * under that name before. If it is another one now it says so, and gets a region of its own ({@link StaleOfferException}).
 *
 * <p>Thread-safe. Regions are made and removed without the lock.
 */
final class Regions {

    private static final int MOST_PLACES = 16;
    /** Address space of one region, bytes: larger inboxes get fewer places. */
    private static final long MOST_BYTES = 256L << 20;
    /** Bytes of what an offer says of a place. */
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
    /** Those that this process has made, by the peer's instance. */
    private final Map<Long, List<Region>> made = new HashMap<>();
    /** Other processes' with several places, by node and segment id. */
    private final Map<Long, Region> joined = new HashMap<>();

    /**
     * A place for one more connection, taken.
     *
     * @param name under which the peer will be asked
     */
    Place offer(String name, int inboxBytes, long nonce) throws IOException {
        Long peer;
        int regions;
        synchronized (this) {
            peer = instances.getOrDefault(name, 0L);
            List<Region> known = made.getOrDefault(peer, List.of());
            for (Region region : known) {
                int index = region.isPeerGone() ? -1 : region.freePlace();
                if (index >= 0) {
                    region.take(index);
                    return new Place(this, region, index, true, nonce);
                }
            }
            regions = known.size();
        }
        Region region = create(inboxBytes, peer == 0 ? 1 : places(regions, inboxBytes));
        synchronized (this) {
            region.take(0);
            if (peer != 0) {
                add(region, peer);
            }
        }
        return new Place(this, region, 0, true, nonce);
    }

    /** @param regions how many there are already */
    private static int places(int regions, int inboxBytes) {
        if (Pages.STRICT) { // each place takes all its memory at once
            return 1;
        }
        long room = MOST_BYTES / Region.bytes(inboxBytes, 1);
        return (int) Math.max(1, Math.min(room, regions == 0 ? 1 : regions == 1 ? 4 : MOST_PLACES));
    }

    /** With fewer places, where there is not the address space for so many. */
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
        made.computeIfAbsent(peer, any -> new ArrayList<>()).add(region);
    }

    /** For an answer: who joined. */
    void introduce(ByteBuffer answer) {
        answer.putLong(instance);
    }

    /** The peer that was asked by this name has joined that place. @param answer the rest of its answer */
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

    /** The offer of that place has come to nothing. The next one relies on nothing. */
    synchronized void missed(String name) {
        instances.remove(name);
    }

    /**
     * The place that an offer names, taken.
     *
     * @param description what follows the name of the segment in the offer
     * @throws StaleOfferException if this process shares no such region
     */
    Place join(int node, int segmentId, int inboxBytes, long nonce, ByteBuffer description) throws IOException {
        boolean several = description.remaining() >= PLACE_BYTES; // older builds name no place
        long asked = several ? description.getLong() : 0;
        int places = several ? description.getInt() : 0;
        int index = several ? description.getInt() : 0;
        if (places == 0) {
            Region region = Region.connect(node, segmentId, inboxBytes, 1);
            region.take(0);
            return new Place(this, region, 0, false, nonce);
        }
        if (asked != instance) {
            throw new StaleOfferException("the offer is for another process");
        }
        if (places < 2 || Region.bytes(inboxBytes, places) > Integer.MAX_VALUE || index < 0 || index >= places) {
            throw new IOException("an offer with an impossible place: " + index + " of " + places);
        }
        Region region = take(node, segmentId, inboxBytes, places, index);
        Place place = new Place(this, region, index, false, nonce);
        try {
            place.join();
            return place;
        } catch (Throwable e) {
            place.leave();
            throw e;
        }
    }

    private Region take(int node, int segmentId, int inboxBytes, int places, int index) throws IOException {
        Long key = (long) node << Integer.SIZE | segmentId & 0xffffffffL;
        synchronized (this) {
            Region known = joined.get(key);
            if (known != null && !known.isPeerGone()) {
                if (!known.has(inboxBytes, places) || !known.take(index)) {
                    throw new IOException("an offer of a place that is in use: " + index + " of " + places);
                }
                return known;
            }
        }
        Region region;
        try {
            region = Region.connect(node, segmentId, inboxBytes, places);
        } catch (SciException e) { // this process was in it, and has left it since
            throw new StaleOfferException(e.getMessage());
        }
        synchronized (this) {
            region.take(index);
            region.isKnownAs(key);
            joined.put(key, region);
        }
        return region;
    }

    /** This process has left a place. Makes no object. */
    void leave(Region region, int index) {
        synchronized (this) {
            if (!region.leave(index)) {
                return;
            }
            List<Region> others = made.get(region.peer());
            if (others != null && others.remove(region) && others.isEmpty()) {
                made.remove(region.peer());
            }
            joined.remove(region.key(), region);
        }
        region.end();
    }
}
