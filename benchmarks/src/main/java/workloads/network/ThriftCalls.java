package workloads.network;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolUtil;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;
import org.apache.thrift.server.TThreadPoolServer;
import org.apache.thrift.transport.TServerSocket;
import org.apache.thrift.transport.TSocket;

/** Apache Thrift: {@code binary echo(1: binary it)}, as Thrift's compiler would write it. */
final class ThriftCalls implements Subject {
    private static final String ECHO = "echo";
    private static final int SMALL = 32;
    private static final int LARGE = 64 << 10;

    @Override
    public int serve(int port) throws Exception {
        TServerSocket socket = new TServerSocket(new InetSocketAddress(HOST, port));
        TThreadPoolServer server = new TThreadPoolServer(new TThreadPoolServer.Args(socket).processor(ThriftCalls::process));
        Thread thread = new Thread(server::serve, "thrift");
        thread.setDaemon(true);
        thread.start();
        return socket.getServerSocket().getLocalPort();
    }

    private static void process(TProtocol in, TProtocol out) throws TException {
        TMessage call = in.readMessageBegin();
        ByteBuffer it = read(in);
        write(out, new TMessage(call.name, TMessageType.REPLY, call.seqid), it);
    }

    private static void write(TProtocol to, TMessage message, ByteBuffer bytes) throws TException {
        to.writeMessageBegin(message);
        to.writeStructBegin(new TStruct(message.name));
        to.writeFieldBegin(new TField("it", TType.STRING, (short) 1));
        to.writeBinary(bytes);
        to.writeFieldEnd();
        to.writeFieldStop();
        to.writeStructEnd();
        to.writeMessageEnd();
        to.getTransport().flush();
    }

    private static ByteBuffer read(TProtocol from) throws TException {
        ByteBuffer bytes = null;
        from.readStructBegin();
        for (TField field = from.readFieldBegin(); field.type != TType.STOP; field = from.readFieldBegin()) {
            if (field.id == 1 && field.type == TType.STRING) {
                bytes = from.readBinary();
            } else {
                TProtocolUtil.skip(from, field.type);
            }
            from.readFieldEnd();
        }
        from.readStructEnd();
        from.readMessageEnd();
        return bytes;
    }

    @Override
    public Operation operation(String name, int port) throws Exception {
        return switch (name) {
            case "call" -> calls(port, SMALL);
            case "64k" -> calls(port, LARGE);
            case "connection" -> () -> {
                try (TSocket socket = connect(port)) {
                    call(new TBinaryProtocol(socket), new byte[SMALL]);
                }
            };
            default -> throw Subject.unknown(name);
        };
    }

    private static Operation calls(int port, int bytes) throws TException {
        TProtocol protocol = new TBinaryProtocol(connect(port));
        byte[] argument = new byte[bytes];
        return () -> call(protocol, argument);
    }

    private static TSocket connect(int port) throws TException {
        TSocket socket = new TSocket(HOST, port);
        socket.open();
        return socket;
    }

    private static void call(TProtocol protocol, byte[] argument) throws TException {
        argument[0]++;
        write(protocol, new TMessage(ECHO, TMessageType.CALL, 1), ByteBuffer.wrap(argument));
        protocol.readMessageBegin();
        ByteBuffer answer = read(protocol);
        Subject.expect(answer.remaining() == argument.length && answer.get() == argument[0]);
    }
}
