package jfs.launcher.commands;

import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import jfs.launcher.LauncherException;
import jfs.negotiation.policy.Rules;
import jfs.transport.BuiltIn;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code rules check FILE [HOST PORT]}: explains what a file of rules means to a program that is started with it, and which
 * rule decides about connections with a host. It asks the name server for names, as that program would. It makes no
 * connection to the host.
 */
@Command(name = "check", customSynopsis = "java -jar jfs.jar rules check FILE [HOST PORT]",
        description = {"Reads a file of rules (jfs.rules) and says what it means, and what it decides for a host and port.", ""})
final class RulesCheckCommand implements Callable<Integer> {

    @Mixin
    private HelpOption help;

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "FILE", description = "The file that jfs.rules would name.")
    private String file;

    @Parameters(index = "1", arity = "0..1", paramLabel = "HOST", description = "An address, or a name that can be resolved.")
    private String host;

    @Parameters(index = "2", arity = "0..1", paramLabel = "PORT", description = "The port of the listening socket.")
    private String given;

    @Override
    public Integer call() throws LauncherException {
        if (host != null && given == null) {
            throw new ParameterException(spec.commandLine(), "a host needs a port");
        }
        InetAddress[] hosts = host == null ? new InetAddress[0] : addresses(host);
        int port = host == null ? 0 : port(given);
        Rules rules;
        try {
            rules = Rules.read(Path.of(file), BuiltIn.TRANSPORTS);
        } catch (IllegalArgumentException e) { // an invalid path is one too
            throw new LauncherException(e.getMessage());
        }
        PrintWriter out = spec.commandLine().getOut();
        List<String> described = rules.describe();
        out.println(file + (described.isEmpty() ? ": no rules" : ": the first rule that matches decides"));
        described.forEach(out::println);
        for (InetAddress address : hosts) {
            String literal = address.getHostAddress();
            out.println("connecting to " + literal + " port " + port + ": " + rules.explainConnecting(address, port));
            out.println("accepting from " + literal + " on port " + port + ": " + rules.explainAccepting(address, port));
        }
        return 0;
    }

    private static InetAddress[] addresses(String host) throws LauncherException {
        try {
            return InetAddress.getAllByName(host);
        } catch (UnknownHostException e) {
            throw new LauncherException("bad host " + host + "; allowed is an address, or the name of a host that can be"
                    + " resolved");
        }
    }

    static int port(String word) throws LauncherException {
        if (word.matches("[1-9][0-9]{0,4}") && Integer.parseInt(word) <= 65_535) {
            return Integer.parseInt(word);
        }
        throw new LauncherException("bad port " + word + "; allowed is a number from 1 to 65535");
    }
}
