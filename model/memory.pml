/*
 * What memory may do with the patterns of access of which the ring and the asleep words are made. The machine of this model has
 * stores that reach other cores one by one, in any order, and loads that may return old values. It is weaker than x86, where they
 * are in order, and as weak as aarch64 where these patterns could show a difference. The JVM may reorder plain accesses in the same
 * ways.
 *
 * Every store is a message in its word's history. Every thread has a view: for each word, the oldest message that a load may still
 * return. A load takes any message from there on. An acquiring load also takes over the view that came with the message. This is the
 * writer's view if the store was a releasing one. A full fence takes over the view of all fences before, and leaves the result to later
 * fences. (This is the view machine of release/acquire with sequentially consistent fences. It executes the loads and stores of one
 * thread in program order. Apart from ORDER-1, a later store that overtakes a load matters in one place only, which is marked "early".)
 *
 * Each MUTANT_... makes one access weaker, or leaves a fence out. Then an assertion must fail.
 */
#define WORDS 7
#define THREADS 2
#define MESSAGES 5

byte value[35];             /* [word * MESSAGES + message] */
byte viewOf[245];           /* [(word * MESSAGES + message) * WORDS + word] */
byte last[WORDS];
byte view[14];              /* [thread * WORDS + word] */
byte fenced[WORDS];

#define V(t, w) view[(t) * WORDS + (w)]
#define M(w, m) ((w) * MESSAGES + (m))

byte i_, m_, x_;            /* temporary values, inside atomic steps only */

inline join(t, word, message) {
    i_ = 0;
    do
    :: i_ < WORDS ->
        if
        :: viewOf[M(word, message) * WORDS + i_] > V(t, i_) -> V(t, i_) = viewOf[M(word, message) * WORDS + i_]
        :: else
        fi;
        i_++
    :: else -> break
    od
}

inline put(t, word, what, releasing) {
    last[word]++;
    assert(last[word] < MESSAGES);
    value[M(word, last[word])] = what;
    V(t, word) = last[word];
    i_ = 0;
    do
    :: i_ < WORDS ->
        if
        :: releasing -> viewOf[M(word, last[word]) * WORDS + i_] = V(t, i_)
        :: else
        fi;
        i_++
    :: else -> break
    od
}

inline store(t, word, what) { atomic { put(t, word, what, false); i_ = 0 } }
inline storeRelease(t, word, what) { atomic { put(t, word, what, true); i_ = 0 } }

inline take(t, word, acquiring, into) {
    m_ = V(t, word);
    do
    :: m_ < last[word] -> m_++
    :: break
    od;
    V(t, word) = m_;
    into = value[M(word, m_)];
    if
    :: acquiring -> join(t, word, m_)
    :: else
    fi;
    i_ = 0;
    m_ = 0
}

inline load(t, word, into) { atomic { take(t, word, false, into) } }
inline loadAcquire(t, word, into) { atomic { take(t, word, true, into) } }

inline fullFence(t) {
    atomic {
        i_ = 0;
        do
        :: i_ < WORDS ->
            if
            :: fenced[i_] > V(t, i_) -> V(t, i_) = fenced[i_]
            :: else -> fenced[i_] = V(t, i_)
            fi;
            i_++
        :: else -> break
        od;
        i_ = 0
    }
}

/* Shared.getAndSetInt, which is atomic: it always takes the newest message. */
inline getAndSet(t, word, what, into) {
    atomic {
        V(t, word) = last[word];
        into = value[M(word, last[word])];
        join(t, word, last[word]);
        put(t, word, what, true);
        i_ = 0
    }
}

/* ---- ORDER-1: the publisher stores news and looks at the asleep word, the sleeper announces itself and looks for news again ---- */

#define NEWS 0
#define ASLEEP 1

bool bell;

/* RingSender.send, then AsleepWord.take. All other code that wakes a thread has the same pattern. */
proctype Publisher() {
    byte was;
    storeRelease(0, NEWS, 1);
#ifndef MUTANT_ORDER_1_NO_FENCE_AFTER_THE_NEWS
    fullFence(0);
#endif
    loadAcquire(0, ASLEEP, was);
    if
    :: was ->
        getAndSet(0, ASLEEP, 0, was);
        if
        :: was -> bell = true
        :: else
        fi
    :: else
    fi
}

/* AsleepWord.announce, then Sleeper.arrived. */
proctype Sleeper() {
    byte there;
    storeRelease(1, ASLEEP, 1);
#ifndef MUTANT_ORDER_1_NO_FENCE_AFTER_ASLEEP
    fullFence(1);
#endif
    loadAcquire(1, NEWS, there);
    if
    :: there
    :: else -> atomic { bell || timeout }; assert(bell)    /* SLEEP-1, ORDER-1: it fails where there is news but no thread will ring */
    fi
}

/* ---- RING-1, RING-2: records of one and two lines in a ring of three lines, once around ---- */

#define HEADER(line) (line)             /* the header word in a record's first line; in the second line it holds a byte of the record */
#define BYTE(line) (3 + (line))         /* the bytes behind that word */
#define HEAD 6

#define OLD 9                           /* a byte that looks like a header */

inline putRecord(line, lines, next, what) {
#ifdef MUTANT_RING_1_NEXT_HEADER_IS_ZEROED_LATE
    skip;
#else
#ifndef MUTANT_RING_1_NEXT_HEADER_IS_NOT_ZEROED
    store(0, HEADER(next), 0);
#endif
#endif
    store(0, BYTE(line), what);
    if
    :: lines == 2 -> store(0, HEADER(1), OLD)
    :: else
    fi;
#ifdef MUTANT_HEADER_IS_NOT_RELEASED
    store(0, HEADER(line), lines);
#else
    storeRelease(0, HEADER(line), lines);
#endif
#ifdef MUTANT_RING_1_NEXT_HEADER_IS_ZEROED_LATE
    store(0, HEADER(next), 0)
#else
    skip
#endif
}

inline awaitHead(least) {
#ifndef MUTANT_RING_2_HEAD_IS_NOT_LOOKED_AT
    do
    :: loadAcquire(0, HEAD, head);
        if
        :: head >= least -> break
        :: else
        fi
    od
#else
    skip
#endif
}

/* RingSender.send. */
proctype RecordSender() {
    byte head;
    putRecord(0, 2, 2, 1);
    awaitHead(2);                       /* then there is room for the other two records */
    putRecord(2, 1, 0, 2);
    putRecord(0, 1, 1, 3)
}

inline takeRecord(line, lines, what, after) {
    do
    :: 
#ifdef MUTANT_HEADER_IS_NOT_ACQUIRED
        load(1, HEADER(line), header);
#else
        loadAcquire(1, HEADER(line), header);
#endif
        if
        :: header -> break
        :: else
        fi
    od;
    assert(header == lines);            /* RING-1 */
    if
#ifdef MUTANT_RING_2_HEAD_IS_NOT_RELEASED
    :: store(1, HEAD, after); load(1, BYTE(line), it)      /* "early": nothing keeps the store behind the load */
#endif
    :: load(1, BYTE(line), it); storeRelease(1, HEAD, after)
    fi;
    assert(it == what)                  /* the byte came with its header; RING-2: it is not the byte that is written there next */
}

/* RingReceiver.receive. */
proctype RecordReceiver() {
    byte header, it;
    takeRecord(0, 2, 1, 2);
    takeRecord(2, 1, 2, 3);
    takeRecord(0, 1, 3, 4)
}

init {
    if
    :: atomic { run Publisher(); run Sleeper() }
    :: atomic { run RecordSender(); run RecordReceiver() }
    fi
}
