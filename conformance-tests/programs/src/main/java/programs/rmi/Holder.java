package programs.rmi;

import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.util.ArrayList;
import java.util.List;
import programs.Console;

/** A client that takes a ticket of each service and holds it until the process ends. */
public final class Holder {

    private Holder() {
    }

    /** Arguments: the registry's port. */
    public static void main(String[] args) throws Exception {
        Console.open();
        Registry registry = LocateRegistry.getRegistry(Console.address(), Integer.parseInt(args[0]));
        List<Ticket> tickets = new ArrayList<>();
        for (String name : registry.list()) {
            tickets.add(((Service) registry.lookup(name)).ticket("abandoned"));
        }
        Console.untilTold(() -> {
            for (Ticket ticket : tickets) {
                ticket.name();
            }
            return null;
        });
    }
}
