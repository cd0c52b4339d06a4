package jfs.connection;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import jfs.spi.FastPath;

/** A path that never has bytes, and takes notes of its methods' calls. Any thread may use it. */
final class NotedPath {

    /** The names of the methods that were called, in order. */
    final List<String> called = Collections.synchronizedList(new ArrayList<>());
    /** What {@link FastPath#whyUnused} returns. */
    volatile String whyUnused;
    /** What {@link FastPath#peerReady} returns. */
    volatile BooleanSupplier peerReady = () -> false;

    FastPath path() {
        return (FastPath) Proxy.newProxyInstance(FastPath.class.getClassLoader(), new Class<?>[] {FastPath.class},
                (proxy, method, arguments) -> {
                    called.add(method.getName());
                    return switch (method.getName()) {
                        case "transport" -> "sci";
                        case "whyUnused" -> whyUnused;
                        case "switchedAt" -> -1L;
                        case "awaitData" -> FastPath.TCP_EVENT;
                        case "available" -> 0;
                        case "awaitEnd" -> true;
                        case "peerReady" -> peerReady.getAsBoolean();
                        case "isBroken", "peerGone", "peerReset", "peerDied", "readable" -> false;
                        default -> null;
                    };
                });
    }
}
