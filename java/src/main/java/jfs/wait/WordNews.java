package jfs.wait;

/** News that the peer announces by a change of words in memory, so that a native call can watch these words. */
public interface WordNews extends News {

    /**
     * Whether the words announce the news in the present state. If so, no news arrives without a change of a word, with one exception. The
     * peer's death changes no word, and a thread that watches the words may learn of it only when its time is over.
     */
    boolean comeByWords();

    /**
     * Looks at the words until one of them changes or the time is over. The parameters, in nanoseconds, and the result are those of {@link
     * jfs.nativelib.Words#awaitChange}. Called only if the news {@linkplain #comeByWords comes by words}. A change need not be news.
     */
    long watch(long nanos, long alone, long lost);
}
