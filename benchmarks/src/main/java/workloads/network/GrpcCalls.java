package workloads.network;

import io.grpc.CallOptions;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.okhttp.OkHttpChannelBuilder;
import io.grpc.okhttp.OkHttpServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** Unary calls of gRPC over OkHttp's transport, with sockets at both ends. For {@code call} all threads share a channel, as usual. */
final class GrpcCalls implements Subject {
    private static final int BYTES = 32;
    private static final MethodDescriptor<byte[], byte[]> ECHO = MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(MethodDescriptor.generateFullMethodName("programs.Echo", "echo"))
            .setRequestMarshaller(new Bytes())
            .setResponseMarshaller(new Bytes())
            .build();

    private ManagedChannel shared;

    /** Passes bytes as they are, in place of a message format. */
    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public int serve(int port) throws IOException {
        ServerServiceDefinition service = ServerServiceDefinition.builder("programs.Echo")
                .addMethod(ECHO, ServerCalls.asyncUnaryCall((request, answer) -> {
                    answer.onNext(request);
                    answer.onCompleted();
                }))
                .build();
        return OkHttpServerBuilder.forPort(new InetSocketAddress(HOST, port), InsecureServerCredentials.create())
                .addService(service)
                .build()
                .start()
                .getPort();
    }

    private static ManagedChannel channel(int port) {
        return OkHttpChannelBuilder.forAddress(HOST, port, InsecureChannelCredentials.create()).build();
    }

    private synchronized ManagedChannel shared(int port) {
        if (shared == null) {
            shared = channel(port);
        }
        return shared;
    }

    @Override
    public Operation operation(String name, int port) {
        byte[] argument = new byte[BYTES];
        return switch (name) {
            case "call" -> {
                ManagedChannel channel = shared(port);
                yield () -> call(channel, argument);
            }
            case "channel" -> () -> {
                ManagedChannel channel = channel(port);
                call(channel, argument);
                Subject.expect(channel.shutdown().awaitTermination(10, TimeUnit.SECONDS));
            };
            default -> throw Subject.unknown(name);
        };
    }

    private static void call(ManagedChannel channel, byte[] argument) {
        argument[0]++;
        byte[] answer = ClientCalls.blockingUnaryCall(channel, ECHO, CallOptions.DEFAULT, argument);
        Subject.expect(answer.length == argument.length && answer[0] == argument[0]);
    }
}
