package jfs.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.net.Socket;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How far a connection has come when a behaviour is looked at, and which end is looked at. */
enum Start {

    FRESH_CLIENT, FRESH_SERVER,
    /** The next bytes will make it switch. */
    ATTACHED_CLIENT, ATTACHED_SERVER,
    SWITCHED_CLIENT, SWITCHED_SERVER;

    /** A test that is run for each; its parameter is the start. */
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedTest
    @EnumSource(Start.class)
    @interface AtEach {
    }

    /** A connection seen from one of its ends. */
    record Ends(Pair pair, Socket near, Socket far) implements AutoCloseable {

        InputStream in() throws IOException {
            return near.getInputStream();
        }

        OutputStream out() throws IOException {
            return near.getOutputStream();
        }

        InputStream farIn() throws IOException {
            return far.getInputStream();
        }

        OutputStream farOut() throws IOException {
            return far.getOutputStream();
        }

        @Override
        public void close() throws Exception {
            pair.close();
        }
    }

    Ends open() throws Exception {
        Pair pair = Pair.fresh();
        switch (this) {
            case ATTACHED_CLIENT, ATTACHED_SERVER -> pair.attach();
            case SWITCHED_CLIENT, SWITCHED_SERVER -> pair.converse();
            default -> { }
        }
        return switch (this) {
            case FRESH_CLIENT, ATTACHED_CLIENT, SWITCHED_CLIENT -> new Ends(pair, pair.client, pair.server);
            default -> new Ends(pair, pair.server, pair.client);
        };
    }
}
