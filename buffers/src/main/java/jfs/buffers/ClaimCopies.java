package jfs.buffers;

import java.io.EOFException;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.Buffer;
import jfs.buffers.elements.Elements;
import jfs.buffers.elements.Runs;
import jfs.memory.ClaimViews;
import jfs.streams.ReadClaim;
import jfs.streams.StreamClaim;
import jfs.streams.TypedInput;
import jfs.streams.TypedOutput;
import jfs.streams.WriteClaim;

/**
 * Copies items of a layout between an array and the memory of claims, which is that of the fast path where the connection has one. The
 * bounds of the array were checked. A buffer of a claim's memory is used inside of one method and never kept (CLAIM-1).
 */
final class ClaimCopies<A> {

    /** The most bytes of a claim that is written. The receiver takes out one piece while the next one is packed. */
    private static final int PIECE = 32 << 10;

    private final ArrayLayout<A> layout;
    private final Elements<A> elements;
    private final Runs runs;
    private final A array;
    private final int offset;
    // The place of the next element: the item, its run, and the elements of that run that are done.
    private int item;
    private int run;
    private int part;

    /** @param offset the index in the array at which the first item has its offset 0 */
    ClaimCopies(ArrayLayout<A> layout, A array, int offset) {
        this.layout = layout;
        this.elements = layout.type().elements();
        this.runs = layout.runs();
        this.array = array;
        this.offset = offset;
    }

    /** Writes that many elements, in pieces. */
    void write(TypedOutput out, int units) throws IOException {
        int size = elements.size();
        for (int left = units; left > 0;) {
            int n = Math.min(left, PIECE / size);
            try (WriteClaim claim = size == 1 ? out.claimBytes(n) : out.claim(n * size)) {
                pack(claim, 0, n);
                claim.commit();
            }
            left -= n;
        }
    }

    /** Reads that many elements, in the pieces in which they lie. */
    void read(TypedInput in, int units) throws IOException {
        int size = elements.size();
        for (int left = units; left > 0;) {
            int most = (int) Math.min((long) left * size, TypedOutput.CLAIM_MAX);
            try (ReadClaim claim = size == 1 ? in.claimBytes(size, most) : in.claim(size, most)) {
                if (claim == null) {
                    throw new EOFException("the stream ended after " + (units - left) + " of " + units + " elements of type "
                            + layout.type());
                }
                int n = claim.length() / size;
                unpack(claim, 0, n);
                claim.release(n * size);
                left -= n;
            }
        }
    }

    void pack(WriteClaim claim, int index, int units) {
        copy(claim, index, units, true);
    }

    void unpack(ReadClaim claim, int index, int units) {
        copy(claim, index, units, false);
    }

    private void copy(StreamClaim claim, int index, int units, boolean packs) {
        ClaimViews views = ClaimViews.get();
        int place = views.check(claim, index, (long) units * elements.size());
        Buffer view = views.view(claim, elements.type(), place);
        int at = place / elements.size();
        for (int left = units; left > 0;) {
            int n = run == 0 && part == 0 && left >= runs.units() ? items(view, at, left / runs.units(), packs)
                    : part == 0 && left >= runs.length(run) ? wholeRuns(view, at, left, packs)
                    : partOfRun(view, at, Math.min(left, runs.length(run) - part), packs);
            at += n;
            left -= n;
        }
        Reference.reachabilityFence(claim); // what it refers to keeps the memory mapped
    }

    /** @return the number of elements that were copied, as of the other two */
    private int items(Buffer view, int at, int count, boolean packs) {
        if (packs) {
            layout.put(array, base(), count, view, at);
        } else {
            layout.get(view, at, array, base(), count);
        }
        item += count;
        return count * runs.units();
    }

    private int wholeRuns(Buffer view, int at, int most, boolean packs) {
        int units = 0;
        int count = 0;
        if (runs.blockLength() > 0) {
            count = Math.min(runs.count() - run, most / runs.blockLength());
            units = count * runs.blockLength();
        } else {
            while (run + count < runs.count() && runs.length(run + count) <= most - units) {
                units += runs.length(run + count);
                count++;
            }
        }
        if (packs) {
            elements.putRuns(array, base(), runs, run, count, view, at);
        } else {
            elements.getRuns(view, at, array, base(), runs, run, count);
        }
        run += count;
        nextItemIfDone();
        return units;
    }

    private int partOfRun(Buffer view, int at, int count, boolean packs) {
        int first = base() + runs.offset(run) + part;
        if (packs) {
            elements.put(array, first, count, view, at);
        } else {
            elements.get(view, at, count, array, first);
        }
        part += count;
        if (part == runs.length(run)) {
            part = 0;
            run++;
            nextItemIfDone();
        }
        return count;
    }

    private void nextItemIfDone() {
        if (run == runs.count()) {
            run = 0;
            item++;
        }
    }

    /** Where the item has its offset 0. */
    private int base() {
        return offset + item * layout.extent();
    }
}
