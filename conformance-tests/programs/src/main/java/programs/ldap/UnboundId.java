package programs.ldap;

import com.unboundid.ldap.sdk.AsyncRequestID;
import com.unboundid.ldap.sdk.AsyncSearchResultListener;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPConnectionOptions;
import com.unboundid.ldap.sdk.LDAPConnectionPool;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchResultReference;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.extensions.StartTLSExtendedRequest;
import com.unboundid.ldif.LDIFException;
import com.unboundid.util.ssl.SSLUtil;
import com.unboundid.util.ssl.TrustAllTrustManager;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import programs.Bytes;
import programs.Console;

/**
 * A client on UnboundID's SDK. The SDK has a reader thread for each connection and can have many requests under way on
 * one.
 */
final class UnboundId {

    private static final String HOST = "127.0.0.1";
    private static final String PEOPLE = "ou=people,dc=example";
    private static final String LATE = "cn=late,dc=example";

    private final int port;
    private final LDAPConnection connection;

    UnboundId(int port) throws LDAPException {
        this.port = port;
        connection = connect(new LDAPConnectionOptions());
    }

    String ask() throws LDAPException {
        return connection.getEntry("uid=1," + PEOPLE).getDN();
    }

    void converse() throws Exception {
        try (connection) {
            entries();
            largeValue();
            manyAtATime();
            abandoned();
            connection.processExtendedOperation(startTls()); // on the fast path for long, if both processes have JFS
            Console.say("TLS: " + search("(uid=7*)"));
        }
        timeOut();
        pool();
    }

    private LDAPConnection connect(LDAPConnectionOptions options) throws LDAPException {
        return new LDAPConnection(options, HOST, port, "cn=admin", "secret");
    }

    private void entries() throws LDAPException, LDIFException {
        for (int i = 0; i < 100; i++) {
            connection.add("dn: cn=" + i + ",dc=example", "objectClass: device", "cn: " + i, "serialNumber: " + i);
        }
        connection.modify(new ModifyRequest("dn: cn=17,dc=example", "changetype: modify", "replace: serialNumber",
                "serialNumber: 4711"));
        Console.say(connection.getEntry("cn=17,dc=example").toLDIFString());
        connection.modifyDN("cn=18,dc=example", "cn=eighteen", true);
        Console.say(connection.getEntry("cn=18,dc=example"));
        Console.say(connection.getEntry("cn=eighteen,dc=example").toLDIFString());
        connection.delete("cn=eighteen,dc=example");
        SearchResult all = connection.search("dc=example", SearchScope.SUB, "(objectClass=*)");
        Console.say(all.getEntryCount() + " entries, " + all.getReferenceCount() + " elsewhere, "
                + new ArrayList<Entry>(all.getSearchEntries()).hashCode());
    }

    private void largeValue() throws LDAPException {
        byte[] picture = Bytes.of(1, 1 << 20);
        connection.modify("uid=1," + PEOPLE, new Modification(ModificationType.ADD, "jpegPhoto", picture));
        byte[] back = connection.getEntry("uid=1," + PEOPLE, "jpegPhoto").getAttributeValueBytes("jpegPhoto");
        Console.say(Bytes.digest(back) + ": " + Arrays.equals(picture, back));
        connection.modify("uid=1," + PEOPLE, new Modification(ModificationType.DELETE, "jpegPhoto"));
    }

    /** Several threads share the connection. */
    private void manyAtATime() throws Exception {
        Console.say("shared: " + inThreads(4, () -> {
            int found = 0;
            for (int i = 0; i < 20; i++) {
                found += connection.search(PEOPLE, SearchScope.ONE, "(uid=" + i + "*)").getEntryCount();
            }
            return found;
        }));
    }

    private static List<Integer> inThreads(int number, Callable<Integer> task) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(number);
        try {
            List<Future<Integer>> futures = new ArrayList<>();
            for (int i = 0; i < number; i++) {
                futures.add(threads.submit(task));
            }
            List<Integer> results = new ArrayList<>();
            for (Future<Integer> future : futures) {
                results.add(future.get());
            }
            return results;
        } finally {
            threads.shutdown();
        }
    }

    /** The client abandons a request. The answer comes later, and the client ignores it. */
    private void abandoned() throws Exception {
        Counting unwanted = new Counting();
        AsyncRequestID request = connection.asyncSearch(new SearchRequest(unwanted, LATE, SearchScope.BASE,
                "(objectClass=*)"));
        connection.abandon(request);
        answerTheLate();
        Console.say(search("(uid=3*)") + " found, " + unwanted.entries + " of what was abandoned");
    }

    private void answerTheLate() throws LDAPException {
        try (LDAPConnection other = connect(new LDAPConnectionOptions())) {
            other.compare(LATE, "cn", "late");
        }
    }

    private static StartTLSExtendedRequest startTls() throws Exception {
        return new StartTLSExtendedRequest(new SSLUtil(new TrustAllTrustManager()).createSSLContext());
    }

    private int search(String filter) throws LDAPException {
        return connection.search(PEOPLE, SearchScope.ONE, filter).getEntryCount();
    }

    /** In synchronous mode the SDK reads in the caller's thread, with SO_TIMEOUT. */
    private void timeOut() throws LDAPException {
        for (boolean synchronous : new boolean[] {false, true}) {
            LDAPConnectionOptions options = new LDAPConnectionOptions();
            options.setUseSynchronousMode(synchronous);
            SearchRequest request = new SearchRequest(LATE, SearchScope.BASE, "(objectClass=*)");
            request.setResponseTimeoutMillis(200);
            try (LDAPConnection other = connect(options)) {
                other.search(request);
            } catch (LDAPException e) {
                Console.say(e.getResultCode());
            }
            answerTheLate();
        }
    }

    private void pool() throws Exception {
        LDAPConnectionPool pool = new LDAPConnectionPool(connect(new LDAPConnectionOptions()), 4, 4);
        try {
            Console.say("pool: " + inThreads(4, () -> {
                int found = 0;
                for (int i = 0; i < 50; i++) {
                    Entry entry = pool.getEntry("uid=" + i + "," + PEOPLE);
                    found += entry.getAttributeValueAsInteger("sn");
                }
                return found;
            }));
            LDAPConnection one = pool.getConnection();
            one.closeWithoutUnbind();
            pool.releaseDefunctConnection(one);
            Console.say(pool.getCurrentAvailableConnections() + " left of " + pool.getMaximumAvailableConnections());
        } finally {
            pool.close();
        }
    }

    void mistakes() {
        say(() -> new LDAPConnection(HOST, port, "cn=admin", "wrong"));
        say(() -> new LDAPConnection(HOST, 1));
        say(() -> {
            try (LDAPConnection other = connect(new LDAPConnectionOptions())) {
                return other.delete("dc=example"); // this makes the server close the connection
            }
        });
    }

    private static void say(Callable<?> mistake) {
        try {
            Console.say(mistake.call());
        } catch (LDAPException e) {
            Console.say(e.getResultCode() + (e.getCause() == null ? "" : " by " + e.getCause()));
        } catch (Exception e) {
            Console.say(e);
        }
    }

    /** Counts what a search finds. */
    private static final class Counting implements AsyncSearchResultListener {
        private final AtomicInteger entries = new AtomicInteger();

        @Override
        public void searchEntryReturned(SearchResultEntry entry) {
            entries.incrementAndGet();
        }

        @Override
        public void searchReferenceReturned(SearchResultReference reference) {
            // a reference is not an entry
        }

        @Override
        public void searchResultReceived(AsyncRequestID request, SearchResult result) {
            // the thread that waits for the result asks the request for it
        }
    }
}
