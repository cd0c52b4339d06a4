package jfs.report;

/**
 * One run of one test.
 *
 * @param module the folder of the Maven module that it is in
 * @param reason why it was skipped or failed, in one line, may be empty; of an unsteady one why it failed first
 * @param seconds how long it took
 */
record TestRun(String module, TestName name, Outcome outcome, String reason, double seconds) {

    TestRun(String module, String name, Outcome outcome, String reason, double seconds) {
        this(module, TestName.of(name), outcome, reason, seconds);
    }

    /** This run, which passed, after one that failed. */
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
