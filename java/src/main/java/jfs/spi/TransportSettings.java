package jfs.spi;

import java.util.Set;

/** The settings of this process, as far as a transport needs them. Immutable. */
public interface TransportSettings {

    /** The value of a setting that a provider {@linkplain TransportProvider#settings declares}. */
    <T> T value(Setting<T> setting);

    /** How long a thread polls at most before it sleeps, microseconds; 0: it does not poll ({@code jfs.poll.micros}). */
    int pollMicros();

    /** Other users whose processes may share memory with this one ({@code jfs.allow.uids}). The negotiation has checked the peer's user. */
    Set<Integer> allowedUsers();
}
