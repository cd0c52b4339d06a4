package programs.rmi;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** A remote object that its server forgets when no client refers to it. */
public interface Ticket extends Remote {

    String name() throws RemoteException;
}
