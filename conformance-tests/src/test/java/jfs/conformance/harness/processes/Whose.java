package jfs.conformance.harness.processes;

import jfs.testing.Natives;

/** Which sockets a child process uses. */
public enum Whose {
    JDK, TCP, SCI, MX, NIO, NIO_SCI;

    public Child.Start start() throws Exception {
        return switch (this) {
            case JDK -> Child.plain();
            case TCP -> Child.jfs().with("-Djfs.transport=tcp");
            case SCI -> Child.jfs().with("-Djfs.transport=sci");
            case MX -> Child.jfsOverMx();
            case NIO -> Child.jfsWithNatives("/nonexistent");
            case NIO_SCI -> Child.jfs().with("-Djfs.transport=sci").with("-Djfs.tcp=nio");
        };
    }

    /** Whether connections of these sockets get a fast path. */
    public boolean switches() {
        return this == SCI || this == MX || this == NIO_SCI;
    }

    /** Skips the test if this machine can't have them. */
    public void assume() {
        if (this == MX) {
            Natives.assumeMx();
        }
    }
}
