package jfs.negotiation.policy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jfs.config.Transports;
import jfs.spi.TransportProvider;

/**
 * The rules of the file that {@code jfs.rules} names. They choose which transport a connection may use. The grammar is that of the
 * JDK's {@code com.sun.sdp.conf}, with {@code accept} instead of {@code bind} and a transport at the end of each line:
 *
 * <pre>
 * rule       = ("connect" | "accept") host port transport       separated by blanks
 * host       = "*" | address | address "/" prefix-length | host-name
 * port       = "*" | number | number "-" number | number "-*"
 * transport  = "tcp" | name of a transport of this host | name of a transport between hosts [ "trusted" ] [ "forced" ]
 * </pre>
 *
 * <p>A {@code #} starts a comment, up to the end of its line. The file is UTF-8. The first rule that matches decides.
 * For {@code connect} host and port are those of the listener. For {@code accept} the host is the peer's and the port is
 * the one that this process listens on. A host name stands for all the addresses that it has when the file is read.
 * JFS reads the file once, when it is installed; so the installation may wait for a name server. An address is written in
 * full (four decimal numbers, or IPv6). A network has addresses of its own kind only, and an IPv4-mapped address is an IPv4 address.
 *
 * <p>Between hosts the peer process has to prove that it has the key of this process, unless the rule says {@code trusted}. A transport
 * is not used where it is no faster than the kernel's TCP, unless the rule says {@code forced}.
 *
 * <p>Immutable. Looking a connection up makes no system call.
 */
public final class Rules {

    /** No rules: a connection may use a transport of this host if its peer is on this host, else it stays on TCP. */
    public static final Rules NONE = new Rules(List.of(), List.of());

    static final int PORT_MAX = 65_535;
    private static final String RULE_IS = "\"connect\" or \"accept\", host, port and transport";
    private static final String HOST_IS =
            "*, an address, an address with a prefix length, or the name of a host that can be resolved";
    private static final String PORT_IS = "*, a port from 1 to " + PORT_MAX + ", or a range of them like 5000-5999";

    private static final String TRUSTED = "trusted";
    private static final String FORCED = "forced";

    /** The patterns. They are compiled when the first rule or address is parsed: most programs start without any. */
    private static final class Shape {
        /** A word of digits and dots only is an IPv4 address or an error. No host name has this form. */
        static final Pattern DIGITS_AND_DOTS = Pattern.compile("[0-9.]+");
        private static final String OCTET = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
        static final Pattern IPV4 = Pattern.compile(OCTET + "(\\." + OCTET + "){3}");
        static final Pattern NUMBER = Pattern.compile("\\d{1,5}");
    }

    /** Finds a host's addresses. */
    public interface Resolver {
        InetAddress[] addressesOf(String host) throws UnknownHostException;
    }

    private final List<Rule> rules;
    private final List<TransportProvider> known;

    private Rules(List<Rule> rules, List<TransportProvider> known) {
        this.rules = List.copyOf(rules);
        this.known = known;
    }

    /**
     * Reads a file of rules.
     *
     * @param known the transports that a rule may name
     * @throws IllegalArgumentException if the file can't be read or a line is no rule. The message is one line. It names the file,
     *             and for a bad line also the line, the wrong word and what is allowed
     */
    public static Rules read(Path file, List<TransportProvider> known) {
        try {
            return parse(file.toString(), Files.readAllLines(file), known, InetAddress::getAllByName);
        } catch (NoSuchFileException e) {
            throw bad(file.toString(), "; it does not exist");
        } catch (MalformedInputException e) {
            throw bad(file.toString(), "; it is not UTF-8");
        } catch (IOException e) {
            throw bad(file.toString(), "; it can't be read: " + e.getMessage());
        }
    }

