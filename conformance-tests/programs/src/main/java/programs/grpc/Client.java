package programs.grpc;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import programs.Bytes;
import programs.Console;

/** A gRPC client on Netty's NIO transport, which checks what it gets. All calls go by one connection. */
public final class Client {

    private static final int ONE_BY_ONE = 500;
    private static final int AT_ONCE = 200;
    private static final int ANSWERS = 1000;
    private static final int LENGTH = 2000;
    private static final int LARGE = 2 << 20;

    private final ManagedChannel channel;

    private Client(ManagedChannel channel) {
        this.channel = channel;
    }

    /** Argument: the server's port. */
    public static void main(String[] args) throws Exception {
        Console.open();
        Console.sayProvider();
        NioEventLoopGroup threads = new NioEventLoopGroup(1);
        ManagedChannel channel = NettyChannelBuilder.forAddress(new InetSocketAddress(Console.address(), Integer.parseInt(args[0])))
                .channelType(NioSocketChannel.class).eventLoopGroup(threads).usePlaintext().build();
        Client it = new Client(channel);
        Console.untilTold(() -> it.call(10));
        it.calls();
        it.answers();
        it.both();
        channel.shutdown();
        if (!channel.awaitTermination(60, TimeUnit.SECONDS)) {
            throw new AssertionError("the connection does not end");
        }
        threads.shutdownGracefully(0, 60, TimeUnit.SECONDS).sync();
        Console.say("done");
    }

    private io.grpc.ClientCall<byte[], byte[]> open(MethodDescriptor<byte[], byte[]> method) {
        return channel.newCall(method, CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS));
    }

    private int call(int length) {
        byte[] bytes = Bytes.of(length, length);
        return check(bytes, ClientCalls.blockingUnaryCall(open(Echo.CALL), bytes));
    }

    private static int check(byte[] expected, byte[] came) {
        if (!Arrays.equals(expected, came)) {
            throw new AssertionError(Bytes.digest(came) + " instead of " + Bytes.digest(expected));
        }
        return came.length;
    }

    private void calls() throws Exception {
        long bytes = 0;
        for (int i = 0; i < ONE_BY_ONE; i++) {
            bytes += call(i * 37 % 3000);
        }
        bytes += call(LARGE);
        List<Future<byte[]>> answers = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            answers.add(ClientCalls.futureUnaryCall(open(Echo.CALL), Bytes.of(i, 50 * i)));
        }
        for (int i = 0; i < AT_ONCE; i++) {
            bytes += check(Bytes.of(i, 50 * i), answers.get(i).get());
        }
        Console.say(ONE_BY_ONE + " calls, a large one, " + AT_ONCE + " at once, " + bytes + " bytes");
    }

    private void answers() {
        byte[] request = ByteBuffer.allocate(8).putInt(ANSWERS).putInt(LENGTH).array();
        Iterator<byte[]> answers = ClientCalls.blockingServerStreamingCall(open(Echo.ANSWERS), request);
        int count = 0;
        while (answers.hasNext()) {
            check(Bytes.of(count++, LENGTH), answers.next());
        }
        Console.say(count + " answers to one call");
    }

    /** Each request but the first is sent when the answer before has come. Then all are sent at once. */
    private void both() throws InterruptedException {
        BlockingQueue<Object> came = new LinkedBlockingQueue<>();
        StreamObserver<byte[]> requests = ClientCalls.asyncBidiStreamingCall(open(Echo.BOTH), new StreamObserver<>() {
            @Override
            public void onNext(byte[] answer) {
                came.add(answer);
            }

            @Override
            public void onError(Throwable cause) {
                came.add(cause);
            }

            @Override
            public void onCompleted() {
                came.add("completed");
            }
        });
        for (int i = 0; i < ONE_BY_ONE; i++) {
            requests.onNext(Bytes.of(i, i));
            check(Bytes.of(i, i), (byte[]) next(came));
        }
        for (int i = 0; i < ONE_BY_ONE; i++) {
            requests.onNext(Bytes.of(i, LENGTH));
        }
        requests.onCompleted();
        for (int i = 0; i < ONE_BY_ONE; i++) {
            check(Bytes.of(i, LENGTH), (byte[]) next(came));
        }
        Console.say("two streams: " + next(came));
    }

    private static Object next(BlockingQueue<Object> came) throws InterruptedException {
        Object next = came.poll(60, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("nothing comes back");
        }
        return next;
    }
}
