package jfs.conformance.faults;

/** Over MX. Both hosts are this one, between whose processes UCX uses TCP. */
class DeathAtEveryStepBetweenHostsTest extends DeathAtEveryStep {

    DeathAtEveryStepBetweenHostsTest() {
        super(Way.MX);
    }
}
