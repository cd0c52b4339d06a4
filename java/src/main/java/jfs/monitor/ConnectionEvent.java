package jfs.monitor;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;

/** What all events of JFS have: which connection it is. Of a connection without a row in the table the fields are null, 0 and false. */
@Category("Java Fast Sockets")
abstract class ConnectionEvent extends Event {

    @Label("Peer Address")
    String peerAddress;

    @Label("Peer Port")
    int peerPort;

    @Label("Own Port")
    int ownPort;

    @Label("Class")
    @Description("What the program has: Socket or SocketChannel")
    String socketClass;

    @Label("Accepted")
    @Description("Whether a listener of this process has accepted the connection; else the process has opened it")
    boolean accepted;

    /** Takes the connection's data from its row. */
    final void of(int row) {
        ConnectionView view = ConnectionTable.view(row);
        if (view != null) {
            peerAddress = view.peer().getHostAddress();
            peerPort = view.port();
            ownPort = view.ownPort();
            socketClass = view.socketClass();
            accepted = view.accepted();
        }
    }
}
