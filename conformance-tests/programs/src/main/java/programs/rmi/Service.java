package programs.rmi;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** What the server does for its clients. */
public interface Service extends Remote {

    int increment(int n) throws RemoteException;

    byte[] echo(byte[] bytes) throws RemoteException;

    /** Calls back, and returns what came of it. */
    String relay(Callback callback, String text) throws RemoteException;

    void fail(String how) throws RemoteException, Problem;

    /** An object of its own at the server, which lives as long as somebody refers to it. */
    Ticket ticket(String name) throws RemoteException;

    /** Waits a little for a ticket's last reference to go; whether it has gone. */
    boolean unreferenced(String name) throws RemoteException;
}
