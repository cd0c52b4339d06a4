package workloads.jdbc;

import java.net.InetAddress;
import org.apache.derby.drda.NetworkServerControl;
import org.h2.tools.Server;

/** A database that keeps its tables in memory, so that the work of the database is measured and not that of the disk. */
enum Database {
    H2("jdbc:h2:tcp://127.0.0.1:%d/mem:test", "select 1") {
        @Override
        void start(int port) throws Exception {
            Server.createTcpServer("-tcpPort", Integer.toString(port), "-ifNotExists").start();
        }
    },

    DERBY("jdbc:derby://127.0.0.1:%d/memory:test;create=true", "values 1") {
        @Override
        void start(int port) throws Exception {
            System.setProperty("derby.stream.error.field", "java.lang.System.err"); // not a file in the current folder
            NetworkServerControl control = new NetworkServerControl(InetAddress.getByName("127.0.0.1"), port);
            control.start(null);
            for (boolean up = false; !up; ) {
                try {
                    control.ping(); // the only way to learn when the server is up
                    up = true;
                } catch (Exception e) {
                    Thread.sleep(20);
                }
            }
        }
    },

    HSQLDB("jdbc:hsqldb:hsql://127.0.0.1:%d/test", "values 1") {
        @Override
        void start(int port) {
            org.hsqldb.server.Server server = new org.hsqldb.server.Server();
            server.setAddress("127.0.0.1");
            server.setPort(port);
            server.setDatabaseName(0, "test");
            server.setDatabasePath(0, "mem:test");
            server.setLogWriter(null);
            server.setErrWriter(null);
            server.start();
        }
    };

    private final String url;
    private final String one;

    Database(String url, String one) {
        this.url = url;
        this.one = one;
    }

    /** Starts the server. Returns when it takes connections. */
    abstract void start(int port) throws Exception;

    String url(int port) {
        return String.format(url, port);
    }

    /** The query whose answer is one row with the number 1. */
    String one() {
        return one;
    }
}
