package programs.rmi;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import programs.Console;

/** A registry, in its own process or in the server's. */
public final class RegistryProcess {

    private RegistryProcess() {
    }

    public static void main(String[] args) throws Exception {
        Console.open();
        create();
        Console.awaitEnd();
        System.exit(0);
    }

    /** Makes a registry on a port that the kernel chooses, and writes that port. */
    static Registry create() throws RemoteException {
        return LocateRegistry.createRegistry(0, null, RegistryProcess::listen);
    }

    private static ServerSocket listen(int port) throws IOException {
        ServerSocket socket = new ServerSocket(port, 0, InetAddress.getByName(Console.address()));
        Console.sayPort(socket.getLocalPort());
        return socket;
    }
}
