package jfs.conformance.faults;

/** Faults at every step over MX. Both hosts are this one, and UCX uses TCP between its processes. */
class DeathAtEveryStepBetweenHostsTest extends DeathAtEveryStep {

    DeathAtEveryStepBetweenHostsTest() {
        super(Way.MX, Ends.SOCKETS, "death-at-every-step-between-hosts");
    }
}
