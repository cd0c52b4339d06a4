package programs.ldap;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedCompareRequest;
import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedDeleteRequest;
import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedSearchRequest;
import com.unboundid.ldap.listener.interceptor.InMemoryOperationInterceptor;
import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldif.LDIFException;
import com.unboundid.util.ssl.cert.SignatureAlgorithmIdentifier;
import com.unboundid.util.ssl.cert.X509Certificate;
import java.net.InetAddress;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import programs.Console;

/** A directory in memory, and a second directory that the first one refers to. */
public final class Server {

    private static final int PEOPLE = 1_000;

    private Server() {
    }

    public static void main(String[] args) throws Exception {
        Console.open();
        Connections connections = new Connections();
        InMemoryDirectoryServer other = start("dc=other", null, connections);
        other.add("dn: dc=other", "objectClass: domain", "dc: other");
        other.add("dn: cn=there,dc=other", "objectClass: device", "cn: there", "description: found at the other one");
        Operations operations = new Operations();
        InMemoryDirectoryServer server = start("dc=example", operations, connections);
        operations.server = server;
        fill(server, other.getListenPort());
        Console.sayPort(server.getListenPort());
        Console.awaitTold();
        server.shutDown(true);
        other.shutDown(true);
        Console.say(connections);
    }

    private static InMemoryDirectoryServer start(String base, InMemoryOperationInterceptor operations, Handler log)
            throws Exception {
        InMemoryDirectoryServerConfig config = new InMemoryDirectoryServerConfig(base);
        config.setListenerConfigs(InMemoryListenerConfig.createLDAPConfig("ldap", InetAddress.getLoopbackAddress(), 0,
                tls()));
        config.addAdditionalBindCredentials("cn=admin", "secret");
        config.setAccessLogHandler(log);
        if (operations != null) {
            config.addInMemoryOperationInterceptor(operations);
        }
        InMemoryDirectoryServer server = new InMemoryDirectoryServer(config);
        server.startListening();
        return server;
    }

    private static void fill(InMemoryDirectoryServer server, int otherPort) throws LDAPException, LDIFException {
        server.add("dn: dc=example", "objectClass: domain", "dc: example");
        server.add("dn: ou=people,dc=example", "objectClass: organizationalUnit", "ou: people");
        server.add("dn: cn=late,dc=example", "objectClass: device", "cn: late");
        server.add("dn: ou=elsewhere,dc=example", "objectClass: referral", "objectClass: extensibleObject",
                "ou: elsewhere", "ref: ldap://127.0.0.1:" + otherPort + "/dc=other");
        for (int i = 0; i < PEOPLE; i++) {
            server.add("dn: uid=" + i + ",ou=people,dc=example", "objectClass: inetOrgPerson", "uid: " + i,
                    "cn: Person " + i, "sn: " + i, "description: " + "x".repeat(i % 300 + 1));
        }
    }

    /** Makes sockets for TLS with a self-signed certificate. */
    private static SSLSocketFactory tls() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(256);
        KeyPair keys = generator.generateKeyPair();
        long now = System.currentTimeMillis();
        Certificate certificate = X509Certificate.generateSelfSignedCertificate(
                SignatureAlgorithmIdentifier.SHA_256_WITH_ECDSA, keys, new DN("cn=127.0.0.1"),
                now - TimeUnit.DAYS.toMillis(1), now + TimeUnit.DAYS.toMillis(1)).toCertificate();
        return context(keys, certificate).getSocketFactory();
    }

    private static SSLContext context(KeyPair keys, Certificate certificate) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("server", keys.getPrivate(), new char[0], new Certificate[] {certificate});
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    /** Behaviour that the directory server does not have by itself. */
    private static final class Operations extends InMemoryOperationInterceptor {
        private final Semaphore late = new Semaphore(0);
        private volatile InMemoryDirectoryServer server;

        /** The search for cn=late waits until another connection sends a compare request. */
        @Override
        public void processSearchRequest(InMemoryInterceptedSearchRequest request) {
            if (request.getRequest().getBaseDN().equals("cn=late,dc=example")) {
                late.acquireUninterruptibly();
            }
        }

        @Override
        public void processCompareRequest(InMemoryInterceptedCompareRequest request) {
            late.release();
        }

        /** A delete of dc=example makes the server close all connections, that of the requesting client included. */
        @Override
        public void processDeleteRequest(InMemoryInterceptedDeleteRequest request) {
            if (request.getRequest().getDN().equals("dc=example")) {
                server.closeAllConnections(false);
            }
        }
    }

    /** Counts the connections in the access log. */
    private static final class Connections extends Handler {
        private int made;

        @Override
        public synchronized void publish(LogRecord line) {
made += line.getMessage().contains(" CONNECT ") ? 1 : 0;
        }

        @Override
        public void flush() {
            // this handler buffers nothing
        }

        @Override
        public void close() {
            // this handler holds no resource
        }

        @Override
        public synchronized String toString() {
            return made + " connections";
        }
    }
}
