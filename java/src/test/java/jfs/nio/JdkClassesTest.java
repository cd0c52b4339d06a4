package jfs.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * A JDK that JFS's classes do not fit is found: a method that overrides nothing, for whatever reason, a method that JFS calls or a
 * field that it reads and that is missing, a field that JFS does not know.
 */
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

    /** What a later JDK could make of the class of its channels. */
    static class Fields {
        static Object ofTheClass;
        private final Object stateLock = new Object();
        private volatile boolean forcedNonBlocking;
        private int state;
        private long readerThread;
        // What follows is unknown: another type, another name, a field that leads back to the channel.
        private long fdVal;
        private int status;
        private final Runnable closer = () -> forcedNonBlocking = status + state + fdVal + readerThread > 0 && stateLock != null;

        /** So that the compiler sees a use of it. */
        void close() {
            closer.run();
        }
    }

    @Test
    void fieldsThatACopyDoesNotKnowAreFound() {
        Set<String> found = JdkClasses.unknownFields(Fields.class).stream()
                .map(field -> field.replaceAll(".*\\$Fields\\.", "")).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(new TreeSet<>(Set.of("fdVal", "status", "closer")), found);
    }

    @Test
    void thisJdkHasAllThatIsCalledAndNoUnknownField() throws Exception {
        assertEquals(List.of(), JdkClasses.missing());
        assertEquals(List.of(), JdkClasses.unknownFields());
    }

    /** The first is there. Each of the others differs in one thing from what is there. */
    @Test
    void aMethodThatIsNotAsCalledIsMissing() {
        List<String> missing = List.of("java.lang.Math.abs(I)I", "static java.lang.Math.abs(I)J", "static java.lang.Math.abs(Z)I",
                "static java.lang.Math.absolute(I)I", "static java.lang.Maths.abs(I)I", "static java.lang.Integer.intValue()I",
                "static java.lang.Math.abs(Ljava/lang/None;)I", "java.lang.Math.<init>()V", "java.lang.Object.<init>(I)V");
        List<String> called = new ArrayList<>(List.of("static java.lang.Math.abs(I)I", "java.lang.Object.<init>()V"));
        called.addAll(missing);
        assertEquals(missing, JdkClasses.missing(called));
    }

    /** The first two are there. */
    @Test
    void aFieldThatIsNotAsReadIsMissing() {
        List<String> missing = List.of("java.lang.String.value:[C", "java.lang.String.values:[B", "static java.lang.String.value:[B",
                "java.lang.Integer.MAX_VALUE:I", "java.lang.Strings.value:[B");
        List<String> read = new ArrayList<>(List.of("java.lang.String.value:[B", "static java.lang.Integer.MAX_VALUE:I"));
        read.addAll(missing);
        assertEquals(missing, JdkClasses.missing(read));
    }

    @Test
    void methodsThatOverrideNothingAreFound() {
        Set<String> found = JdkClasses.overridingNothing(Set.of(Jfs.class)).stream()
                .map(method -> method.replaceAll(".*\\$Jfs\\.", "")).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(new TreeSet<>(Set.of("hidden()", "renamed()", "withParameters(long[],long)")), found);
    }
}
