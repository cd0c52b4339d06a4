package workloads.network;

import org.jgroups.Address;
import org.jgroups.JChannel;
import org.jgroups.blocks.RequestOptions;
import org.jgroups.blocks.RpcDispatcher;
import org.jgroups.protocols.TP;
import workloads.Program;

/** A group of two members, with the TCP stack that comes with JGroups. The second member calls the first one. */
final class JGroupsCalls implements Subject {
    private static final String STACK = "tcp.xml";
    private static final String GROUP = "programs-";
    private static final Class<?>[] TYPES = {byte[].class};
    private static final int SMALL = 32;
    private static final int LARGE = 64 << 10;
    private static final int LIMIT_MILLIS = 10_000;

    private RpcDispatcher member;

    /** The object that is called. */
    public static final class Service {
        /** Returns only the first byte of the argument, so that the answer is small. */
        public byte first(byte[] bytes) {
            return bytes[0];
        }
    }

    @Override
    public int serve(int port) throws Exception {
        int own = Program.port(Integer.toString(port));
        join(own, own);
        return own;
    }

    private static RpcDispatcher join(int own, int first) throws Exception {
        System.setProperty("jgroups.bind_addr", HOST);
        System.setProperty("jgroups.tcpping.initial_hosts", HOST + "[" + first + "]");
        System.setProperty("tcp-nodelay", "true"); // without it a call may wait 40 ms for an acknowledgement, over any sockets
        JChannel channel = new JChannel(STACK);
        TP transport = channel.getProtocolStack().getTransport();
        transport.setValue("bind_port", own);
        transport.getDiagnosticsHandler().setEnabled(false); // the handler has a socket for the network
        RpcDispatcher dispatcher = new RpcDispatcher(channel, new Service());
        channel.connect(GROUP + first); // a group of this run's own, in case others measure at the same time
        return dispatcher;
    }

    @Override
    public synchronized Operation operation(String name, int port) throws Exception {
        byte[] argument = new byte[switch (name) {
            case "call" -> SMALL;
            case "64k" -> LARGE;
            default -> throw Subject.unknown(name);
        }];
        if (member == null) {
            member = join(Program.port("0"), port);
            Subject.expect(member.getChannel().getView().size() == 2);
        }
        Address first = member.getChannel().getView().getCoord();
        RequestOptions options = RequestOptions.SYNC().timeout(LIMIT_MILLIS);
        return () -> {
            argument[0]++;
            byte answer = member.callRemoteMethod(first, "first", new Object[] {argument}, TYPES, options);
            Subject.expect(answer == argument[0]);
        };
    }
}
