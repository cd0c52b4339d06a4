package jfs.sisci;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import jfs.spi.NoResourcesException;
import org.junit.jupiter.api.Test;

/** The test plays the kernel that counts the mappings, and sets the clock. */
class MappingLimitTest {

    private static final int LIMIT = 65_530;
    private static final int MOST = LIMIT / 2;

    private int mapped;
    private int looks;
    private long nanos = Long.MAX_VALUE - 1; // soon overflows to negative numbers
    private final MappingLimit mappings = new MappingLimit(LIMIT, () -> {
        looks++;
        return mapped;
    }, () -> nanos);

    /** Makes a connection, which adds a mapping. */
    private void connect() throws NoResourcesException {
        mappings.take();
        mapped++;
    }

    private void after(long seconds) {
        nanos += TimeUnit.SECONDS.toNanos(seconds) + 1;
    }

    @Test
    void halfOfTheLimitAndNoMore() throws Exception {
        mapped = 1_000;
        while (mapped < MOST) {
            connect();
        }
        NoResourcesException e = assertThrows(NoResourcesException.class, mappings::take);
        assertEquals("more than 32765 memory mappings are in use, half of vm.max_map_count", e.getMessage());
        assertTrue(looks < 30, () -> looks + " looks for " + (MOST - 1_000) + " connections");
    }

    @Test
    void aConnectionNowAndThenCostsALookInTenSeconds() throws Exception {
        mapped = 1_000;
        for (int i = 0; i < 100; i++) {
            connect();
        }
        assertEquals(1, looks);
        after(10);
        connect();
        assertEquals(2, looks);
    }

    /** The program makes mappings of its own, then unmaps them. After that, connections become fast again. */
    @Test
    void othersTakeMappingsToo() throws Exception {
        connect();
        mapped = LIMIT;
        after(10);
        assertThrows(NoResourcesException.class, mappings::take);
        int looksWhenFull = looks;
        for (int i = 0; i < 100; i++) {
            assertThrows(NoResourcesException.class, mappings::take);
        }
        assertEquals(looksWhenFull, looks, "a refusal costs no look");
        mapped = 1_000;
        after(1);
        connect();
    }

    @Test
    void whereTheKernelDoesNotTellThereIsRoom() throws Exception {
        MappingLimit unknown = new MappingLimit(Integer.MAX_VALUE, () -> {
            throw new IOException("no /proc");
        }, () -> nanos);
        for (int i = 0; i < 1_000; i++) {
            unknown.take();
        }
    }

    @Test
    void thisProcess() throws Exception {
        new MappingLimit().take();
    }
}
