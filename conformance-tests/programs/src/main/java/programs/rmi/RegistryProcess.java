package programs.rmi;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import programs.Console;

/** A registry, in a process of its own or in somebody else's. */
public final class RegistryProcess {

    private RegistryProcess() {
    }

    public static void main(String[] args) throws Exception {
        Console.open();
        create();
        Console.awaitEnd();
        System.exit(0);
    }

    /** On a port of the kernel's choice, and says which. */
    static Registry create() throws RemoteException {
        return LocateRegistry.createRegistry(0, null, RegistryProcess::listen);
    }

    private static ServerSocket listen(int port) throws IOException {
        ServerSocket socket = new ServerSocket(port, 0, InetAddress.getByName(Console.address()));
        Console.sayPort(socket.getLocalPort());
        return socket;
    }
}
