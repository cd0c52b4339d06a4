package jfs.buffers;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.Buffer;
import jfs.buffers.elements.Elements;
import jfs.buffers.elements.Runs;
import jfs.memory.ElementSequence;
import jfs.memory.StreamAccess;
import jfs.streams.ReadClaim;
import jfs.streams.StreamClaim;
import jfs.streams.TypedInput;
import jfs.streams.TypedOutput;
import jfs.streams.WriteClaim;

/**
 * Copies items of a layout between an array and the memory of a typed stream or a claim, which is that of the fast path where the
 * connection has one. The bounds of the array were checked. A buffer of such memory is used inside of one method and never kept (CLAIM-1).
 */
final class LayoutCopies<A> extends ElementSequence {

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
    LayoutCopies(ArrayLayout<A> layout, A array, int offset) {
        this.layout = layout;
        this.elements = layout.type().elements(Elements.Memory.STABLE); // that of a path, or of the stream itself (BLOCKS-1)
        this.runs = layout.runs();
        this.array = array;
        this.offset = offset;
    }

    /** Writes that many elements. */
    void write(TypedOutput out, int units) throws IOException {
        StreamAccess.get().write(out, elements.type(), this, units);
    }

    /** Reads that many elements. */
    void read(TypedInput in, int units) throws IOException {
        StreamAccess.get().readFully(in, elements.type(), this, units);
    }

    void pack(WriteClaim claim, int index, int units) {
        copy(claim, index, units, true);
    }

    void unpack(ReadClaim claim, int index, int units) {
        copy(claim, index, units, false);
    }

    private void copy(StreamClaim claim, int index, int units, boolean packs) {
        StreamAccess access = StreamAccess.get();
        int place = access.check(claim, index, (long) units * elements.size());
        copy(access.view(claim, elements.type(), place), place / elements.size(), units, packs);
        Reference.reachabilityFence(claim); // what it refers to keeps the memory mapped
    }

    @Override
    public void put(Buffer view, int at, int count) {
        copy(view, at, count, true);
    }

    @Override
    public void get(Buffer view, int at, int count) {
        copy(view, at, count, false);
    }

    private void copy(Buffer view, int index, int units, boolean packs) {
        int at = index;
        for (int left = units; left > 0;) {
            int n = run == 0 && part == 0 && left >= runs.units() ? items(view, at, left / runs.units(), packs)
                    : part == 0 && left >= runs.length(run) ? wholeRuns(view, at, left, packs)
                    : partOfRun(view, at, Math.min(left, runs.length(run) - part), packs);
            at += n;
            left -= n;
        }
    }

    /** @return the number of elements that were copied, as of the other two */
    private int items(Buffer view, int at, int count, boolean packs) {
        if (packs) {
            layout.put(elements, array, base(), count, view, at);
        } else {
            layout.get(elements, view, at, array, base(), count);
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
