package jfs.stat;

import java.util.List;
import java.util.Map;

/**
 * What JFS shows of this JVM over JMX: the MXBean {@value #NAME}. It is registered when the JVM has a platform MBean server, some seconds
 * later at most ({@code docs/reference.md} says when). The names and words are those of the command {@code status}. Attributes are read
 * when they are asked for, and cost nothing before. {@link #getConnections} reads the kernel's list of TCP sockets, which takes about a
 * microsecond for each socket of the network namespace. If a connection of JFS has no row in the list, the list is read a second time.
 * {@link #getOpenConnections}, {@link #getFastConnections} and {@link #getOutOfReach} do so too, or use what was read less than 100
 * milliseconds before.
 *
 * <p>The MXBean sends notifications of the types {@value #SWITCH}, {@value #FALLBACK} and {@value #DEATH}. Their user data are a {@code
 * CompositeData} with the connection. At most 20 of them are sent in a second. The item {@code missed} counts those that were not sent
 * before.
 *
 * <p>All methods may be called from any thread. None of them blocks.
 */
public interface SocketsMXBean {

    /** The object name. */
    String NAME = "jfs:type=Sockets";
    /** The type of notification: a direction of a connection goes by the fast path from now on. */
    String SWITCH = "jfs.switch";
    /** The type of notification: a connection stays on TCP, for now or for good. */
    String FALLBACK = "jfs.fallback";
    /** The type of notification: the peer process of a fast connection has gone without a word. */
    String DEATH = "jfs.death";

    /** The version of JFS. */
    String getVersion();

    /** When JFS was first used in this process, milliseconds since 1970. */
    long getSince();

    /** Why no connection of this process can be fast; null if some can. */
    String getUnavailable();

    /** Why the program's channels are not JFS's; null if they are, or need not be. */
    String getChannelsUnavailable();

    /** All connections so far, in one line: {@link Stats#summary}. */
    String getSummary();

    /** The counters by name: connections, attached, switchedOut, switchedIn, offers, joined, retries, plainChannels ({@link Stats}). */
    Map<String, Long> getCounters();

    /** For each reason that has occurred the number of connections that are, or stayed, on TCP for it. */
    Map<String, Long> getReasons();

    /** How many connections of JFS are open now. */
    int getOpenConnections();

    /** How many of them have a direction that goes by a fast path. */
    int getFastConnections();

    /** How many connections there was no room to show for. */
    long getWithoutRow();

    /** How many established TCP connections this process has now that are not JFS's; -1 if that can't be known. */
    int getOutOfReach();

    /** Which libraries are loaded that make such connections, with the program's own switch. */
    List<String> getOtherLibraries();

    /** The connections that are open now, the newest first. */
    List<ConnectionInfo> getConnections();
}
