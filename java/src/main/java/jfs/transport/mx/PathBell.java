package jfs.transport.mx;

import java.util.concurrent.atomic.LongAdder;
import jfs.mx.EventBell;
import jfs.mx.MxChannel;
import jfs.spi.NoResourcesException;
import jfs.wait.Sleepers;

/**
 * The bell of one end of a connection, and which threads of the end are asleep by it. The channel tells its news to this object and not to
 * the path, because nothing but the socket may keep the path reachable.
 */
final class PathBell implements MxChannel.Listener {

    /** How often the bell of a sleeping thread was rung. */
    static final LongAdder RINGS = new LongAdder();

    private final EventBell bell;
    private volatile boolean readerAsleep;
    private volatile boolean writerAsleep;

    PathBell() throws NoResourcesException {
        bell = new EventBell();
    }

    EventBell bell() {
        return bell;
    }

    /** @param role as {@link Sleepers} has it */
    void setAsleep(int role, boolean asleep) {
        if (role == Sleepers.READER) {
            readerAsleep = asleep;
        } else {
            writerAsleep = asleep;
        }
    }

    @Override
    public void readerNews() {
        if (readerAsleep) {
            readerAsleep = false;
            ring();
        }
    }

    @Override
    public void writerNews() {
        if (writerAsleep) {
            writerAsleep = false;
            ring();
        }
    }

    private void ring() {
        RINGS.increment();
        bell.ringOurselves();
    }
}
