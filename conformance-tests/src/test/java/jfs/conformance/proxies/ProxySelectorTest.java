package jfs.conformance.proxies;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import jfs.conformance.harness.Pair;
import jfs.conformance.harness.Side;
import jfs.conformance.harness.Transcript;
import org.junit.jupiter.api.AfterEach;

/** What a plain socket asks the default proxy selector, and what it does with the answers. */
class ProxySelectorTest {

    private static final byte[] LOOPBACK = {127, 0, 0, 1};

    private final ProxySelector before = ProxySelector.getDefault();

    @AfterEach
    void end() {
        ProxySelector.setDefault(before);
    }

    /** A selector that writes its calls into the transcript. */
    private static ProxySelector answering(Transcript seen, Supplier<List<Proxy>> answer) {
        return new ProxySelector() {
            @Override
            public List<Proxy> select(URI uri) {
                seen.line("asked for " + uri + ", host " + uri.getHost());
                return answer.get();
            }

            @Override
            public void connectFailed(URI uri, SocketAddress address, IOException e) {
                seen.line("told of " + uri + ", " + address + ", " + e);
            }
        };
    }

    private static Proxy proxy(Proxy.Type type, int port) {
        return new Proxy(type, new InetSocketAddress("127.0.0.1", port));
    }

    private static void connect(Transcript seen, SocketAddress target, ServerSocket listener) throws Exception {
        try (Socket client = new Socket()) {
            seen.see("connect", () -> client.connect(target));
            seen.port("client", client.getLocalPort());
            seen.see("end", client::toString);
            seen.see("closed", client::isClosed);
            if (client.isConnected()) {
                listener.accept().close();
            }
        }
    }

    @Side.AtEach
    void itsAnswers(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            try (ServerSocket listener = Pair.listener(); ServerSocket gone = Pair.listener()) {
                gone.close();
                int nobody = gone.getLocalPort();
                seen.port("listener", listener.getLocalPort()).port("nobody", nobody);
                Proxy socks = proxy(Proxy.Type.SOCKS, nobody);
                Proxy http = proxy(Proxy.Type.HTTP, nobody);
                Proxy unknown = new Proxy(Proxy.Type.SOCKS, InetSocketAddress.createUnresolved("a.invalid", nobody));
                List<Supplier<List<Proxy>>> answers = new ArrayList<>(List.of(() -> null, List::of, () -> {
                    throw new IllegalArgumentException("no answer");
                }, () -> {
                    throw new IllegalStateException("broken");
                }));
                for (Proxy[] named : new Proxy[][] {{null}, {Proxy.NO_PROXY}, {http}, {http, socks}, {null, socks},
                        {socks, null}, {socks, Proxy.NO_PROXY}, {socks, http}, {socks, socks}, {unknown}}) {
                    answers.add(() -> Arrays.asList(named));
                }
                for (Supplier<List<Proxy>> answer : answers) {
                    ProxySelector.setDefault(answering(seen, answer));
                    connect(seen, listener.getLocalSocketAddress(), listener);
                }
                ProxySelector.setDefault(answering(seen, () -> List.of(socks, http)));
                connect(seen, InetSocketAddress.createUnresolved("b.invalid", listener.getLocalPort()), listener);
            }
        });
    }

    @Side.AtEach
    void itsQuestion(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            try (ServerSocket listener = Pair.listener()) {
                int port = listener.getLocalPort();
                seen.port("listener", port);
                ProxySelector.setDefault(answering(seen, () -> {
                    throw new IllegalArgumentException("no answer");
                }));
                List<InetAddress> targets = new ArrayList<>(List.of(InetAddress.getByName("::ffff:127.0.0.1")));
                for (String name : new String[] {"", "host.example", "xn--kda4b0koi.example", "under_score",
                        "\u00fc.\u4e2d", "a !\"#$%&'()*+,-./;<=>?@\\]^_`{|}~[\t\u007f"}) {
                    targets.add(InetAddress.getByAddress(name, LOOPBACK));
                }
                if (Runtime.version().feature() >= 25) { // before JDK 22 the brackets of an IPv6 literal were encoded
                    targets.add(InetAddress.getByName("::1"));
                    targets.add(InetAddress.getByName("fe80::1%1234567"));
                }
                for (InetAddress target : targets) {
                    connect(seen, new InetSocketAddress(target, port), listener);
                }
                connect(seen, InetSocketAddress.createUnresolved("[::1]", port), listener);
                connect(seen, new SocketAddress() { }, listener);
            }
        });
    }
}
