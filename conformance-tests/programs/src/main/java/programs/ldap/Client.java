package programs.ldap;

import programs.Console;

/** Uses both clients alternately at first, then one after the other. */
public final class Client {

    private Client() {
    }

    /** Arguments: the server's port. */
    public static void main(String[] args) throws Exception {
        Console.open();
        int port = Integer.parseInt(args[0]);
        UnboundId unboundId = new UnboundId(port);
        Jndi jndi = new Jndi(port);
        Console.untilTold(() -> unboundId.ask() + jndi.ask());
        unboundId.converse();
        jndi.converse();
        unboundId.mistakes(); // one of these mistakes makes the server close all connections
        Console.say("closed");
    }
}
