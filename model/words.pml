/*
 * Verifies that no thread that has news sleeps on at a word. The threads are the reader and the writer of one end
 * (jfs.wait.WordSleepers). Each may sleep in a futex at its word, or be parked until the thread that watches the region's bell unparks
 * it (jfs.transport.sci.RegionBell, jfs.ring.BellWord, jfs.wait.Watch). Two threads of different ends that share the bell do the same
 * steps. sleepers.pml has the threads that sleep by a bell of their own.
 *
 * Spin chooses what happens to the two threads: bytes come for the reader, room for the writer, twice in a row, from a peer process that
 * knows the bell's word or from one that always rings; a signal fails; TCP ends or fails; the peer has gone; another thread closes; the JVM
 * shuts down; a hostile peer takes a word back or moves a thread away from its futex. At most HAPPENINGS of these happen. There are no
 * time-outs. When no process can make a step any more, no thread that has news may sleep: SLEEP-1, SLEEP-3, SLEEP-5, SLEEP-6,
 * BELL-1 to BELL-3, and ORDER-1 above them.
 *
 * Each MUTANT_... leaves one thing out. Then Spin must find a thread that sleeps on.
 */
#ifndef HAPPENINGS
#if defined(MUTANT_BELL_2_QUIET_THEN_ACKNOWLEDGING) || defined(MUTANT_SLEEP_3_THE_WATCH_ENDS_UNTOLD) || defined(MUTANT_SLEEP_6_ONE_WORD)
#define HAPPENINGS 2        /* only two together show the fault of these mutants */
#else
#define HAPPENINGS 1
#endif
#endif

#define READER 0
#define WRITER 1

/* The values of an asleep word. */
#define AWAKE 0
#define BELL 1
#define FUTEX 2

/* The values of the bell's word; 0 means "ring always". */
#define QUIET 1
#define RUNG 2

/* How a thread sleeps. */
#define BY_FUTEX 0
#define PARKED 1

/* Memory that is shared with the peer; by role. */
byte news[2];               /* how much news there was: bytes, room */
byte word[2];               /* READER_ASLEEP, WRITER_ASLEEP */
byte bellWord;
bool hostile[2];            /* the peer has taken the word, or moved the thread, and does not wake it */

bool ownWord[2];            /* WordSleepers.readersWord, writersWord: it is announced */
bool asleep[2];             /* of the kernel: the thread sleeps in the futex */
bool moved[2];              /* of the kernel: that thread is no longer at its word in the region (FUTEX_REQUEUE) */

/* Sleepers, by role. */
bool slot[2];               /* Sleepers.reader, Sleepers.writer: not null */
bool woken[2];
bool permit[2];             /* the permit of LockSupport */
byte seen[2];               /* how much of the news the thread has seen */
bool finished[2];

/* Watch. */
bool tcpEventSeen[2] = true;
bool watchedForReader;      /* TCP is watched for the reader's events too, not for errors only */
bool ending;                /* EventLoop.isEnding */

bool refuses = true;        /* of the kernel: it may refuse one ring */
bool bell;                  /* the doorbell is readable by poll */
bool bellEdge, tcpEdge;     /* the poller's epoll has an edge to report */
bool tcpEvent[2];           /* TCP has an end for the reader, for which a writer does not ask (END-3), or an error for both */
bool gone;                  /* the peer has gone, for which a writer looks (END-1) */
bool closed;                /* the change for which wake() wakes the sleepers */

/* A bell that was rung before may take no more, because a peer may have rung it until it was full. Then the poller gets no new edge. */
#define RING atomic { if :: !bell -> bell = true; bellEdge = true :: else fi }

inline unpark(whom) {
    if
    :: slot[whom] -> permit[whom] = true
    :: else
    fi
}

inline takeWoken(whose, result) {
    result = woken[whose];
    if
    :: result -> woken[whose] = false
    :: else
    fi
}

/* WakeWord.wake. */
inline wakeOwn(whose) {
#ifdef MUTANT_SLEEP_6_ONE_WORD
    word[whose] = AWAKE;
    if
    :: !moved[whose] -> asleep[whose] = false
    :: else
    fi
#else
    atomic {
        if
        :: ownWord[whose] -> ownWord[whose] = false; asleep[whose] = false
        :: else
        fi
    }
#endif
}

/* WordSleepers.tell */
inline tell(whose) {
    unpark(whose);
    wakeOwn(whose)
}

/* BellWord.takeRing. */
inline takeRing() {
    atomic {
        if
        :: bellWord == QUIET -> bellWord = RUNG; was = BELL
        :: bellWord == RUNG -> was = AWAKE
        :: else -> was = BELL
        fi
    }
}

