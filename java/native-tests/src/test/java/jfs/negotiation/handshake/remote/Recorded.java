package jfs.negotiation.handshake.remote;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import jfs.spi.FastPath;
import jfs.spi.Transport;
import jfs.testing.Await;

/** A transport without a path for bytes. It counts the calls, and offers are joined by their nonce. */
final class Recorded implements Transport {

    /** The open offers of all transports of this JVM. */
    private static final Map<Long, Boolean> OPEN = new ConcurrentHashMap<>();

    final AtomicInteger offers = new AtomicInteger();
    final AtomicInteger joins = new AtomicInteger();
    final AtomicInteger abandoned = new AtomicInteger();
    /** The number of halves of paths that were retired. */
    final AtomicInteger retired = new AtomicInteger();
    private final AtomicReference<Obstacle> obstacle = new AtomicReference<>();

    /** Stops a join or a completion, like a peer that does not answer. */
    static final class Obstacle {
        private final CountDownLatch met = new CountDownLatch(1);
        private final CompletableFuture<String> end = new CompletableFuture<>();

        void awaitMet() throws InterruptedException {
            assertTrue(met.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS), "nobody comes by");
        }

        /** @param failure null if the peer answers after all */
        void end(String failure) {
            end.complete(failure);
        }

        private void pass() throws IOException {
            met.countDown();
            String failure = end.join();
            if (failure != null) {
                throw new IOException(failure);
            }
        }
    }

    /** An obstacle for the next join or completion. */
    Obstacle obstacle() {
        Obstacle it = new Obstacle();
        obstacle.set(it);
        return it;
    }

    private void pass() throws IOException {
        Obstacle it = obstacle.getAndSet(null);
        if (it != null) {
            it.pass();
        }
    }

    private FastPath path() {
        return (FastPath) Proxy.newProxyInstance(FastPath.class.getClassLoader(), new Class<?>[] {FastPath.class},
                (proxy, method, arguments) -> {
                    retired.addAndGet(method.getName().startsWith("retire") ? 1 : 0);
                    return method.getReturnType() == String.class ? "mx" : null;
                });
    }

    @Override
    public String name() {
        return "mx";
    }

    @Override
    public Offer offer(int version, long nonce, String peer) {
        offers.incrementAndGet();
        OPEN.put(nonce, true);
        return new Offer() {
            @Override
            public void describe(ByteBuffer out) {
                out.put(new byte[64]);
            }

            @Override
            public FastPath complete(ByteBuffer answer) throws IOException {
                pass();
                if (answer.remaining() != 64) {
                    throw new IOException("an answer of " + answer.remaining() + " bytes");
                }
                return path();
            }

            @Override
            public void abandon() {
                OPEN.remove(nonce);
                abandoned.incrementAndGet();
            }
        };
    }

    @Override
    public Joined join(int version, ByteBuffer description, long nonce) throws IOException {
        if (OPEN.remove(nonce) == null || description.remaining() != 64) {
            throw new IOException("no such offer");
        }
        pass();
        joins.incrementAndGet();
        return new Joined() {
            @Override
            public FastPath path() {
                return Recorded.this.path();
            }

            @Override
            public void answer(ByteBuffer out) {
                out.put(new byte[64]);
            }
        };
    }
}
