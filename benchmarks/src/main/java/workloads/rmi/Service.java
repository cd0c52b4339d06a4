package workloads.rmi;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** What the server exports under this interface's name. */
public interface Service extends Remote {

    void nothing() throws RemoteException;

    String describe(int id, String name, double value) throws RemoteException;

    byte[] echo(byte[] data) throws RemoteException;

    /** Who is to be called by {@link #callBack}. */
    void register(Listener listener) throws RemoteException;

    /** Calls the registered listener and gives what it gave. */
    int callBack(int value) throws RemoteException;

    void refuse(int id) throws RemoteException, Refusal;

    /** A new remote object: its reference is registered with the server's distributed garbage collector on arrival. */
    Session open() throws RemoteException;

    /** At the client. */
    interface Listener extends Remote {
        int called(int value) throws RemoteException;
    }

    interface Session extends Remote {
        void close() throws RemoteException;
    }

    /** The application's own exception. */
    final class Refusal extends Exception {
        public Refusal(String message) {
            super(message);
        }
    }
}
