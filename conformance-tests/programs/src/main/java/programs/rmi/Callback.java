package programs.rmi;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** What a client does for the server. */
public interface Callback extends Remote {

    String call(String text) throws RemoteException;
}
