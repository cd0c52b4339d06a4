package jfs.buffers;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/**
 * What a layout means, as MPI says it: a list with the offset of each element, and the two bounds. It is made element by element.
 *
 * @param offsets in the order in which the elements are packed
 */
record LayoutModel(List<Integer> offsets, int lower, int upper) {

    static final LayoutModel ONE = new LayoutModel(List.of(0), 0, 1);

    int extent() {
        return upper - lower;
    }

    /** Copies of this layout at places, counted in extents of this layout. */
    LayoutModel at(List<Integer> places) {
        List<Integer> all = new ArrayList<>();
        int least = Integer.MAX_VALUE;
        int most = Integer.MIN_VALUE;
        for (int place : places) {
            for (int offset : offsets) {
                all.add(place * extent() + offset);
            }
            least = Math.min(least, place * extent() + lower);
            most = Math.max(most, place * extent() + upper);
        }
        boolean empty = places.isEmpty() || offsets.isEmpty() && extent() == 0;
        return empty ? new LayoutModel(List.of(), 0, 0) : new LayoutModel(all, least, most);
    }

    /** The offsets of several items. */
    List<Integer> items(int offset, int count) {
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            for (int each : offsets) {
                all.add(offset + i * extent() + each);
            }
        }
        return all;
    }

    /** One step in the making of a layout. */
    sealed interface Step {

        <A> ArrayLayout<A> on(ArrayLayout<A> layout);

        StructLayout on(StructLayout layout);

        LayoutModel on(LayoutModel model);
    }

    record Contiguous(int count) implements Step {

        @Override
        public <A> ArrayLayout<A> on(ArrayLayout<A> layout) {
            return layout.contiguous(count);
        }

        @Override
        public StructLayout on(StructLayout layout) {
            return layout.contiguous(count);
        }

        @Override
        public LayoutModel on(LayoutModel model) {
            return new Vector(count, 1, 1).on(model);
        }
    }

    record Vector(int count, int blockLength, int stride) implements Step {

        @Override
        public <A> ArrayLayout<A> on(ArrayLayout<A> layout) {
            return layout.vector(count, blockLength, stride);
        }

        @Override
        public StructLayout on(StructLayout layout) {
            return layout.vector(count, blockLength, stride);
        }

        @Override
        public LayoutModel on(LayoutModel model) {
            List<Integer> places = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                for (int j = 0; j < blockLength; j++) {
                    places.add(i * stride + j);
                }
            }
            return model.at(places);
        }
    }

    record Indexed(List<Block> blocks) implements Step {

        record Block(int length, int displacement) {
        }

        private int[] lengths() {
            return blocks.stream().mapToInt(Block::length).toArray();
        }

        private int[] displacements() {
            return blocks.stream().mapToInt(Block::displacement).toArray();
        }

        @Override
        public <A> ArrayLayout<A> on(ArrayLayout<A> layout) {
            return layout.indexed(lengths(), displacements());
        }

        @Override
        public StructLayout on(StructLayout layout) {
            return layout.indexed(lengths(), displacements());
        }

        @Override
        public LayoutModel on(LayoutModel model) {
            List<Integer> places = new ArrayList<>();
            for (Block block : blocks) {
                for (int j = 0; j < block.length; j++) {
                    places.add(block.displacement + j);
                }
            }
            return model.at(places);
        }
    }

    record Resized(int lowerBound, int extent) implements Step {

        @Override
        public <A> ArrayLayout<A> on(ArrayLayout<A> layout) {
            return layout.resized(lowerBound, extent);
        }

        @Override
        public StructLayout on(StructLayout layout) {
            return layout.resized(lowerBound, extent);
        }

        @Override
        public LayoutModel on(LayoutModel model) {
            return new LayoutModel(model.offsets, lowerBound, lowerBound + extent);
        }
    }

    static <A> ArrayLayout<A> layout(BasicType<A> type, List<Step> steps) {
        ArrayLayout<A> layout = Layout.of(type);
        for (Step step : steps) {
            layout = step.on(layout);
        }
        return layout;
    }

    static LayoutModel model(List<Step> steps) {
        LayoutModel model = ONE;
        for (Step step : steps) {
            model = step.on(model);
        }
        return model;
    }

    /** The steps of layouts: nested, with overlaps, gaps, negative distances, and empty ones. */
    static Arbitrary<List<Step>> steps() {
        Arbitrary<Integer> count = Arbitraries.integers().between(0, 4);
        Arbitrary<Integer> distance = Arbitraries.integers().between(-5, 6);
        Arbitrary<Step> step = Arbitraries.oneOf(
                count.map(Contiguous::new),
                Combinators.combine(count, Arbitraries.integers().between(0, 3), distance).as(Vector::new),
                Combinators.combine(Arbitraries.integers().between(0, 3), distance).as(Indexed.Block::new).list().ofMaxSize(4)
                        .map(Indexed::new),
                Combinators.combine(distance, Arbitraries.integers().between(0, 9)).as(Resized::new));
        return step.list().ofMaxSize(3);
    }
}