/* SciResources.ringPeersBell. A peer of an older build always rings. The kernel may refuse one signal. */
inline ringPeer(always) {
    if
    :: always -> RING
    :: !always && bellWord == RUNG
    :: !always && bellWord != RUNG ->
        takeRing();
        if
        :: was == BELL ->
            if
            :: RING
            :: atomic { refuses -> refuses = false };
                atomic {
                    if
                    :: bellWord == RUNG -> bellWord = QUIET
                    :: else
                    fi
                };
#ifndef MUTANT_BELL_3_NO_SECOND_TRY
                takeRing();
                if
                :: was == BELL -> RING
                :: else
                fi
#endif
            fi
        :: else
        fi
    fi
}

/* SciPath.published, receive: publish, then wake the thread that sleeps. */
proctype Peer(byte role; bool always) {
    byte was, n;
    do
    :: n < 2 ->
        n++;
        news[role]++;
#ifdef MUTANT_BELL_1_THE_BELL_IS_RUNG_FIRST
        was = word[role];
        if
        :: was == BELL -> ringPeer(always)
        :: else
        fi;
        if
        :: word[role] != AWAKE ->
            atomic { was = word[role]; word[role] = AWAKE };
            if
            :: was == FUTEX && !moved[role] -> asleep[role] = false
            :: else
            fi
        :: else
        fi
#else
        if
        :: word[role] != AWAKE ->
            atomic { was = word[role]; word[role] = AWAKE };
            if
            :: was == FUTEX && !moved[role] -> asleep[role] = false
            :: was == BELL -> ringPeer(always)
            :: else
            fi
        :: else
        fi
#endif
    :: else -> break
    od
}

/*
 * A hostile peer. A thread that sleeps there may wait for the peer's news in vain. It must not wait in vain for an event on TCP, or for
 * its own process.
 */
proctype Taker(byte role) {
    hostile[role] = true;
    if
    :: word[role] = AWAKE
    :: atomic { asleep[role] -> moved[role] = true }
    :: true
    fi
}

/* The end of TCP's stream, or an error of TCP. */
proctype Tcp() {
    if
    :: atomic { tcpEvent[READER] = true; tcpEdge = tcpEdge || watchedForReader }
    :: atomic { tcpEvent[READER] = true; tcpEvent[WRITER] = true; tcpEdge = true }
    fi
}

/* EventLoop.end. */
proctype Shutdown() {
    ending = true
}

/* WordSleepers.wake, by a thread that closes. */
proctype Closer() {
    closed = true;
#ifndef MUTANT_SLEEP_3_NOBODY_REMEMBERS
    woken[READER] = true;
    woken[WRITER] = true;
#endif
    tell(READER);
    tell(WRITER)
}

/* SISCI's callback. It rings whether a thread sleeps or not. */
proctype Gone() {
    gone = true;
    RING
}

#define arrived(role) (news[role] > seen[role] || role == WRITER && gone)
#define sees(role) (news[role] == 2 || role == WRITER && gone || closed)

/* Watch.eventsOnTcp. */
inline eventsOnTcp(role) {
    if
    :: tcpEventSeen[role] ->
        tcpEventSeen[role] = false;
        if
        :: tcpEvent[role] -> tcpEventSeen[role] = true; told = true
        :: else
        fi
    :: else
    fi
}

/* Watch.isOn. */
inline watch(result) {
    atomic {
        if
        :: role == READER && !watchedForReader -> watchedForReader = true; tcpEdge = tcpEdge || tcpEvent[READER]
        :: else
        fi
    };
    result = !ending
}

/* A thread of this role. It calls WordSleepers.sleep again and again, and looks at everything in between. */
proctype Thread(byte role; byte how) {
    bool w, told, watched;
    do
    :: sees(role) || told -> break
    :: else ->
        seen[role] = news[role];
        watch(watched);
        if
        :: how == BY_FUTEX -> ownWord[role] = true; word[role] = FUTEX
        :: else ->
#ifdef MUTANT_SLEEP_5_THE_SLOT_COMES_LATE
            word[role] = BELL;
            slot[role] = true
#else
            slot[role] = true;
            word[role] = BELL
#endif
        fi;
        takeWoken(role, w);
#ifndef MUTANT_SLEEP_1_NO_LOOK_AFTER_ANNOUNCING
        if
        :: w || arrived(role) -> goto awake
        :: else
        fi;
#endif
#ifndef MUTANT_SLEEP_1_NO_LOOK_AT_TCP
        eventsOnTcp(role);
        if
        :: told -> goto awake
        :: else
        fi;
#endif
        if
        :: how == BY_FUTEX ->
            /* futex_waitv(2) */
            atomic {
                if
                :: word[role] == FUTEX && ownWord[role] -> asleep[role] = true
                :: else
                fi
            };
endAsleep:
            if /* a thread that is not watched sleeps for a short time only */
            :: atomic { !asleep[role] -> moved[role] = false }
            :: atomic { !watched -> asleep[role] = false; moved[role] = false }
            fi
        :: else ->
endParked:
            if
            :: permit[role] -> permit[role] = false
            :: !watched
            fi
        fi;
        eventsOnTcp(role);
awake:
        ownWord[role] = false;
        slot[role] = false;
        word[role] = AWAKE;
        if
        :: how == BY_FUTEX -> how = PARKED   /* the kernel has refused the futex */
        :: true
        fi
    od;
    finished[role] = true
}

