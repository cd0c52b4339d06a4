package jfs.transport.tcp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Authenticator;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/**
 * Connects, through a SOCKS proxy if the default {@link ProxySelector} names one ({@code -DsocksProxyHost}), as the JDK
 * does below a plain {@link java.net.Socket}: SOCKS 5 (RFC 1928) without or with user name and password (RFC 1929, from
 * the default {@link Authenticator}), or SOCKS 4 for {@code socksProxyVersion=4}.
 */
final class Socks {

    private static final int VERSION_5 = 5;
    private static final int VERSION_4 = 4;
    private static final int CONNECT = 1;
    private static final int NO_AUTHENTICATION = 0;
    private static final int PASSWORD = 2;
    private static final int NO_METHOD = 0xff;
    private static final int ADDRESS_V4 = 1;
    private static final int DOMAIN_NAME = 3;
    private static final int ADDRESS_V6 = 4;
    private static final int V4_GRANTED = 90;

    /** The characters that are not encoded in a host's name, besides letters and digits. */
    private static final String PLAIN = "!$&'()*+,-./:@_~";

    private static final List<String> V5_ERRORS = List.of("SOCKS server general failure",
            "SOCKS: Connection not allowed by ruleset", "SOCKS: Network unreachable", "SOCKS: Host unreachable",
            "SOCKS: Connection refused", "SOCKS: TTL expired", "SOCKS: Command not supported",
            "SOCKS: address type not supported");
    private static final List<String> V4_ERRORS = List.of("SOCKS request rejected",
            "SOCKS server couldn't reach destination", "SOCKS authentication failed");

    private final NioConnection connection;
    private final InetSocketAddress proxy;
    private final long deadline;

    private Socks(NioConnection connection, InetSocketAddress proxy, long deadline) {
        this.connection = connection;
        this.proxy = proxy;
        this.deadline = deadline;
    }

    /**
     * @param target may be unresolved if there is a proxy to resolve it
     * @throws IOException if the target was not reached; the connection is closed then
     */
    static void connect(NioConnection connection, InetSocketAddress target, long deadline) throws IOException {
        ProxySelector selector = ProxySelector.getDefault();
        URI uri = selector == null ? null : uri(target);
        IOException failure = null;
        Iterator<Proxy> candidates = selector == null ? Collections.emptyIterator() : select(selector, uri);
        while (candidates.hasNext()) {
            Proxy candidate = candidates.next();
            if (candidate == null || candidate.type() != Proxy.Type.SOCKS) {
                connection.connectTo(target, deadline); // after a proxy that failed this throws: the connection is closed
                return;
            }
            if (!(candidate.address() instanceof InetSocketAddress named)) {
                throw new SocketException("Unknown address type for proxy: " + candidate);
            }
            InetSocketAddress proxy = new InetSocketAddress(named.getHostString(), named.getPort());
            try {
                connection.connectTo(proxy, deadline);
            } catch (IOException e) {
                selector.connectFailed(uri, named, e);
                failure = e;
                continue;
            }
            new Socks(connection, proxy, deadline).requestOrClose(target);
            return;
        }
        if (failure != null) {
            throw new SocketException("Can't connect to SOCKS proxy:" + failure.getMessage());
        }
        connection.connectTo(target, deadline);
    }

    private static URI uri(InetSocketAddress target) throws IOException {
        String host = target.getHostString();
        boolean isLiteral = target.getAddress() instanceof Inet6Address && host.indexOf(':') >= 0;
        try {
            return new URI("socket://" + (isLiteral ? "[" + host + "]" : encoded(host)) + ":" + target.getPort());
        } catch (URISyntaxException e) {
            throw new IOException("Failed to select a proxy", e);
        }
    }

