package programs.thrift;

import java.nio.ByteBuffer;
import org.apache.thrift.TException;
import org.apache.thrift.TProcessor;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolUtil;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;

/** What Thrift's compiler would make of a service with one method: {@code binary echo(1: binary bytes)}. */
final class Echo implements TProcessor {

    private static final String NAME = "echo";
    private static final TStruct STRUCT = new TStruct(NAME);

    @Override
    public void process(TProtocol in, TProtocol out) throws TException {
        TMessage call = in.readMessageBegin();
        byte[] bytes = read(in, 1);
        in.readMessageEnd();
        write(out, new TMessage(NAME, TMessageType.REPLY, call.seqid), 0, bytes);
    }

    /** Calls the method from the client's side. */
    static byte[] call(TProtocol protocol, int number, byte[] bytes) throws TException {
        write(protocol, new TMessage(NAME, TMessageType.CALL, number), 1, bytes);
        TMessage reply = protocol.readMessageBegin();
        if (reply.type != TMessageType.REPLY || reply.seqid != number) {
            throw new AssertionError(reply);
        }
        byte[] result = read(protocol, 0);
        protocol.readMessageEnd();
        return result;
    }

    private static void write(TProtocol out, TMessage message, int field, byte[] bytes) throws TException {
        out.writeMessageBegin(message);
        out.writeStructBegin(STRUCT);
        out.writeFieldBegin(new TField("bytes", TType.STRING, (short) field));
        out.writeBinary(ByteBuffer.wrap(bytes));
        out.writeFieldEnd();
        out.writeFieldStop();
        out.writeStructEnd();
        out.writeMessageEnd();
        out.getTransport().flush();
    }

    private static byte[] read(TProtocol in, int wanted) throws TException {
        byte[] bytes = null;
        in.readStructBegin();
        for (TField field = in.readFieldBegin(); field.type != TType.STOP; field = in.readFieldBegin()) {
            if (field.id == wanted && field.type == TType.STRING) {
                ByteBuffer value = in.readBinary();
                bytes = new byte[value.remaining()];
                value.get(bytes);
            } else {
                TProtocolUtil.skip(in, field.type);
            }
            in.readFieldEnd();
        }
        in.readStructEnd();
        return bytes;
    }
}
