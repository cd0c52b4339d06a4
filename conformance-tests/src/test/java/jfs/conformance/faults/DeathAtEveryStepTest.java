package jfs.conformance.faults;

/** Faults at every step over shared memory. */
class DeathAtEveryStepTest extends DeathAtEveryStep {

    DeathAtEveryStepTest() {
        super(Way.SCI, Ends.SOCKETS, "death-at-every-step");
    }
}
