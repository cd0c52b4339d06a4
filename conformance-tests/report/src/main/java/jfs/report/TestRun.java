package jfs.report;

/**
 * One run of one test.
 *
 * @param module the folder of the Maven module that has the test
 * @param reason why the test was skipped or failed, in one line, may be empty; for an unsteady test why it failed first
 * @param seconds how long the run took
 */
record TestRun(String module, TestName name, Outcome outcome, String reason, double seconds) {

    TestRun(String module, String name, Outcome outcome, String reason, double seconds) {
        this(module, TestName.of(name), outcome, reason, seconds);
    }

    /** An unsteady run: this run, which passed, after a run that failed. */
    TestRun after(TestRun failure) {
        return new TestRun(module, name, Outcome.UNSTEADY, failure.reason, failure.seconds + seconds);
    }

    String type() {
        return name.type();
    }

    String subject() {
        return name.subject();
    }

    String behaviour() {
        return name.behaviour();
    }
}
