package jfs.report;

/** How a test ended. */
enum Outcome {
    PASSED,
    /** It failed, and passed when it was run again. */
    UNSTEADY,
    FAILED,
    SKIPPED
}
