package jfs.conformance.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.channels.spi.SelectorProvider;
import jfs.JFSSocketImplFactory;
import jfs.conformance.harness.Transcript;
import jfs.stat.Stats;

/** The JDK's provider of channels and selectors, and JFS's, which is the default one in this JVM. */
enum Provider {

    JDK {
        @Override
        SelectorProvider get() throws Exception {
            return (SelectorProvider) Class.forName("sun.nio.ch.DefaultSelectorProvider").getMethod("get").invoke(null);
        }
    },
    JFS {
        @Override
        SelectorProvider get() {
            return Installed.PROVIDER;
        }
    };

    /** Installs JFS in this JVM, when its provider is first asked for. */
    private static final class Installed {
        static final SelectorProvider PROVIDER = install();

        private static SelectorProvider install() {
            JFSSocketImplFactory.install();
            assertNull(Stats.channelsUnavailable());
            assertEquals("sun.nio.ch.JfsProvider", SelectorProvider.provider().getClass().getName());
            return SelectorProvider.provider();
        }
    }

    abstract SelectorProvider get() throws Exception;

    /** Uses channels, and writes down what it sees of them. */
    interface Program {
        void run(SelectorProvider provider, Transcript seen) throws Exception;
    }

    /** Runs a program with the JDK's provider, then with JFS's. Fails if the program does not see the same. */
    static void assertSame(Program program) throws Exception {
        String expected = transcript(JDK, program);
        Transcript.assertSame(expected, transcript(JFS, program));
    }

    private static String transcript(Provider provider, Program program) throws Exception {
        Transcript seen = new Transcript();
        try {
            program.run(provider.get(), seen);
        } catch (Exception | AssertionError e) {
            throw new AssertionError("with the provider of the " + provider + ", after:\n" + seen, e);
        }
        return seen.toString();
    }
}
