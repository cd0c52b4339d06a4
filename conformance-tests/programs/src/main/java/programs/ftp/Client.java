package programs.ftp;

import programs.Console;

/** Talks to the two servers, first to one and then to the other. */
public final class Client {

    private Client() {
    }

    /**
     * Arguments: two ports for each server: the port of its control connections, and the port at which the client
     * listens for data connections in active mode.
     */
    public static void main(String[] args) throws Exception {
        Console.open();
        for (int i = 0; i < args.length; i += 2) {
            String server = i == 0 ? "first" : "second";
            int port = Integer.parseInt(args[i]);
            try (CommonsNet client = new CommonsNet(server, port, Integer.parseInt(args[i + 1]))) {
                client.converse();
                if (i > 0) { // the first server's session would not survive it
                    client.abort();
                }
            }
            new Urls(server, port).converse();
        }
        Console.say("closed");
    }
}
