package jfs.testing;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * A test whose result does not depend on the JDK, for example because it is about calls of a native library that fail. Without
 * {@code ./jfs test --all} only the oldest JDK runs it. On the other JDK the test is skipped with that reason.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@EnabledIf(value = "jfs.testing.OnOldestJdk$Condition#holds",
        disabledReason = "its result does not depend on the JDK, so only the oldest JDK runs it, and with --all each JDK")
public @interface OnOldestJdk {

    /** JUnit calls this. */
    final class Condition {

        private Condition() {
        }

        static boolean holds() throws IOException {
            return Boolean.getBoolean("test.all") || Jdks.isOldest();
        }
    }
}
