package jfs.transport.mx;

import jfs.mx.Leadership;
import jfs.mx.MxEndpoint;
import jfs.wait.Sleepers;

/**
 * Who waits for messages asleep: at the endpoint's descriptor, if it can lead ({@link Leadership}, R29), or until whoever finds one
 * rings.
 */
abstract class EndpointSleeper implements Sleepers.Sleeper {

    /** How often in a flood of messages a leader tries to arm before it looks at everything else again. */
    private static final int ARMS = 4;

    private final MxEndpoint endpoint;
    private final Leadership leadership;

    EndpointSleeper(MxEndpoint endpoint) {
        this.endpoint = endpoint;
        this.leadership = endpoint.leadership();
    }

    /** Whether what it waits for has been handed on. */
    abstract boolean hasNews();

    /** Whether it waits for messages that its own thread had better find itself. */
    abstract boolean mayLead();

    @Override
    public boolean arrived() {
        if (hasNews()) {
            return true;
        }
        endpoint.progress();
        return hasNews();
    }

    @Override
    public int beginWait(boolean inPoll) {
        if (!inPoll || !mayLead() || !leadership.lead()) {
            leadership.follow();
            return Sleepers.NO_DESCRIPTOR;
        }
        boolean armed = false;
        try {
            for (int i = 0; i < ARMS && !armed && (i == 0 || !hasNews()); i++) {
                armed = leadership.arm();
                if (!armed) {
                    endpoint.progressAll(); // (E4)
                }
            }
            return armed ? leadership.descriptor() : Sleepers.LOOK_AGAIN;
        } finally {
            if (!armed) {
                leadership.leave();
            }
        }
    }

    @Override
    public void endWait() {
        leadership.leave();
    }
}
