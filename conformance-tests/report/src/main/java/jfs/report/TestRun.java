package jfs.report;

import java.util.List;

/**
 * One run of one test.
 *
 * @param module the folder of the Maven module that has the test
 * @param reason why the test was skipped or failed, in one line, may be empty; for an unsteady test why it failed first
 * @param seconds how long the run took
 * @param reduced what the test did less often than with {@code --all}, in the test's own words
 */
record TestRun(String module, TestName name, Outcome outcome, String reason, double seconds, List<String> reduced) {

    TestRun(String module, String name, Outcome outcome, String reason, double seconds) {
        this(module, TestName.of(name), outcome, reason, seconds, List.of());
    }

    /** An unsteady run: this run, which passed, after a run that failed. */
    TestRun after(TestRun failure) {
        return new TestRun(module, name, Outcome.UNSTEADY, failure.reason, failure.seconds + seconds, reduced);
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
