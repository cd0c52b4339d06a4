package jfs.launcher;

import java.io.PrintStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import jfs.negotiation.policy.Rules;
import jfs.transport.BuiltIn;

/**
 * {@code rules check FILE [HOST PORT]}: explains what a file of rules means to a program that is started with it, and which
 * rule decides about connections with a host. It asks the name server for names, as that program would. It makes no
 * connection to the host.
 */
final class CheckRules {

    private static final String USE = "use: java -jar jfs.jar rules check FILE [HOST PORT]";

    private CheckRules() {
    }

    static void execute(String[] args, PrintStream out) throws LauncherException {
        if (args.length != 2 && args.length != 4 || !args[0].equals("check")) {
            throw new LauncherException("rules check needs a file, or a file, a host and a port; " + USE);
        }
        InetAddress[] hosts = args.length == 4 ? addresses(args[2]) : new InetAddress[0];
        int port = args.length == 4 ? port(args[3]) : 0;
        Rules rules;
        try {
            rules = Rules.read(Path.of(args[1]), BuiltIn.TRANSPORTS);
        } catch (IllegalArgumentException e) { // an invalid path is one too
            throw new LauncherException(e.getMessage());
        }
        List<String> described = rules.describe();
        out.println(args[1] + (described.isEmpty() ? ": no rules" : ": the first rule that matches decides"));
        described.forEach(out::println);
        for (InetAddress host : hosts) {
            String literal = host.getHostAddress();
            out.println("connecting to " + literal + " port " + port + ": " + rules.explainConnecting(host, port));
            out.println("accepting from " + literal + " on port " + port + ": " + rules.explainAccepting(host, port));
        }
    }

    private static InetAddress[] addresses(String host) throws LauncherException {
        try {
            return InetAddress.getAllByName(host);
        } catch (UnknownHostException e) {
            throw new LauncherException("bad host " + host + "; allowed is an address, or the name of a host that can be"
                    + " resolved");
        }
    }

    private static int port(String word) throws LauncherException {
        if (word.matches("[1-9][0-9]{0,4}") && Integer.parseInt(word) <= 65_535) {
            return Integer.parseInt(word);
        }
        throw new LauncherException("bad port " + word + "; allowed is a number from 1 to 65535");
    }
}
