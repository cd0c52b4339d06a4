package jfs.conformance;

import java.nio.file.Path;
import jfs.nativelib.NativeLibrary;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips all tests, with the reason, where the system doesn't have what the subject needs: that is UCX, for mx. */
public final class SubjectIsAvailable implements ExecutionCondition {

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        String why = Unavailable.WHY;
        return why == null ? ConditionEvaluationResult.enabled(null) : ConditionEvaluationResult.disabled(why);
    }

    /** Looked for once, and only if it is to be used. */
    private static final class Unavailable {
        static final String WHY = find();

        private static String find() {
            if (!"mx".equals(System.getProperty("subject"))) { // Subject itself would begin to be one
                return null;
            }
            NativeLibrary.lookIn(Path.of(System.getProperty("jfs.native.dir")), "shim",
                    System.getProperty("jfs.mx.library"));
            return NativeLibrary.unavailable() != null ? null : NativeLibrary.mxUnavailable();
        }
    }
}