/* RegionBell.ready looks at each word and unparks its thread, one after the other. */
inline look(whose) {
    if
    :: gone -> tell(whose) /* the code does this once, the model at each ring */
    :: !gone && word[whose] == AWAKE -> unpark(whose)
    :: else
    fi
}

/*
 * The handlers of bell and TCP, on the thread of jfs.threads.EventLoop. The poller does not get the edge of a bell that was acknowledged
 * meanwhile. There is an event for the writer only if there is an error.
 */
proctype Poller() {
    bool error;
endWaiting:
    do
    :: atomic { bellEdge && !bell -> bellEdge = false }
    :: atomic { bellEdge && bell -> bellEdge = false };
#ifdef MUTANT_BELL_2_QUIET_BEFORE_ACKNOWLEDGING
        bellWord = QUIET;
        look(READER);
        look(WRITER);
        bell = false
#else
#ifdef MUTANT_BELL_2_QUIET_THEN_ACKNOWLEDGING
        bellWord = QUIET;
        bell = false;
        look(READER);
        look(WRITER)
#else
        bell = false;
#ifdef MUTANT_BELL_2_QUIET_AFTER_THE_LOOK
        look(READER);
        look(WRITER);
        bellWord = QUIET
#else
#ifndef MUTANT_BELL_2_NEVER_QUIET
        bellWord = QUIET;
#endif
        look(READER);
        look(WRITER)
#endif
#endif
#endif
    :: atomic { tcpEdge -> tcpEdge = false; error = tcpEvent[WRITER] };
        tcpEventSeen[READER] = true;
        tcpEventSeen[WRITER] = tcpEventSeen[WRITER] || error;
#ifndef MUTANT_SLEEP_5_THE_POLLER_TELLS_NOBODY
        tell(READER);
        if
        :: error -> tell(WRITER)
        :: else
        fi
#endif
    :: ending ->
#ifndef MUTANT_SLEEP_3_THE_WATCH_ENDS_UNTOLD
        woken[READER] = true;
        woken[WRITER] = true;
        tell(READER);
        tell(WRITER);
#endif
        break
    od
}

init {
    byte n;
    bool always;
    atomic {
        if
        :: always = false
        :: always = true
        fi;
        if
        :: bellWord = QUIET
        :: bellWord = 0
        fi;
        if
        :: run Thread(READER, PARKED); run Thread(WRITER, BY_FUTEX)
        :: run Thread(READER, PARKED); run Thread(WRITER, PARKED)
        :: run Thread(READER, BY_FUTEX); run Thread(WRITER, BY_FUTEX)
        :: run Thread(READER, BY_FUTEX); run Thread(WRITER, PARKED)
        fi;
        run Poller();
#ifdef MUTANT_SLEEP_3_THE_WATCH_ENDS_UNTOLD
        run Shutdown(); n++; /* always, because the search is long otherwise */
#endif
#ifdef MUTANT_SLEEP_6_ONE_WORD
        run Taker(READER); n++; /* likewise */
        run Closer(); n++;
#endif
        if :: n < HAPPENINGS -> run Peer(READER, always); n++ :: true fi;
        if :: n < HAPPENINGS -> run Peer(WRITER, always); n++ :: true fi;
        if :: n < HAPPENINGS -> run Tcp(); n++ :: true fi;
        if :: n < HAPPENINGS -> run Gone(); n++ :: true fi;
        if :: n < HAPPENINGS -> run Closer(); n++ :: true fi;
        if :: n < HAPPENINGS -> run Shutdown(); n++ :: true fi;
        if :: n < HAPPENINGS -> run Taker(READER); n++ :: true fi;
        if :: n < HAPPENINGS -> run Taker(WRITER); n++ :: true fi
    };
    timeout;
    assert(finished[READER] || !closed && !tcpEvent[READER] && (hostile[READER] || news[READER] == seen[READER]));
    assert(finished[WRITER] || !closed && !tcpEvent[WRITER] && !gone && (hostile[WRITER] || news[WRITER] == seen[WRITER]))
}
