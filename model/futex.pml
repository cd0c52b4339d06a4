/*
 * Nobody sleeps on in a futex: one end's reader and writer, each of whom may sleep in a futex at its word, or by the bell that they
 * share (jfs.wait.Sleepers, jfs.wait.Watch, jfs.ring.AsleepWord). sleepers.pml has those who sleep by the bell alone.
 *
 * Bytes come for the reader, room for the writer, TCP ends, the peer has gone, another thread closes, a hostile peer takes words
 * back: HAPPENINGS of these at most. There are no time-outs, and when nothing can move any more nobody may sleep who has news:
 * rules S1, S5, S6, and R10 above them. And nobody touches a word of a thread that has left: its memory may be unmapped.
 *
 * Each MUTANT_... leaves one thing out; then somebody must be found who sleeps on, or a word that is touched too late.
 */
#ifndef HAPPENINGS
#define HAPPENINGS 1
#endif

#define READER 0
#define WRITER 1
#define NOBODY 2

#define AWAKE 0
#define BELL 1
#define FUTEX 2

/* Memory that is shared with the peer; by role. */
bool news[2];               /* there was some: bytes, room */
byte word[2];               /* READER_ASLEEP, WRITER_ASLEEP */
bool hostile[2];            /* the peer has taken the word, and wakes nobody */

bool asleep[2];             /* the kernel's: the thread sleeps in the futex */

/* Sleepers, by role. */
byte leader = NOBODY;
bool slot[2];               /* Sleepers.reader, Sleepers.writer: not null */
bool inFutex[2];            /* Sleepers.readerInFutex, Sleepers.writerInFutex: not null */
bool monitor;
bool woken[2];
bool permit[2];             /* LockSupport's */
bool finished[2];           /* and what it slept at may be unmapped */

/* Watch. */
bool rung;
bool tcpSpoke[2] = true;

bool bell;                  /* the doorbell polls readable */
bool bellEdge, tcpEdge;     /* the poller's epoll has something to tell */
bool tcpEvent;              /* TCP has an end for the reader, which a writer does not ask for (R14) */
bool closed;                /* what wake() is to show */

/* At worst one that was rung before takes no more, and is no news to the poller: a peer may have rung it until it was full. */
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

#define futexWake(whose) asleep[whose] = false

inline lock() {
    atomic { !monitor -> monitor = true }
}

/* AsleepWord.wakeOwn. */
inline wakeOwn(whose) {
    if
    :: inFutex[whose] ->
#ifdef MUTANT_S5_THE_WORD_IS_BELIEVED
        if
        :: word[whose] != FUTEX
        :: else ->
#endif
        assert(!finished[whose]);       /* S6 */
        word[whose] = AWAKE;
        futexWake(whose)
#ifdef MUTANT_S5_THE_WORD_IS_BELIEVED
        fi
#endif
    :: else
    fi
}

inline wakeFutexes() {
#ifndef MUTANT_S6_NO_MONITOR
    lock();
#endif
    wakeOwn(READER);
    wakeOwn(WRITER);
    monitor = false
}

/* SciPath.published, receive: publish, then wake who sleeps. */
proctype Peer(byte role) {
    byte was;
    news[role] = true;
    if
    :: word[role] != AWAKE ->
        atomic { was = word[role]; word[role] = AWAKE };
        if
        :: was == FUTEX -> futexWake(role)
        :: was == BELL -> RING
        :: else
        fi
    :: else
    fi
}

/* A hostile one: whoever sleeps there waits for the rest in vain, which is its peer's right; but not for what TCP or we have to say. */
proctype Taker(byte role) {
    hostile[role] = true;
    word[role] = AWAKE
}

proctype Tcp() {
    atomic { tcpEvent = true; tcpEdge = true }
}

/* Sleepers.wake, by whoever closes. */
proctype Closer() {
    bool some[2];
    closed = true;
    woken[READER] = true;
    woken[WRITER] = true;
    wakeFutexes();
    some[READER] = slot[READER];
    some[WRITER] = slot[WRITER];
    if
    :: some[READER] || some[WRITER] ->
        permit[READER] = permit[READER] || some[READER];
        permit[WRITER] = permit[WRITER] || some[WRITER];
        RING
    :: else
    fi
}

/* SISCI's callback: the peer has gone, which a writer looks for (R12). It looks at nobody, and rings. */
proctype Gone() {
    news[WRITER] = true;
    RING
}

#define sees(role) (news[role] || closed)

/* Sleepers.acknowledge. */
inline acknowledge() {
    rung = false;
    bell = false;
#ifndef MUTANT_S5_THE_LEADER_TELLS_NOBODY
    wakeFutexes();
#endif
    skip
}

inline acknowledgeIfNobodyLeads() {
    if
    :: rung ->
        if
        :: atomic { leader == NOBODY -> leader = role };
            acknowledge();
            leader = NOBODY;
            acknowledged = true;
#ifndef MUTANT_S2_NO_HANDING_ON
            unpark(READER);
            unpark(WRITER)
#endif
        :: else
        fi
    :: else
    fi
}

