package jfs.wait;

import java.io.IOException;

/** News that the peer tells by a change of words in memory, so that a native call can watch for them. */
public interface WordNews extends News {

    /**
     * Whether the words tell the news as things are now. If so, none arrives without a change of one of them, but the death of the peer,
     * which a watching thread may hear of as late as its time is over.
     */
    boolean comeByWords();

    /**
     * Looks at the words until one of them changes, or for a time, in nanoseconds: {@link jfs.nativelib.Words#watch} has the parameters
     * and the result. Only if they {@linkplain #comeByWords come by words}. A change need not be news.
     */
    long watch(long nanos, long alone, long lost);
}
