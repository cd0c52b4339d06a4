package jfs.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A method of a subclass that overrides nothing is found, for whatever reason it overrides nothing. */
class JdkClassesTest {

    interface Channel {
        default void ofAnInterface() {
        }
    }

    static class Above implements Channel {
        public int inherited(int ops) {
            return ops;
        }
    }

    static class Jdk extends Above {
        void overridden() {
        }

        protected long withParameters(long[] to, int offset) {
            return offset;
        }

        private void hidden() {
        }

        /** So that the compiler sees a use of it. */
        void callsAll() {
            hidden();
        }
    }

    static class Jfs extends Jdk {
        @Override
        void overridden() {
        }

        @Override
        protected long withParameters(long[] to, int offset) {
            return 0;
        }

        @Override
        public int inherited(int ops) {
            return 0;
        }

        @Override
        public void ofAnInterface() {
        }

        private void own() {
        }

        static void helper() {
        }

        // What follows overrides nothing.

        void hidden() {
            own();
        }

        void renamed() {
        }

        protected long withParameters(long[] to, long offset) {
            return 0;
        }
    }

    @Test
    void methodsThatOverrideNothingAreFound() {
        Set<String> found = JdkClasses.overridingNothing(Set.of(Jfs.class)).stream()
                .map(method -> method.replaceAll(".*\\$Jfs\\.", "")).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(new TreeSet<>(Set.of("hidden()", "renamed()", "withParameters(long[],long)")), found);
    }
}
