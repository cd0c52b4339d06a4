package jfs.conformance.faults;

/** Over shared memory. */
class DeathAtEveryStepTest extends DeathAtEveryStep {

    DeathAtEveryStepTest() {
        super(Way.SCI);
    }
}
