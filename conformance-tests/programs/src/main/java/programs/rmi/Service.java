package programs.rmi;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** The server's remote interface. */
public interface Service extends Remote {

    int increment(int n) throws RemoteException;

    byte[] echo(byte[] bytes) throws RemoteException;

    /** Calls the client back and returns the result. */
    String relay(Callback callback, String text) throws RemoteException;

    void fail(String how) throws RemoteException, Problem;

    /** Makes a new remote object at the server. It lives as long as a client refers to it. */
    Ticket ticket(String name) throws RemoteException;

    /** Waits up to 50 ms for the last reference to a ticket to go. Returns whether it has gone. */
    boolean unreferenced(String name) throws RemoteException;
}
