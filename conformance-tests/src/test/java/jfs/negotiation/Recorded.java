package jfs.negotiation;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import jfs.spi.FastPath;
import jfs.spi.Transport;

/** A transport without a way for bytes: it counts what is asked of it, and offers are joined by their nonce. */
final class Recorded implements Transport {

    /** Of all transports of this JVM. */
    private static final Map<Long, Boolean> OPEN = new ConcurrentHashMap<>();

    final AtomicInteger offers = new AtomicInteger();
    final AtomicInteger joins = new AtomicInteger();
    final AtomicInteger abandoned = new AtomicInteger();

    private static FastPath path() {
        return (FastPath) Proxy.newProxyInstance(FastPath.class.getClassLoader(), new Class<?>[] {FastPath.class},
                (proxy, method, arguments) -> method.getReturnType() == String.class ? "mx" : null);
    }

    @Override
    public String name() {
        return "mx";
    }

    @Override
    public Offer offer(int version, long nonce) {
        offers.incrementAndGet();
        OPEN.put(nonce, true);
        return new Offer() {
            @Override
            public void describe(ByteBuffer out) {
                out.put(new byte[64]);
            }

            @Override
            public FastPath complete(ByteBuffer answer) throws IOException {
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
        joins.incrementAndGet();
        return new Joined() {
            @Override
            public FastPath path() {
                return Recorded.path();
            }

            @Override
            public void answer(ByteBuffer out) {
                out.put(new byte[64]);
            }
        };
    }
}
