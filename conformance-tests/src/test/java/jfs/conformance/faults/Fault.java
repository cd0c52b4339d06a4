package jfs.conformance.faults;

/** What happens to a process at a step. */
public enum Fault {
    /** SIGKILL; the thread stays at the step until then. */
    KILL,
    /** {@link Runtime#halt}, at once, so with all other threads wherever they are. */
    HALT,
    /** {@link System#exit}: shutdown hooks run, and other threads go on meanwhile. */
    EXIT,
    /** The step throws an OutOfMemoryError. The program closes its socket if that comes out of one of its calls. */
    OUT_OF_MEMORY,
    /** SIGSTOP, and SIGCONT after a while. The thread goes on from the step afterwards. */
    STOP,
    /** The thread stays at the step for a while: no fault, and nobody may notice. */
    DELAY;

    boolean isDeadly() {
        return this == KILL || this == HALT || this == EXIT;
    }
}
