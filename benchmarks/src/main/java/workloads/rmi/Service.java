package workloads.rmi;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** The interface of the object that the server exports. The object is registered under this interface's name. */
public interface Service extends Remote {

    void nothing() throws RemoteException;

    String describe(int id, String name, double value) throws RemoteException;

    byte[] echo(byte[] data) throws RemoteException;

    /** Registers the listener that {@link #callBack} calls. */
    void register(Listener listener) throws RemoteException;

    /** Calls the registered listener and returns its result. */
    int callBack(int value) throws RemoteException;

    void refuse(int id) throws RemoteException, Refusal;

    /** Returns a new remote object. On arrival its reference is registered with the server's distributed garbage collector. */
    Session open() throws RemoteException;

    /** A remote object of the client. */
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