    public static Rules parse(String file, List<String> lines, List<TransportProvider> known, Resolver resolver) {
        List<Rule> rules = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String rule = lines.get(i).replaceFirst("#.*", "").strip();
            if (!rule.isEmpty()) {
                rules.add(new Line(file, i + 1, known, resolver).parse(rule));
            }
        }
        return new Rules(rules, known);
    }

    private static IllegalArgumentException bad(String file, String rest) {
        return new IllegalArgumentException("jfs: bad setting jfs.rules=" + file + rest);
    }

    /**
     * @param remote the listener's address; null if only a proxy knows it, then no rule matches
     * @return the first rule for a connection to that listener, or null
     */
    Rule connecting(InetAddress remote, int remotePort) {
        return remote == null ? null : first(Rule.Action.CONNECT, remote, remotePort);
    }

    /** @return the first rule for a connection that this process accepted from that address on that port, or null */
    Rule accepting(InetAddress remote, int localPort) {
        return first(Rule.Action.ACCEPT, remote, localPort);
    }

    private Rule first(Rule.Action by, InetAddress remote, int port) {
        for (int i = 0; i < rules.size(); i++) { // called for each connection: an iterator would make garbage
            Rule rule = rules.get(i);
            if (rule.matches(by, remote, port)) {
                return rule;
            }
        }
        return null;
    }

    /** Whether a rule chooses that transport. */
    public boolean choose(TransportProvider transport) {
        for (Rule rule : rules) { // no lambda: every process calls this when it starts, and most have no rule
            if (rule.transport() != null && rule.transport().name().equals(transport.name())) {
                return true;
            }
        }
        return false;
    }

    /**
     * @return whether a rule chooses a transport between hosts for connections from that host, on any port; only then this process answers
     *         the host
     */
    public boolean admit(byte[] mappedAddress) {
        for (Rule rule : rules) {
            if (rule.betweenHosts() && rule.matches(Rule.Action.ACCEPT, mappedAddress)) {
                return true;
            }
        }
        return false;
    }

    /**
     * @return whether a rule chooses a transport between hosts for connections to that port, from any host; then other hosts must find this
     *         process
     */
    public boolean serve(int localPort) {
        for (Rule rule : rules) { // called for every listening socket
            if (rule.betweenHosts() && rule.action() == Rule.Action.ACCEPT
                    && rule.firstPort() <= localPort && localPort <= rule.lastPort()) {
                return true;
            }
        }
        return false;
    }

    /** @return each rule as it stands in the file, and as the parser has understood it; for people */
    public List<String> describe() {
        return rules.stream().map(rule -> rule.text() + "\n    " + rule.subject() + ": " + rule.consequence()).toList();
    }

    /** @return which rule decides about connections to that listener, and what it decides; for people */
    public String explainConnecting(InetAddress remote, int remotePort) {
        return explain(connecting(remote, remotePort));
    }

    /** @return which rule decides about connections from that address to that port of this process, and what; for people */
    public String explainAccepting(InetAddress remote, int localPort) {
        return explain(accepting(remote, localPort));
    }

    private String explain(Rule rule) {
        if (rule != null) {
            return rule.text() + ": " + rule.consequence();
        }
        TransportProvider otherwise = Transports.ofThisHost(known);
        return "no rule: " + (otherwise == null ? "" : otherwise.inWords(false) + Rule.IF_ON_THIS_HOST + ", else ") + "TCP";
    }

    /**
     * Checks that no rule asks for a key. Called if this process has none.
     *
     * @param file the file of the rules, for the message
     * @throws IllegalArgumentException if a rule asks for a key
     */
    public void requireTrust(Path file) {
        for (Rule rule : rules) {
            if (rule.betweenHosts() && !rule.trusted()) {
                String name = rule.transport().name();
                throw bad(file.toString(), ", " + rule.text().replaceFirst(" of jfs.rules", "")
                        + "; allowed is " + name + " trusted, or " + name + " and a key in jfs.hosts.key");
            }
        }
    }

    /** @return whether the word looks like an address in full, so that no name server is asked for it */
    public static boolean isAddress(String host) {
        return host.indexOf(':') >= 0 || Shape.IPV4.matcher(host).matches();
    }

    private static String names(List<TransportProvider> transports, String separator) {
        return transports.stream().map(TransportProvider::name).collect(Collectors.joining(separator));
    }

    private static List<TransportProvider> betweenHosts(List<TransportProvider> transports) {
        return transports.stream().filter(TransportProvider::betweenHosts).toList();
    }

    /** Parses one line of the file. */
    private record Line(String file, int number, List<TransportProvider> known, Resolver resolver) {

        Rule parse(String line) {
            String[] words = line.split("\\s+");
            Rule.Action action = switch (words[0]) {
                case "connect" -> Rule.Action.CONNECT;
                case "accept" -> Rule.Action.ACCEPT;
                default -> throw bad(words[0], "connect or accept");
            };
            if (words.length < 4) {
                throw bad(line, RULE_IS);
            }
            List<Rule.Network> networks = networks(words[1]);
            int dash = words[2].indexOf('-');
            int first;
            int last;
            if (words[2].equals("*")) {
                first = 1;
                last = PORT_MAX;
            } else if (dash < 0) {
                first = last = port(words[2], words[2]);
            } else {
                first = port(words[2].substring(0, dash), words[2]);
                String end = words[2].substring(dash + 1);
                last = end.equals("*") ? PORT_MAX : port(end, words[2]);
                if (last < first) {
                    throw bad(words[2], PORT_IS);
                }
            }
            TransportProvider transport = Transports.named(known, words[3]);
            if (transport == null && !words[3].equals(Rule.TCP)) {
                throw bad(words[3], names(known, ", ") + " or " + Rule.TCP);
            }
            Set<String> options = options(words, transport != null && transport.betweenHosts());
            return new Rule(action, networks, first, last, transport, options.contains(TRUSTED),
                    options.contains(FORCED), "line " + number + " of jfs.rules: " + line);
        }

        private Set<String> options(String[] words, boolean betweenHosts) {
            Set<String> options = new HashSet<>();
            for (String word : Arrays.copyOfRange(words, 4, words.length)) {
                boolean isOption = word.equals(TRUSTED) || word.equals(FORCED);
                if (!isOption || !betweenHosts || !options.add(word)) {
                    throw bad(word, "trusted and forced, once each, after " + names(betweenHosts(known), " or "));
                }
            }
            return options;
        }

        private int port(String number, String word) {
            if (Shape.NUMBER.matcher(number).matches()) {
                int port = Integer.parseInt(number);
                if (port >= 1 && port <= PORT_MAX) {
                    return port;
                }
            }
            throw bad(word, PORT_IS);
        }

        private List<Rule.Network> networks(String word) {
            if (word.equals("*")) {
                return List.of(Rule.Network.ANY);
            }
            int slash = word.indexOf('/');
            String host = slash < 0 ? word : word.substring(0, slash);
            boolean literal = isAddress(host);
            if (!literal && (slash >= 0 || Shape.DIGITS_AND_DOTS.matcher(host).matches())) {
                throw bad(word, HOST_IS);
            }
            InetAddress[] addresses;
            try { // getAllByName asks no name server for what looks like an address
                addresses = literal ? InetAddress.getAllByName(host) : resolver.addressesOf(host);
            } catch (UnknownHostException e) {
                throw bad(word, HOST_IS);
            }
            List<Rule.Network> networks = new ArrayList<>();
            for (InetAddress address : addresses) {
                byte[] bytes = address.getAddress();
                int most = bytes.length * 8;
                // Java makes an IPv4 address of an IPv4-mapped one. The prefix length still counts the 96 bits before it.
                int mapped = host.indexOf(':') >= 0 ? 128 - most : 0;
                int bits = slash < 0 ? most : prefix(word.substring(slash + 1), mapped, most + mapped, word) - mapped;
                networks.add(new Rule.Network(bytes, bits));
            }
            return networks;
        }

        private int prefix(String number, int least, int most, String word) {
            int bits = Shape.NUMBER.matcher(number).matches() ? Integer.parseInt(number) : -1;
            if (bits < least || bits > most) {
                throw bad(word, "a prefix length from " + least + " to " + most);
            }
            return bits;
        }

        private IllegalArgumentException bad(String word, String allowed) {
            return Rules.bad(file, ", line " + number + ": " + word + "; allowed is " + allowed);
        }
    }
}