/* Watch.eventsOnTcp. */
inline eventsOnTcp(role) {
    if
    :: tcpSpoke[role] ->
        tcpSpoke[role] = false;
        if
        :: role == READER && tcpEvent -> tcpSpoke[role] = true; told = true
        :: else
        fi
    :: else
    fi
}

/* A thread of this role: Sleepers.sleep again and again, its caller's look at everything between. */
proctype Thread(byte role; bool mayUseFutex) {
    bool w, told, acknowledged;
    do
    :: sees(role) || told -> break
    :: else ->
        if
        :: mayUseFutex
        :: else -> goto byBell
        fi;
#ifdef MUTANT_S6_IN_THE_FUTEX_TOO_LATE
        word[role] = FUTEX;
#else
        atomic { !monitor -> inFutex[role] = true };
        word[role] = FUTEX;
#endif
        takeWoken(role, w);
#ifndef MUTANT_S1_NO_LOOK_AFTER_ANNOUNCING
        if
        :: w || news[role] -> goto awake
        :: else
        fi;
#endif
#ifndef MUTANT_S5_RINGS_PILE_UP
        acknowledgeIfNobodyLeads();
        if
        :: acknowledged -> acknowledged = false; goto awake
        :: else
        fi;
#endif
#ifndef MUTANT_S1_NO_LOOK_AT_TCP
        eventsOnTcp(role);
        if
        :: told -> goto awake
        :: else
        fi;
#endif
#ifdef MUTANT_S6_IN_THE_FUTEX_TOO_LATE
        atomic { !monitor -> inFutex[role] = true };
#endif
        /* futex(2): FUTEX_WAIT */
        atomic {
            if
            :: word[role] == FUTEX -> asleep[role] = true
            :: else
            fi
        };
endAsleep:
        !asleep[role];
awake:
#ifdef MUTANT_S6_NO_MONITOR
        inFutex[role] = false;
#else
        atomic { !monitor -> inFutex[role] = false };
#endif
        word[role] = AWAKE;
        acknowledgeIfNobodyLeads();
        acknowledged = false;
        eventsOnTcp(role);
        goto out;

byBell:
        slot[role] = true;
        word[role] = BELL;
        takeWoken(role, w);
        if
        :: w || news[role] -> goto left
        :: else
        fi;
        if
        :: role == READER || !slot[READER] ->
            if
            :: atomic { leader == NOBODY -> leader = role }
            :: else -> goto follow
            fi
        :: else -> goto follow
        fi;
        takeWoken(role, w);
        if
        :: w || news[role] -> goto led
        :: else
        fi;
endPolling:
        if /* Posix.poll */
        :: bell -> acknowledge()
        :: role == READER && tcpEvent -> told = true
        fi;
led:
        leader = NOBODY;
#ifndef MUTANT_S5_A_LEADER_LEAVES_RINGS
        acknowledgeIfNobodyLeads();
        acknowledged = false;
#endif
        goto left;
follow:
        if
        :: role == READER -> RING
        :: else
        fi;
endFollowing:
        permit[role] -> permit[role] = false;
left:
        slot[role] = false;
        word[role] = AWAKE;
        unpark(1 - role);
out:
        skip
    od;
    finished[role] = true
}

/* Watch's handlers, on the thread of jfs.wait.EventLoop. Nobody hears the edge of a bell that was acknowledged meanwhile. */
proctype Poller() {
    byte it;
endWaiting:
    do
    :: atomic { bellEdge && !bell -> bellEdge = false }
    :: atomic { bellEdge && bell -> bellEdge = false };
        rung = true;
        goto look
    :: atomic { tcpEdge -> tcpEdge = false };
        tcpSpoke[READER] = true;
        tcpSpoke[WRITER] = true;
look:
        it = leader;
        if
        :: it != NOBODY -> permit[it] = true
        :: else
        fi;
#ifndef MUTANT_S5_THE_POLLER_TELLS_NOBODY
        wakeFutexes();
#endif
        it = NOBODY
    od
}

init {
    byte n;
    atomic {
        if
        :: run Thread(READER, true); run Thread(WRITER, true)
        :: run Thread(READER, true); run Thread(WRITER, false)   /* the writer is virtual, or was first to come */
        :: run Thread(READER, false); run Thread(WRITER, true)   /* the peer has not switched */
        fi;
        run Poller();
        if :: n < HAPPENINGS -> run Peer(READER); n++ :: true fi;
        if :: n < HAPPENINGS -> run Peer(WRITER); n++ :: true fi;
        if :: n < HAPPENINGS -> run Tcp(); n++ :: true fi;
        if :: n < HAPPENINGS -> run Gone(); n++ :: true fi;
        if :: n < HAPPENINGS -> run Closer(); n++ :: true fi;
        if :: n < HAPPENINGS -> run Taker(READER); n++ :: true fi;
        if :: n < HAPPENINGS -> run Taker(WRITER); n++ :: true fi
    };
    timeout;
    assert(finished[READER] || !closed && !tcpEvent && (hostile[READER] || !news[READER]));
    assert(finished[WRITER] || !closed && (hostile[WRITER] || !news[WRITER]))
}
