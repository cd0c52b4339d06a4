package programs.rmi;

import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import programs.Console;

/** A client that holds a ticket to its own end. */
public final class Holder {

    private Holder() {
    }

    /** Arguments: the registry's port. */
    public static void main(String[] args) throws Exception {
        Console.open();
        Registry registry = LocateRegistry.getRegistry("127.0.0.1", Integer.parseInt(args[0]));
        Service service = (Service) registry.lookup("service");
        Ticket ticket = service.ticket("abandoned");
        Console.untilTold(ticket::name);
    }
}
