package jfs.conformance.faults;

/** The same over messages, as between hosts. */
class ChannelDeathAtEveryStepBetweenHostsTest extends DeathAtEveryStep {

    ChannelDeathAtEveryStepBetweenHostsTest() {
        super(Way.MX, Ends.CHANNELS, "channel-death-at-every-step-between-hosts");
    }
}