    /** Encodes a name as the JDK does, like a path. A name may have any characters. */
    private static String encoded(String name) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            if (b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || PLAIN.indexOf(b) >= 0) {
                encoded.append((char) b);
            } else {
                encoded.append(String.format("%%%02x", b));
            }
        }
        return encoded.toString();
    }

    private static Iterator<Proxy> select(ProxySelector selector, URI uri) throws IOException {
        try {
            return selector.select(uri).iterator();
        } catch (IllegalArgumentException e) {
            throw new IOException("Failed to select a proxy", e);
        }
    }

    private void requestOrClose(InetSocketAddress target) throws IOException {
        boolean done = false;
        try {
            if (SocksSettings.isVersion4()) {
                requestV4(target);
            } else {
                requestV5(target);
            }
            connection.reached(target);
            done = true;
        } finally {
            if (!done) {
                connection.close();
            }
        }
    }

    private void requestV5(InetSocketAddress target) throws IOException {
        send(new byte[] {VERSION_5, 2, NO_AUTHENTICATION, PASSWORD});
        byte[] choice = receive(2);
        if (choice[0] != VERSION_5) { // perhaps the proxy is an old one
            requestV4(target);
            return;
        }
        authenticate(choice[1] & 0xff);
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.write(VERSION_5);
        request.write(CONNECT);
        request.write(0);
        if (target.isUnresolved()) {
            request.write(DOMAIN_NAME);
            writeCounted(request, target.getHostName(), "host name");
        } else {
            byte[] address = target.getAddress().getAddress();
            request.write(address.length == 4 ? ADDRESS_V4 : ADDRESS_V6);
            request.writeBytes(address);
        }
        writePort(request, target);
        send(request.toByteArray());
        byte[] reply = receive(4);
        if (reply[1] != 0) {
            throw error(V5_ERRORS, reply[1] - 1, "Reply from SOCKS server contains bad status");
        }
        receive(switch (reply[3]) { // the address at the proxy's end, which is not needed here
            case ADDRESS_V4 -> 4 + 2;
            case ADDRESS_V6 -> 16 + 2;
            case DOMAIN_NAME -> (receive(1)[0] & 0xff) + 2;
            default -> throw new SocketException("Reply from SOCKS server contains wrong code");
        });
    }

    private void authenticate(int method) throws IOException {
        switch (method) {
            case NO_AUTHENTICATION -> { }
            case PASSWORD -> {
                PasswordAuthentication known = Authenticator.requestPasswordAuthentication(proxy.getHostString(),
                        InetAddress.getByName(proxy.getHostString()), proxy.getPort(), "SOCKS5", "SOCKS authentication",
                        null);
                ByteArrayOutputStream request = new ByteArrayOutputStream();
                request.write(1); // the version of RFC 1929
                String user = known != null ? known.getUserName() : System.getProperty("user.name");
                writeCounted(request, user, "username");
                writeCounted(request, known != null ? new String(known.getPassword()) : "", "password");
                send(request.toByteArray());
                if (receive(2)[1] != 0) {
                    throw new SocketException("SOCKS : authentication failed");
                }
            }
            case NO_METHOD -> throw new SocketException("SOCKS : No acceptable methods");
            default -> throw new SocketException("SOCKS : authentication failed");
        }
    }

    private void requestV4(InetSocketAddress target) throws IOException {
        if (target.isUnresolved()) {
            throw HostInfo.unresolved(target);
        }
        if (!(target.getAddress() instanceof Inet4Address address)) {
            throw new SocketException("SOCKS V4 requires IPv4 only addresses");
        }
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.write(VERSION_4);
        request.write(CONNECT);
        writePort(request, target);
        request.writeBytes(address.getAddress());
        request.writeBytes(System.getProperty("user.name").getBytes(StandardCharsets.ISO_8859_1));
        request.write(0);
        send(request.toByteArray());
        byte[] reply = receive(8);
        if (reply[0] != 0 && reply[0] != VERSION_4) {
            throw new SocketException("Reply from SOCKS server has bad version");
        }
        if (reply[1] != V4_GRANTED) {
            throw error(V4_ERRORS, reply[1] - V4_GRANTED - 1, "Reply from SOCKS server contains bad status");
        }
    }

    private static SocketException error(List<String> errors, int number, String otherwise) {
        return new SocketException(number >= 0 && number < errors.size() ? errors.get(number) : otherwise);
    }

    private static void writePort(ByteArrayOutputStream request, InetSocketAddress target) {
        request.write(target.getPort() >> 8);
        request.write(target.getPort());
    }

    private static void writeCounted(ByteArrayOutputStream request, String text, String what) throws SocketException {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        if (bytes.length > 0xff) {
            throw new SocketException("SOCKS: " + what + " is too long");
        }
        request.write(bytes.length);
        request.writeBytes(bytes);
    }

    private void send(byte[] bytes) throws IOException {
        connection.write(bytes, 0, bytes.length);
    }

    private byte[] receive(int length) throws IOException {
        byte[] bytes = new byte[length];
        for (int at = 0; at < length;) {
            int n;
            try {
                n = connection.read(bytes, at, length - at, deadline);
            } catch (SocketTimeoutException e) {
                throw new SocketTimeoutException("Connect timed out");
            }
            if (n < 0) {
                throw new SocketException("Malformed reply from SOCKS server");
            }
            at += n;
        }
        return bytes;
    }
}
