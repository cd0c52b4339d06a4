package jfs.conformance.harness.faults;

/** What happens to a process at a step. */
public enum Fault {
    /** SIGKILL; the thread stays at the step until then. */
    KILL,
    /** {@link Runtime#halt}, at once. All other threads end wherever they are. */
    HALT,
    /** {@link System#exit}: shutdown hooks run, and other threads go on meanwhile. */
    EXIT,
    /** The step throws an OutOfMemoryError. If one of the program's calls throws it the program closes its socket. */
    OUT_OF_MEMORY,
    /** SIGSTOP, and SIGCONT after a while. The thread goes on from the step afterwards. */
    STOP,
    /** The thread stays at the step for a while. This is no fault, and the programs must not notice it. */
    DELAY;

    public boolean isDeadly() {
        return this == KILL || this == HALT || this == EXIT;
    }
}
