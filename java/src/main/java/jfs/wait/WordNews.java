package jfs.wait;

import java.io.IOException;

/** News that the peer tells by a change of words in memory, so that a native call can watch for them. */
public interface WordNews extends News {

    /** Whether the words, as things are now, tell all of them. Then one that has {@link #arrived} is a change of them. */
    boolean comeByWords();

    /** Looks for a time: {@link jfs.nativelib.Words#watch} has the parameters and the result. Only if they {@linkplain #comeByWords come by words}; a change need not be news. */
    long watch(long nanos, long alone, long lost);
}
