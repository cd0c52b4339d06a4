package jfs.transport.mx;

import jfs.mx.MxChannel;
import jfs.steps.Step;
import jfs.wait.Sleepers;

/** Frees everything of an {@link MxPath} once the path is retired or garbage, so it must not refer to the path. */
record PathMemory(MxChannel channel, Sleepers sleepers, PathBell bell) implements Runnable {

    @Override
    public void run() {
        try {
            channel.abandon();
        } finally {
            sleepers.end();
            bell.bell().run();
            Step.FREED.reached();
        }
    }
}
