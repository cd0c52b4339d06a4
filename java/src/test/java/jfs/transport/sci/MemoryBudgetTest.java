package jfs.transport.sci;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jfs.spi.NoResourcesException;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {

    private static final long LEAST = MemoryBudget.LEAST;

    @Test
    void eachConnectionFindsItsLeast() throws Exception {
        MemoryBudget budget = new MemoryBudget(2 * LEAST);
        budget.share();
        MemoryBudget.Share second = budget.share();
        assertFalse(budget.isShort());
        NoResourcesException full = assertThrows(NoResourcesException.class, budget::share);
        assertTrue(full.getMessage().endsWith(" " + 2 * LEAST + " bytes (jfs.memory.max)"), full.getMessage());
        second.end();
        second.end();
        budget.share();
        assertThrows(NoResourcesException.class, budget::share);
    }

    @Test
    void itIsShortWhileConnectionsHoldMore() throws Exception {
        MemoryBudget budget = new MemoryBudget(10 * LEAST);
        MemoryBudget.Share first = budget.share();
        MemoryBudget.Share second = budget.share();
        first.hold(9 * LEAST);
        assertFalse(budget.isShort());
        second.hold(LEAST + 1);
        assertTrue(budget.isShort());
        assertThrows(NoResourcesException.class, budget::share);
        first.hold(0); // counts as LEAST
        assertFalse(budget.isShort());
        second.end();
        second.hold(100 * LEAST); // has no effect after the end
        for (int i = 0; i < 9; i++) {
            budget.share();
        }
        assertThrows(NoResourcesException.class, budget::share);
    }

    @Test
    void aBudgetOfZeroRefusesEachConnection() {
        assertThrows(NoResourcesException.class, new MemoryBudget(0)::share);
        assertEquals(64 << 10, LEAST);
    }
}
