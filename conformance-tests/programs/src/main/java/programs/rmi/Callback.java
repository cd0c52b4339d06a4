package programs.rmi;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** A remote object of the client that the server calls. */
public interface Callback extends Remote {

    String call(String text) throws RemoteException;
}
