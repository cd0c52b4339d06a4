package jfs.benchmarks.programs;

/** The sockets over which the two ends of a program run. */
public enum Side {
    JDK("JDK", Start.PLAIN, Start.PLAIN),
    /** Under an agent that does nothing, which is the floor for any agent. Only the measurement of the start uses it. */
    EMPTY_AGENT("empty agent", Start.PLAIN, Start.PLAIN),
    JFS("JFS", Start.LAUNCHER, Start.LAUNCHER),
    /** JFS of another commit, see {@link Installation#compareWith}. */
    EARLIER("JFS of the commit", Start.EARLIER, Start.EARLIER),
    AGENT("JFS, agent", Start.AGENT, Start.AGENT),
    /** The same, but the server runs over the JDK's sockets. */
    AGENT_CLIENT("JFS, agent, to JDK", Start.PLAIN, Start.AGENT),
    /** The same, but the client runs over the JDK's sockets. */
    AGENT_SERVER("JDK to JFS, agent", Start.AGENT, Start.PLAIN),
    /** By agent, and channels may be fast at once ({@code jfs.nio=on}). */
    AGENT_NIO("JFS, agent, nio", Start.AGENT_NIO, Start.AGENT_NIO),
    /** Only one end runs under JFS, here the client and below the server. The peer runs over the JDK's sockets. */
    JFS_CLIENT("JFS to JDK", Start.PLAIN, Start.LAUNCHER),
    JFS_SERVER("JDK to JFS", Start.LAUNCHER, Start.PLAIN),
    /** Both ends in one JVM, over pipes in its memory: the ceiling. */
    PIPES("pipes", Start.PLAIN, Start.PLAIN);

    /** How a JVM is started. */
    public enum Start {
        PLAIN,
        LAUNCHER,
        EARLIER,
        AGENT,
        AGENT_NIO
    }

    private final String title;
    private final Start server;
    private final Start client;

    Side(String title, Start server, Start client) {
        this.title = title;
        this.server = server;
        this.client = client;
    }

    public Start server() {
        return server;
    }

    public Start client() {
        return client;
    }

    /** Whether the connections of this side should be fast. */
    public boolean fast() {
        return server != Start.PLAIN && client != Start.PLAIN;
    }

    @Override
    public String toString() {
        return title;
    }
}
