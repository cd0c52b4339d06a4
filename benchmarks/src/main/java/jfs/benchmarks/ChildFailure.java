package jfs.benchmarks;

/** A child process failed or hung. The message has all that the user needs, with the end of the child's output. */
final class ChildFailure extends Exception {
    ChildFailure(String message) {
        super(message);
    }
}
