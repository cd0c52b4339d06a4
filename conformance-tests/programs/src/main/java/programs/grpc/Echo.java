package programs.grpc;

import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import programs.Bytes;

/** The service: one call and one answer, a stream of answers, and streams in both directions. */
final class Echo {

    static final MethodDescriptor<byte[], byte[]> CALL = method("call", MethodDescriptor.MethodType.UNARY);
    /** The request is two numbers: how many answers, and the length of each. */
    static final MethodDescriptor<byte[], byte[]> ANSWERS = method("answers", MethodDescriptor.MethodType.SERVER_STREAMING);
    static final MethodDescriptor<byte[], byte[]> BOTH = method("both", MethodDescriptor.MethodType.BIDI_STREAMING);

    private Echo() {
    }

    private static MethodDescriptor<byte[], byte[]> method(String name, MethodDescriptor.MethodType type) {
        return MethodDescriptor.newBuilder(new AsBytes(), new AsBytes()).setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName("Echo", name)).build();
    }

    static ServerServiceDefinition service() {
        return ServerServiceDefinition.builder("Echo")
                .addMethod(CALL, ServerCalls.asyncUnaryCall((request, answers) -> {
                    answers.onNext(request);
                    answers.onCompleted();
                }))
                .addMethod(ANSWERS, ServerCalls.asyncServerStreamingCall((request, answers) -> {
                    ByteBuffer numbers = ByteBuffer.wrap(request);
                    int count = numbers.getInt();
                    int length = numbers.getInt();
                    for (int i = 0; i < count; i++) {
                        answers.onNext(Bytes.of(i, length));
                    }
                    answers.onCompleted();
                }))
                .addMethod(BOTH, ServerCalls.asyncBidiStreamingCall(Echo::back)).build();
    }

    private static StreamObserver<byte[]> back(StreamObserver<byte[]> answers) {
        return new StreamObserver<>() {
            @Override
            public void onNext(byte[] request) {
                answers.onNext(request);
            }

            @Override
            public void onError(Throwable cause) {
                answers.onError(cause);
            }

            @Override
            public void onCompleted() {
                answers.onCompleted();
            }
        };
    }

    private static final class AsBytes implements MethodDescriptor.Marshaller<byte[]> {
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
}
