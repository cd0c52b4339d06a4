package java.nio.channels.spi;

/** JFS's part of a listening TCP channel. */
public interface JfsListener {

    /** The channel is closed. Called once, after the JDK has closed its socket. Must not throw or wait. */
    void closed();
}
