package jfs.mx;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import jfs.testing.Await;
import jfs.testing.Natives;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process whose library, the stand-in for a vendor's, never has the resources for a send. */
@Timeout(120)
class MxStarvingTest {

    private static final long NONCE = 4711;

    @TempDir
    private Path folder;

    @Test
    void nothingIsLeftOfChannelsThatNeverGreet() throws Exception {
        assertEquals("1 greeting kept, 1 ring, 0 channels, 0 buffers\n",
                OtherJvm.runWithStandIn(folder, Program.class, Map.of("STANDIN_FAIL", "mx_isend:1+:15")));
    }

    static final class Program {
        public static void main(String[] arguments) throws Exception {
            Natives.assumeMx();
            MxEndpoint near = MxEndpoint.open(4_096);
            MxEndpoint far = MxEndpoint.open(4_096);
            MxEndpoint.Peer peer = near.connect(far.address());

            MxChannel greeting = near.newChannel(NONCE);
            greeting.connect(far.newChannel(NONCE).description());
            arrived(greeting, peer, Kind.HELLO, 0, NONCE);
            arrived(greeting, peer, Kind.RECEIVER, 1, 0, Kind.CLOSED);
            System.out.print(used(near) + " greeting kept");

            AtomicInteger rings = new AtomicInteger();
            MxChannel failed = near.newChannel(NONCE);
            failed.listener(new MxChannel.Listener() {
                @Override
                public void readerNews() {
                    rings.incrementAndGet();
                }

                @Override
                public void writerNews() {
                }
            });
            failed.fail("a test's");
            Await.until("no longer retried", greeting::failed);
            System.out.print(", " + rings + " ring");
            greeting.abandon();
            failed.abandon();

            for (int i = 0; i < 10; i++) {
                MxChannel closing = near.newChannel(NONCE);
                closing.connect(far.newChannel(NONCE).description());
                closing.abandon();
            }
            System.out.print(", " + near.channels() + " channels, " + used(near) + " buffers\n");
        }

        private static int used(MxEndpoint endpoint) {
            return endpoint.buffersInUse() - MxEndpoint.RECEIVES;
        }

        private static void arrived(MxChannel channel, MxEndpoint.Peer peer, Kind kind, int sequence, long... numbers) {
            MessageBuffer message = channel.endpoint().buffers().take();
            for (long number : numbers) {
                message.putLong(number);
            }
            channel.arrived(message, kind.match(channel.number(), sequence), peer.nic(), peer.id(), peer.session());
        }
    }
}
