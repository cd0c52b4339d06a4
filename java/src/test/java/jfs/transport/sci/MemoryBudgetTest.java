package jfs.transport.sci;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jfs.procfs.MemoryGroup;
import jfs.procfs.MemoryLimit;
import jfs.spi.NoResourcesException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryBudgetTest {

    private static final long LEAST = MemoryBudget.LEAST;
    private static final long RESERVE = MemoryBudget.RESERVE;
    private static final long INBOX = 5 << 20;
    private static final long PLENTY = 1L << 40;

    /** A budget of a process that is in no control group with a limit, whatever group the test runs in. */
    private static MemoryBudget ungrouped(long most) {
        return new MemoryBudget(most) {
            @Override
            List<MemoryGroup> groups() {
                return List.of();
            }
        };
    }

    @Test
    void eachConnectionFindsItsLeast() throws Exception {
        MemoryBudget budget = ungrouped(2 * LEAST);
        budget.share(INBOX);
        MemoryBudget.Share second = budget.share(INBOX);
        assertFalse(budget.isShort());
        NoResourcesException full = assertThrows(NoResourcesException.class, () -> budget.share(INBOX));
        assertTrue(full.getMessage().endsWith(" " + 2 * LEAST + " bytes (jfs.memory.max)"), full.getMessage());
        second.end();
        second.end();
        budget.share(INBOX);
        assertThrows(NoResourcesException.class, () -> budget.share(INBOX));
    }

    @Test
    void itIsShortWhileConnectionsHoldMore() throws Exception {
        MemoryBudget budget = ungrouped(10 * LEAST);
        MemoryBudget.Share first = budget.share(INBOX);
        MemoryBudget.Share second = budget.share(INBOX);
        first.hold(9 * LEAST);
        assertFalse(budget.isShort());
        second.hold(LEAST + 1);
        assertTrue(budget.isShort());
        assertThrows(NoResourcesException.class, () -> budget.share(INBOX));
        first.hold(0); // counts as LEAST
        assertFalse(budget.isShort());
        second.end();
        second.hold(100 * LEAST); // has no effect after the end
        for (int i = 0; i < 9; i++) {
            budget.share(INBOX);
        }
        assertThrows(NoResourcesException.class, () -> budget.share(INBOX));
    }

    @Test
    void aBudgetOfZeroRefusesEachConnection() {
        assertThrows(NoResourcesException.class, () -> ungrouped(0).share(INBOX));
        assertEquals(64 << 10, LEAST);
    }

    /** A budget in a control group of version 2, whose files are in a folder, with a clock that the test sets. */
    private static final class Grouped extends MemoryBudget {
        private final Path folder;
        private long now;

        Grouped(Path folder, long most) throws IOException {
            super(most);
            this.folder = folder;
            Files.writeString(folder.resolve("cgroup"), "0::/\n");
            room(PLENTY);
        }

        /** The group now has that much room, and the last look was too long ago. */
        void room(long bytes) throws IOException {
            write("memory.max", "" + (1000 + bytes));
            write("memory.current", "1000");
            now += TimeUnit.SECONDS.toNanos(1);
        }

        void write(String file, String text) throws IOException {
            Files.writeString(folder.resolve(file), text + "\n");
        }

        @Override
        long now() {
            return now;
        }

        @Override
        List<MemoryGroup> groups() {
            return MemoryLimit.groups(folder.resolve("cgroup"), folder);
        }
    }

    @Test
    void aGroupThatIsNearlyFullRefusesAConnection(@TempDir Path folder) throws Exception {
        Grouped budget = new Grouped(folder, PLENTY);
        budget.share(INBOX);
        budget.room(RESERVE + INBOX);
        budget.share(INBOX);
        NoResourcesException full = assertThrows(NoResourcesException.class, () -> budget.share(INBOX),
                "the connection before it has been counted");
        assertEquals("the control group has 12 MB left of its memory limit of 13 MB, and a fast path needs 13 MB (" + folder + ")",
                full.getMessage());
        assertFalse(budget.isShort(), "those that are there may go on");
        budget.room(RESERVE + INBOX + LEAST);
        budget.share(INBOX);
    }

    @Test
    void aGroupIsLookedAtOnceASecond(@TempDir Path folder) throws Exception {
        Grouped budget = new Grouped(folder, PLENTY);
        budget.share(INBOX);
        budget.write("memory.current", "" + PLENTY);
        budget.share(INBOX);
        budget.now += TimeUnit.SECONDS.toNanos(1) - 1;
        budget.share(INBOX);
        budget.now++;
        assertThrows(NoResourcesException.class, () -> budget.share(INBOX));
    }

    /** What connections take between two looks counts too. */
    @Test
    void theBudgetIsShortWhileAGroupHasNoRoomForMore(@TempDir Path folder) throws Exception {
        Grouped budget = new Grouped(folder, PLENTY);
        MemoryBudget.Share share = budget.share(INBOX);
        budget.room(RESERVE + INBOX);
        budget.look();
        assertFalse(budget.isShort());
        share.hold(INBOX + LEAST);
        assertFalse(budget.isShort());
        share.hold(INBOX + LEAST + 1);
        assertTrue(budget.isShort());
        share.hold(0);
        budget.room(RESERVE - 1);
        budget.look();
        assertTrue(budget.isShort(), "what connections hold is more than they may");
        budget.room(RESERVE);
        budget.look();
        assertFalse(budget.isShort());
    }

    /** A sender asks while it writes. To read files would take it too long. */
    @Test
    void aSenderDoesNotLook(@TempDir Path folder) throws Exception {
        Grouped budget = new Grouped(folder, PLENTY);
        budget.share(INBOX);
        budget.room(0);
        assertFalse(budget.isShort());
        budget.look();
        assertTrue(budget.isShort());
        budget.room(PLENTY);
        assertTrue(budget.isShort());
        budget.look();
        assertFalse(budget.isShort());
    }

    /** A process that has no descriptor left can't read the list of its groups. */
    @Test
    void whatTheLastLookHasFoundCountsWhileTheGroupsCanNotBeListed(@TempDir Path folder) throws Exception {
        Grouped budget = new Grouped(folder, PLENTY);
        budget.share(INBOX);
        budget.room(0);
        budget.look();
        Files.delete(folder.resolve("cgroup"));
        budget.room(PLENTY);
        budget.look();
        assertTrue(budget.isShort());
        assertThrows(NoResourcesException.class, () -> budget.share(INBOX));
        budget.write("cgroup", "0::/");
        budget.room(PLENTY);
        budget.share(INBOX);
        assertFalse(budget.isShort());
    }

    @Test
    void aLimitThatIsSetLaterIsFoundByTheNextLook(@TempDir Path folder) throws Exception {
        Grouped budget = new Grouped(folder, PLENTY);
        budget.write("memory.max", "max");
        budget.share(INBOX);
        budget.room(0);
        budget.look();
        assertFalse(budget.isShort(), "without a limit JFS looks less often");
        budget.now += TimeUnit.SECONDS.toNanos(30);
        assertFalse(budget.isShort(), "and a sender does not look");
        budget.look();
        assertTrue(budget.isShort());
        budget.room(0);
        budget.write("memory.max", "max");
        budget.look();
        assertFalse(budget.isShort());
        budget.share(INBOX);
    }

    @Test
    void theOwnLimitHoldsInAGroupToo(@TempDir Path folder) throws Exception {
        Grouped budget = new Grouped(folder, LEAST);
        budget.share(INBOX).hold(LEAST + 1);
        assertTrue(budget.isShort());
        assertThrows(NoResourcesException.class, () -> budget.share(INBOX));
    }
}
