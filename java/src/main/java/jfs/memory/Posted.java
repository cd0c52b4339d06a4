package jfs.memory;

/**
 * What a card does with stores: they are <em>posted</em>, which means that they are on their way when the processor goes
 * on. They may overtake each other there, and no fence of the processor's waits for them. Memory of this host has none.
 */
public interface Posted {

    /**
     * Waits for all stores so far into the memory, by any thread that is ordered before this call, to have arrived.
     * By any thread; takes about as long as a load across the fabric.
     *
     * @return false if one of them was lost, now or at any time before: then nothing more may be published
     */
    boolean arrive();
}
