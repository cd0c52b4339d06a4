package jfs.conformance.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import jfs.conformance.harness.Transcript;
import jfs.stat.Stats;
import jfs.testing.Await;

/** How far a connection of two channels has come when a program gets it. */
enum Beginning {

    /** No byte was sent. It may become fast while the program runs. */
    FRESH {
        @Override
        void prepare(Connected it) {
        }
    },
    /** If it is JFS's, both directions have left TCP. */
    FAST {
        @Override
        void prepare(Connected it) throws Exception {
            roundTrip(it);
            if (it.client().provider() != Provider.JDK.get()) {
                long[] before = it.countersBefore();
                Await.until(() -> "both directions switch: " + Stats.summary(), () -> {
                    roundTrip(it);
                    long[] now = Connected.counters();
                    return now[0] >= before[0] + 2 && now[1] >= before[1] + 2;
                });
            }
        }
    };

    abstract void prepare(Connected it) throws Exception;

    /** Two channels of one provider that are connected, in blocking mode. */
    Connected connect(SelectorProvider provider) throws Exception {
        Connected it = Connected.by(provider);
        prepare(it);
        return it;
    }

    /** The same. The transcript names the ports. */
    Connected connect(SelectorProvider provider, Transcript seen) throws Exception {
        Connected it = Connected.by(provider, seen);
        prepare(it);
        return it;
    }

    private static void roundTrip(Connected it) throws IOException {
        pass(it.client(), it.accepted());
        pass(it.accepted(), it.client());
    }

    private static void pass(SocketChannel from, SocketChannel to) throws IOException {
        from.write(ByteBuffer.wrap(new byte[] {42}));
        assertEquals(42, Connected.read(to, 1)[0]);
    }
}
