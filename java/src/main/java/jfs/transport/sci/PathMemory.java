package jfs.transport.sci;

import jfs.wait.Sleepers;

/** What the {@link Lease} of a {@link SciPath} frees; must not refer to the path. */
record PathMemory(Sleepers sleepers, SciResources resources) implements Runnable {

    @Override
    public void run() {
        try {
            sleepers.end();
        } finally {
            resources.run();
        }
    }
}
