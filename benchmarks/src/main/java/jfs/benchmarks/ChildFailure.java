package jfs.benchmarks;

/** A child process failed or hung; the message is all that its user needs, the end of its output included. */
final class ChildFailure extends Exception {
    ChildFailure(String message) {
        super(message);
    }
}
