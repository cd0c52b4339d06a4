package jfs.conformance.harness;

import java.nio.file.Path;
import java.util.List;
import jfs.nativelib.NativeLibrary;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips all tests, with a reason, if the system lacks what the subject needs, or if {@code -Dtest.subjects} names other subjects. Only the
 * subject mx needs something: UCX.
 */
public final class SubjectIsAvailable implements ExecutionCondition {

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        String only = System.getProperty("test.subjects");
        String subject = System.getProperty("subject"); // null for tests that start processes
        if (only != null && subject != null && !List.of(only.split(",")).contains(subject)) {
            return ConditionEvaluationResult.disabled("test.subjects is " + only);
        }
        String why = Unavailable.WHY;
        return why == null ? ConditionEvaluationResult.enabled(null) : ConditionEvaluationResult.disabled("MX is not available: " + why);
    }

    /** UCX is searched once, and only for that subject. */
    private static final class Unavailable {
        static final String WHY = find();

        private static String find() {
            if (!"mx".equals(System.getProperty("subject"))) { // not by the class Subject, which would install the subject
                return null;
            }
            NativeLibrary.lookIn(Path.of(System.getProperty("jfs.native.dir")), "shim",
                    System.getProperty("jfs.mx.library"));
            return NativeLibrary.unavailable() != null ? null : NativeLibrary.mxUnavailable();
        }
    }
}
