package jfs.transport.mx;

import jfs.mx.Leadership;
import jfs.mx.MxEndpoint;
import jfs.nativelib.Mx;
import jfs.wait.Sleepers;

/**
 * A thread that waits for messages asleep. It waits at the endpoint's descriptor if it can lead ({@link Leadership}, LEADER-5),
 * or else until the thread that finds a message for it rings its bell.
 */
abstract class EndpointSleeper implements Sleepers.Sleeper {

    /** How often in a flood of messages a leader tries to wait before it checks everything else again. */
    private static final int WAITS = 4;

    private final MxEndpoint endpoint;
    private final Leadership leadership;
    private final PathBell bell;
    private final int role;
    /** Used under the lock of the direction. */
    private boolean announced;

    /** @param role as {@link Sleepers} has it */
    EndpointSleeper(MxEndpoint endpoint, PathBell bell, int role) {
        this.endpoint = endpoint;
        this.bell = bell;
        this.role = role;
        this.leadership = endpoint.leadership();
    }

    /** Whether what the thread waits for has been handed on. */
    abstract boolean hasNews();

    /** Whether the thread waits for messages that it had better find itself. */
    abstract boolean mayLead();

    /**
     * After the thread has announced itself it sees only what has been handed on: the thread at the library then looks for all
     * (LEADER-5).
     */
    @Override
    public boolean arrived() {
        if (hasNews()) {
            return true;
        }
        if (announced) {
            return false;
        }
        endpoint.progress();
        return hasNews();
    }

    @Override
    public void announce() {
        announced = true;
        // volatile, as are the fields that arrived() reads: the sleeper or the thread with the news sees the other's store (ORDER-1)
        bell.setAsleep(role, true);
    }

    @Override
    public void retract() {
        announced = false;
        bell.setAsleep(role, false);
    }

    @Override
    public int poll(int bell, int tcp, int tcpEvents, int millis) {
        if (!mayLead() || !leadership.lead()) {
            leadership.follow();
            return Sleepers.Sleeper.super.poll(bell, tcp, tcpEvents, millis);
        }
        try {
            for (int i = 0; i < WAITS && (i == 0 || !hasNews()); i++) {
                int ready = leadership.await(bell, tcp, tcpEvents, millis);
                if (ready != Mx.LOOK_FIRST) {
                    return ready;
                }
                endpoint.progressAll(); // (LEADER-2)
            }
            return 0;
        } finally {
            leadership.leave();
        }
    }

    @Override
    public void willPark() {
        leadership.follow();
    }
}
