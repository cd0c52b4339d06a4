package jfs.benchmarks.processes;

/** A child process failed or hung. The message has all that the user needs, with the end of the child's output. */
public final class ChildFailure extends Exception {
    public ChildFailure(String message) {
        super(message);
    }
}
