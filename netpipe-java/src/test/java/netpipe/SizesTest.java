package netpipe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class SizesTest {

    private static List<Integer> sizes(int lower, int upper, int perturbation) {
        List<Integer> sizes = new ArrayList<>();
        for (Sizes.Step step : new Sizes(lower, upper, perturbation)) {
            for (int size : step.sizes()) {
                sizes.add(size);
            }
        }
        return sizes;
    }

    /** What NPtcp measures with -u 64. */
    @Test
    void defaults() {
        assertEquals(List.of(1, 2, 3, 4, 6, 8, 12, 13, 16, 19, 21, 24, 27, 29, 32, 35, 45, 48, 51, 61, 64, 67),
                sizes(1, 64, 3));
    }

    @Test
    void withoutPerturbation() {
        assertEquals(List.of(1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64), sizes(1, 64, 0));
    }

    /** What NPtcp checks with -i -u 40. */
    @Test
    void integrity() {
        assertEquals(List.of(5, 7, 9, 13, 17, 25, 33), sizes(5, 40, 0));
    }

    @Test
    void oneSize() {
        assertEquals(List.of(1), sizes(1, 1, 3));
        assertEquals(List.of(999_997, 1_000_000, 1_000_003), sizes(1_000_000, 1_000_000, 3));
    }

    @Test
    void upToTheLargestSizeAllowed() {
        List<Integer> sizes = sizes(1, 1_000_000_000, 3);
        assertTrue(sizes.stream().allMatch(size -> size >= 1 && size <= 1_000_000_003));
        assertTrue(sizes.get(sizes.size() - 1) > 700_000_000);
    }

    @Test
    void repeatsFillATrial() {
        assertEquals(5000, Sweep.repeats(0.10, 1, 1, 20e-6));
        // 3 bytes, increment 1: the factor is 3 / (3 - 1 + 1) = 1. 16 bytes, increment 4: the factor is 16 / 13.
        assertEquals(4000, Sweep.repeats(0.10, 3, 1, 25e-6));
        assertEquals(2708, Sweep.repeats(0.10, 16, 4, 30e-6));
        assertEquals(3, Sweep.repeats(0.10, 1000, 500, 0.9));
    }
}
