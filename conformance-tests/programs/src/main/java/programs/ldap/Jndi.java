package programs.ldap;

import com.unboundid.util.ssl.SSLUtil;
import com.unboundid.util.ssl.TrustAllTrustManager;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Hashtable;
import java.util.List;
import javax.naming.CommunicationException;
import javax.naming.Context;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.ReferralException;
import javax.naming.directory.Attribute;
import javax.naming.directory.Attributes;
import javax.naming.directory.BasicAttribute;
import javax.naming.directory.BasicAttributes;
import javax.naming.directory.DirContext;
import javax.naming.directory.SearchControls;
import javax.naming.directory.SearchResult;
import javax.naming.ldap.Control;
import javax.naming.ldap.InitialLdapContext;
import javax.naming.ldap.LdapContext;
import javax.naming.ldap.PagedResultsControl;
import javax.naming.ldap.PagedResultsResponseControl;
import javax.naming.ldap.StartTlsRequest;
import javax.naming.ldap.StartTlsResponse;
import programs.Bytes;
import programs.Console;

/** The JDK's own LDAP client. */
final class Jndi {

    /** Nanoseconds after which the client gives up waiting. */
    private static final long PATIENCE = 20_000_000_000L;

    private static final String PEOPLE = "ou=people,dc=example";
    private static final String LATE = "cn=late,dc=example";
    private static final String POOL = "com.sun.jndi.ldap.connect.pool";
    private static final String CONNECT_TIMEOUT = "com.sun.jndi.ldap.connect.timeout";
    private static final String READ_TIMEOUT = "com.sun.jndi.ldap.read.timeout";

    private final int port;
    private final LdapContext context;

    Jndi(int port) throws NamingException {
        this.port = port;
        context = connect(port);
    }

    String ask() throws NamingException {
        return context.getAttributes("uid=1," + PEOPLE).getIDs().next();
    }

    void converse() throws Exception {
        entries();
        pages();
        largeValue();
        abandoned();
        startTls();
        context.close();
        referrals();
        pool();
        timeOuts();
        mistakes();
    }

    /** Opens a connection. The port is followed by pairs of a setting's name and its value. */
    private LdapContext connect(int port, String... settings) throws NamingException {
        Hashtable<String, String> environment = new Hashtable<>();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.ldap.LdapCtxFactory");
        environment.put(Context.PROVIDER_URL, "ldap://127.0.0.1:" + port);
        environment.put(Context.SECURITY_PRINCIPAL, "cn=admin");
        environment.put(Context.SECURITY_CREDENTIALS, "secret");
        environment.put("java.naming.ldap.attributes.binary", "jpegPhoto");
        for (int i = 0; i < settings.length; i += 2) {
            environment.put(settings[i], settings[i + 1]);
        }
        return new InitialLdapContext(environment, null);
    }

    private void entries() throws NamingException {
        String name = "ou=teams,dc=example";
        Attributes attributes = new BasicAttributes("objectClass", "organizationalUnit");
        attributes.put("ou", "teams");
        context.createSubcontext(name, attributes).close();
        context.modifyAttributes(name, DirContext.REPLACE_ATTRIBUTE, new BasicAttributes("description", "changed"));
        Console.say(context.getAttributes(name).get("description"));
        context.rename(name, "ou=groups,dc=example");
        context.destroySubcontext("ou=groups,dc=example");
        Console.say(find("(objectClass=inetOrgPerson)"));
        Console.say(find("(description=*xxx)"));
        Console.say(find("(uid=nobody)"));
    }

    private String find(String filter) throws NamingException {
        List<String> found = new ArrayList<>();
        SearchControls controls = new SearchControls();
        controls.setSearchScope(SearchControls.SUBTREE_SCOPE);
        NamingEnumeration<SearchResult> results = context.search(PEOPLE, filter, controls);
        while (results.hasMore()) {
            SearchResult result = results.next();
            found.add(result.getName() + result.getAttributes().get("description"));
        }
        return found.size() + " found, " + found.hashCode();
    }

    private void pages() throws NamingException, IOException {
        int pages = 0;
        int entries = 0;
        byte[] cookie = null;
        do {
            context.setRequestControls(new Control[] {new PagedResultsControl(150, cookie, Control.CRITICAL)});
            NamingEnumeration<SearchResult> results = context.search(PEOPLE, "(uid=*)", new SearchControls());
            for (; results.hasMore(); results.next()) {
                entries++;
            }
            cookie = ((PagedResultsResponseControl) context.getResponseControls()[0]).getCookie();
            pages++;
        } while (cookie != null);
        context.setRequestControls(null);
        Console.say(entries + " entries on " + pages + " pages");
    }

    private void largeValue() throws NamingException {
        byte[] picture = Bytes.of(2, 1 << 20);
        Attribute photo = new BasicAttribute("jpegPhoto", picture);
        Attributes change = new BasicAttributes(true);
        change.put(photo);
        context.modifyAttributes("uid=2," + PEOPLE, DirContext.ADD_ATTRIBUTE, change);
        byte[] back = (byte[]) context.getAttributes("uid=2," + PEOPLE).get("jpegPhoto").get();
        Console.say(Bytes.digest(back) + ": " + Arrays.equals(picture, back));
        context.modifyAttributes("uid=2," + PEOPLE, DirContext.REMOVE_ATTRIBUTE, change);
    }

