package jfs.negotiation.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import jfs.config.Transports;
import jfs.negotiation.policy.Choice;
import jfs.negotiation.policy.Policy;
import jfs.negotiation.policy.Rules;
import jfs.spi.Obstacle;
import jfs.spi.Transport;
import jfs.spi.TransportProvider;
import jfs.spi.TransportSettings;
import jfs.stat.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transports whose code fails, as code that is not JFS's may: it fails itself, and nothing else. */
class OpenTransportsTest {

    private static final TransportSettings SETTINGS =
            new Transports(List.of(), List.of(), null, 0, Set.of()).settings();

    /** A transport that is never used. */
    private record Named(String name) implements Transport {

        @Override
        public Offer offer(int version, long nonce, String peer) {
            throw new AssertionError();
        }

        @Override
        public Joined join(int version, ByteBuffer description, long nonce) {
            throw new AssertionError();
        }
    }

    /** Opens a transport of that name in offers, or throws. */
    private record Provider(String name, String inOffers, Throwable failure) implements TransportProvider {

        @Override
        public boolean betweenHosts() {
            return false;
        }

        @Override
        public Obstacle obstacle() {
            fail();
            return null;
        }

        @Override
        public Transport open(TransportSettings settings) {
            fail();
            return inOffers == null ? null : new Named(inOffers);
        }

        private void fail() {
            if (failure instanceof RuntimeException e) {
                throw e;
            }
            if (failure instanceof Error e) {
                throw e;
            }
        }
    }

    private static final Provider GOOD = new Provider("good", "good", null);

    private static Choice choice(TransportProvider of) {
        Policy policy = Policy.of(new Transports(List.of(of), List.of(of), null, 0, Set.of()), Rules.NONE, null);
        return policy.connecting(InetAddress.getLoopbackAddress(), 1);
    }

    @Test
    void aTransportThatCannotBeOpenedLeavesTheOthersAlone() {
        for (Throwable failure : List.of(new IllegalStateException("it rains"), new UnsatisfiedLinkError("it rains"))) {
            Provider bad = new Provider("bad", "bad", failure);
            OpenTransports opened = new OpenTransports(List.of(bad, GOOD), false, SETTINGS);
            assertSame(opened.chosenBy(choice(GOOD)), opened.offered("good"));
            assertNotNull(opened.offered("good"));
            assertNull(opened.failureOf(choice(GOOD)));
            assertNull(opened.offered("bad"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "good", "a b", "abcdefghijklmnopq", "ä"})
    void aNameThatCannotBeInAnOfferIsAFailure(String inOffers) {
        Provider bad = new Provider("bad", inOffers, null);
        OpenTransports opened = new OpenTransports(List.of(GOOD, bad), false, SETTINGS);
        assertSame(opened.chosenBy(choice(GOOD)), opened.offered("good"));
        assertNull(opened.chosenBy(choice(bad)));
        assertEquals(Reason.NO_TRANSPORT, opened.failureOf(choice(bad)).reason());
        assertTrue(opened.failureOf(choice(bad)).detail().contains("\"" + inOffers + "\""));
    }

    @Test
    void nullIsNoTransport() {
        Provider bad = new Provider("bad", null, null);
        OpenTransports opened = new OpenTransports(List.of(bad, GOOD), false, SETTINGS);
        assertEquals(Reason.NO_TRANSPORT, opened.failureOf(choice(bad)).reason());
        assertNotNull(opened.offered("good"));
    }

    /** Otherwise the program's {@code new Socket()} would throw it. */
    @Test
    void anObstacleThatThrowsIsAnObstacle() {
        for (Throwable failure : List.of(new IllegalStateException("it rains"), new NoClassDefFoundError("it rains"))) {
            Choice choice = choice(new Provider("bad", "bad", failure));
            assertEquals(Reason.NO_TRANSPORT, choice.refusal().reason());
            assertEquals(failure.toString(), choice.refusal().detail());
        }
    }
}
