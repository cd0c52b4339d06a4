package jfs.conformance.faults;

/** Faults at every step over shared memory, with channels at one end or at both: in blocking mode, or by selectors. */
class ChannelDeathAtEveryStepTest extends DeathAtEveryStep {

    ChannelDeathAtEveryStepTest() {
        super(Way.SCI, Ends.CHANNELS, "channel-death-at-every-step");
    }
}