    /**
     * JNDI abandons a search when its results are closed before all have been read. The server has sent the results all
     * the same.
     */
    private void abandoned() throws NamingException {
        for (int i = 0; i < 5; i++) {
            NamingEnumeration<SearchResult> results = context.search(PEOPLE, "(uid=*)", new SearchControls());
            results.next();
            results.close();
        }
        Console.say(find("(uid=7*)"));
    }

    /** Begins TLS on a connection that has been on the fast path for long, if both processes have JFS. */
    private void startTls() throws Exception {
        StartTlsResponse tls = (StartTlsResponse) context.extendedOperation(new StartTlsRequest());
        tls.setHostnameVerifier((host, session) -> true);
        tls.negotiate(new SSLUtil(new TrustAllTrustManager()).createSSLSocketFactory());
        Console.say("TLS: " + find("(objectClass=inetOrgPerson)"));
        largeValue();
    }

    private void referrals() throws NamingException {
        String elsewhere = "cn=there,ou=elsewhere,dc=example";
        LdapContext following = connect(port, Context.REFERRAL, "follow");
        Console.say(following.getAttributes(elsewhere).get("description"));
        following.close();
        LdapContext throwing = connect(port, Context.REFERRAL, "throw");
        try {
            throwing.getAttributes(elsewhere);
        } catch (ReferralException e) {
            Console.say(without(e.getReferralInfo()));
            Context there = e.getReferralContext();
            Console.say(((DirContext) there).getAttributes(elsewhere).get("description"));
            there.close();
        }
        throwing.close();
    }

    /** One pooled connection serves these contexts one after the other. At the end the server closes it. */
    private void pool() throws NamingException {
        int sum = 0;
        for (int i = 0; i < 20; i++) {
            LdapContext one = connect(port, POOL, "true");
            sum += Integer.parseInt(one.getAttributes("uid=" + i + "," + PEOPLE).get("sn").get().toString());
            one.close();
        }
        Console.say(sum);
        LdapContext one = connect(port, POOL, "true");
        lose(one);
        one.close();
        Console.say(ofAnother());
    }

    /**
     * The pool may give out the lost connection again: it knows of the loss only when JNDI's reading thread has told
     * it. So this method asks again until a connection works.
     */
    private Object ofAnother() throws NamingException {
        long end = System.nanoTime() + PATIENCE;
        while (true) {
            LdapContext another = connect(port, POOL, "true");
            try {
                return another.getAttributes("uid=1," + PEOPLE).get("sn");
            } catch (CommunicationException e) {
                if (System.nanoTime() - end > 0) {
                    throw e;
                }
                Thread.yield();
            } finally {
                another.close();
            }
        }
    }

    private void timeOuts() throws Exception {
        LdapContext one = connect(port, READ_TIMEOUT, "1000"); // this time-out applies to connecting too
        say(() -> one.getAttributes(LATE));
        one.close();
        LdapContext other = connect(port);
        other.search(LATE, "(cn=late)", compare()); // makes the server answer the search for LATE
        other.close();
        try (ServerSocket deaf = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            say(() -> connect(deaf.getLocalPort(), CONNECT_TIMEOUT, "200"));
            List<Socket> queue = new ArrayList<>();
            try {
                fill(deaf, queue);
                say(() -> connect(deaf.getLocalPort(), CONNECT_TIMEOUT, "200"));
            } finally {
                for (Socket socket : queue) {
                    socket.close();
                }
            }
        }
    }

    /** Connects to the listener until the kernel accepts no more connections. */
    private static void fill(ServerSocket listener, List<Socket> queue) throws IOException {
        try {
            while (queue.size() < 10) {
                Socket socket = new Socket();
                queue.add(socket);
                socket.connect(new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort()), 200);
            }
        } catch (SocketTimeoutException e) {
            // the listener's queue is full
        }
    }

    /** With these search controls JNDI sends a compare request. */
    private static SearchControls compare() {
        SearchControls controls = new SearchControls();
        controls.setSearchScope(SearchControls.OBJECT_SCOPE);
        controls.setReturningAttributes(new String[0]);
        return controls;
    }

    private void mistakes() throws NamingException {
        say(() -> connect(port, Context.SECURITY_CREDENTIALS, "wrong"));
        say(() -> connect(1));
        LdapContext one = connect(port);
        say(() -> one.getAttributes("uid=nobody," + PEOPLE));
        say(() -> one.createSubcontext(PEOPLE, new BasicAttributes("objectClass", "organizationalUnit")));
        lose(one);
        one.close();
    }

    /** The server ends the connection before it has answered. Which exception JNDI throws depends on timing. */
    private static void lose(LdapContext context) {
        try {
            context.destroySubcontext("dc=example");
            Console.say("not lost");
        } catch (NamingException e) {
            Console.say("lost");
        }
    }

    /** A call to JNDI that may fail. */
    private interface Mistake {
        void make() throws Exception;
    }

    private void say(Mistake mistake) {
        try {
            mistake.make();
            Console.say("done");
        } catch (Exception e) {
            Console.say(without(e) + (e.getCause() == null ? "" : " by " + without(e.getCause())));
        }
    }

    /** Replaces the ports, because they differ from run to run. */
    private static String without(Object text) {
        return text.toString().replaceAll(":\\d+", ":PORT");
    }
}
