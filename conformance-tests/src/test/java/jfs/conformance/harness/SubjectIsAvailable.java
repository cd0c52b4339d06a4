package jfs.conformance.harness;

import java.nio.file.Path;
import java.util.List;
import jfs.nativelib.NativeLibrary;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips all tests, with a reason, if the system lacks what the subject needs, or if {@code -Dtest.subjects} names other subjects, or if
 * {@code -Dtest.ends} is given and this JVM has ends of its own ({@link EndKind}). Where an end is a channel, only the classes with the tag
 * {@code ends} run. Only the subject mx needs something of the system: UCX.
 */
public final class SubjectIsAvailable implements ExecutionCondition {

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        String only = System.getProperty("test.subjects");
        String subject = System.getProperty("subject"); // null for tests that start processes
        if (only != null && subject != null && !List.of(only.split(",")).contains(subject)) {
            return ConditionEvaluationResult.disabled("test.subjects is " + only);
        }
        String ends = System.getProperty("test.ends");
        if (ends != null && System.getProperty("ends") != null) {
            return ConditionEvaluationResult.disabled("test.ends is " + ends + ", and these ends are " + System.getProperty("ends"));
        }
        if (EndKind.withChannels() && context.getTestClass().isPresent() && !context.getTags().contains("ends")) {
            return ConditionEvaluationResult.disabled("its tests do not know what differs at the ends that are channels");
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
