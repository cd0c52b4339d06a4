/*
 * No thread sleeps on in a futex: one end's reader and writer. Each may sleep in a futex at its word, or by the bell that the two
 * share, or be a virtual thread (jfs.wait.Sleepers, jfs.wait.Watch, jfs.ring.AsleepWord, jfs.memory.WakeWord). sleepers.pml has the
 * threads that sleep by the bell alone.
 *
 * What happens to the two is chosen: bytes come for the reader, room for the writer, TCP ends or fails, the peer has gone, another
 * thread closes, the JVM shuts down, a hostile peer takes a word back or moves a thread away from its futex; HAPPENINGS of these at
 * most. There are no time-outs. When nothing can move any more no thread may sleep that has news: rules S1 to S3, S5, S6, and R10
 * above them.
 *
 * Each MUTANT_... leaves one thing out; then a thread must be found that sleeps on.
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

/* How a thread sleeps. */
#define BY_FUTEX 0
#define BY_BELL 1
#define VIRTUAL 2

/* Memory that is shared with the peer; by role. */
bool news[2];               /* there was some: bytes, room */
byte word[2];               /* READER_ASLEEP, WRITER_ASLEEP */
bool hostile[2];            /* the peer has taken the word, or moved the thread, and wakes nobody */

bool ownWord[2];            /* Sleepers.readersWord, writersWord: announced */
bool asleep[2];             /* the kernel's: the thread sleeps in the futex */
bool moved[2];              /* the kernel's: and no longer at its word in the region (FUTEX_REQUEUE) */

/* Sleepers, by role. */
byte leader = NOBODY;
bool slot[2];               /* Sleepers.reader, Sleepers.writer: not null */
bool woken[2];
bool permit[2];             /* LockSupport's */
bool finished[2];

/* Watch. */
bool rung;
bool tcpSpoke[2] = true;
bool watchedForReader;      /* TCP, for more than errors */
bool ending;                /* EventLoop.isEnding */

bool bell;                  /* the doorbell polls readable */
bool bellEdge, tcpEdge;     /* the poller's epoll has something to tell */
bool tcpEvent[2];           /* TCP has an end for the reader, for which a writer does not ask (R14), or an error for both */
bool gone;                  /* the peer, for which a writer looks (R12) */
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

/* WakeWord.wake. */
inline wakeOwn(whose) {
#ifdef MUTANT_S6_ONE_WORD
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

inline wakeFutexes() {
    wakeOwn(READER);
    wakeOwn(WRITER)
}

/* SciPath.published, receive: publish, then wake who sleeps. */
proctype Peer(byte role) {
    byte was;
    news[role] = true;
    if
    :: word[role] != AWAKE ->
        atomic { was = word[role]; word[role] = AWAKE };
        if
        :: was == FUTEX && !moved[role] -> asleep[role] = false
        :: was == BELL -> RING
        :: else
        fi
    :: else
    fi
}

/* A hostile one: a thread that sleeps there waits for the peer in vain, as it may; but not for what TCP or its own process has to say. */
proctype Taker(byte role) {
    hostile[role] = true;
    if
    :: word[role] = AWAKE
    :: atomic { asleep[role] -> moved[role] = true }
    :: true
    fi
}

/* TCP's end, or its error. */
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

/* Sleepers.wake, by a thread that closes. */
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

/* SISCI's callback: it rings, whoever sleeps. */
proctype Gone() {
    gone = true;
    RING
}

#define arrived(role) (news[role] || role == WRITER && gone)
#define sees(role) (arrived(role) || closed)

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
        :: tcpEvent[role] -> tcpSpoke[role] = true; told = true
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

/* A thread of this role: Sleepers.sleep again and again, its caller's look at everything between. */
proctype Thread(byte role; byte how) {
    bool w, told, acknowledged, slept;
    do
    :: sees(role) || told -> break
    :: else ->
        if
        :: how == BY_FUTEX -> watch(w)
        :: else -> w = false
        fi;
        if
        :: w
        :: else -> goto byBell
        fi;
        ownWord[role] = true;
        word[role] = FUTEX;
        takeWoken(role, w);
#ifndef MUTANT_S1_NO_LOOK_AFTER_ANNOUNCING
        if
        :: w || arrived(role) -> goto awake
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
        slept = true;
        /* futex_waitv(2) */
        atomic {
            if
            :: word[role] == FUTEX && ownWord[role] -> asleep[role] = true
            :: else
            fi
        };
endAsleep:
        atomic { !asleep[role] -> moved[role] = false };
awake:
        ownWord[role] = false;
        word[role] = AWAKE;
        acknowledgeIfNobodyLeads();
        acknowledged = false;
        if
        :: slept -> slept = false; eventsOnTcp(role)
        :: else
        fi;
        goto out;

byBell:
        slot[role] = true;
        word[role] = BELL;
        takeWoken(role, w);
        if
        :: w || arrived(role) -> goto left
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
        :: w || arrived(role) -> goto led
        :: else
        fi;
        if
        :: how == VIRTUAL -> watch(w)
        :: else -> w = false; goto endPolling
        fi;
        if
        :: w
        :: else -> goto endPolling
        fi;
        if
        :: rung || tcpSpoke[role] -> skip
        :: else ->
endParked:
            permit[role] -> permit[role] = false
        fi;
        if
        :: rung -> acknowledge()
        :: else
        fi;
        eventsOnTcp(role);
        goto led;
endPolling:
        if /* Posix.poll; a virtual thread that is not watched parks and polls in turns, and both end that */
        :: bell -> acknowledge()
        :: tcpEvent[role] -> told = true
        :: how == VIRTUAL && permit[role] -> permit[role] = false
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
        :: role == READER && slot[WRITER] -> RING
        :: else
        fi;
endFollowing:
        permit[role] -> permit[role] = false;
left:
        slot[role] = false;
        word[role] = AWAKE;
        unpark(1 - role);
out:
        if
        :: role == READER && how == BY_BELL -> how = BY_FUTEX   /* its peer has switched */
        :: true
        fi
    od;
    finished[role] = true
}

inline unparkLeader() {
    it = leader;
    if
    :: it != NOBODY -> permit[it] = true
    :: else
    fi;
    it = NOBODY
}

/*
 * Watch's handlers, on the thread of jfs.wait.EventLoop. The poller does not hear the edge of a bell that was acknowledged meanwhile.
 * There is an event for the writer only if there is an error.
 */
proctype Poller() {
    byte it = NOBODY;
    bool error;
endWaiting:
    do
    :: atomic { bellEdge && !bell -> bellEdge = false }
    :: atomic { bellEdge && bell -> bellEdge = false };
        rung = true;
        unparkLeader();
#ifndef MUTANT_S5_THE_POLLER_TELLS_NOBODY
        wakeFutexes()
#endif
    :: atomic { tcpEdge -> tcpEdge = false; error = tcpEvent[WRITER] };
        tcpSpoke[READER] = true;
        tcpSpoke[WRITER] = tcpSpoke[WRITER] || error;
        unparkLeader();
#ifndef MUTANT_S5_THE_POLLER_TELLS_NOBODY
        wakeOwn(READER);
        if
        :: error -> wakeOwn(WRITER)
        :: else
        fi
#endif
    :: ending ->
#ifndef MUTANT_S3_THE_WATCH_ENDS_UNTOLD
        woken[READER] = true;
        woken[WRITER] = true;
        wakeFutexes();
        unpark(READER);
        unpark(WRITER);
#endif
        break
    od
}

init {
    byte n;
    atomic {
        if
        :: run Thread(READER, VIRTUAL); run Thread(WRITER, BY_FUTEX)
        :: run Thread(READER, BY_BELL); run Thread(WRITER, BY_FUTEX)
        :: run Thread(READER, BY_FUTEX); run Thread(WRITER, BY_FUTEX)
        :: run Thread(READER, BY_FUTEX); run Thread(WRITER, BY_BELL)
        :: run Thread(READER, BY_FUTEX); run Thread(WRITER, VIRTUAL)
        fi;
        run Poller();
        if :: n < HAPPENINGS -> run Peer(READER); n++ :: true fi;
        if :: n < HAPPENINGS -> run Peer(WRITER); n++ :: true fi;
        if :: n < HAPPENINGS -> run Tcp(); n++ :: true fi;
        if :: n < HAPPENINGS -> run Gone(); n++ :: true fi;
        if :: n < HAPPENINGS -> run Closer(); n++ :: true fi;
        if :: n < HAPPENINGS -> run Shutdown(); n++ :: true fi;
        if :: n < HAPPENINGS -> run Taker(READER); n++ :: true fi;
        if :: n < HAPPENINGS -> run Taker(WRITER); n++ :: true fi
    };
    timeout;
    assert(finished[READER] || !closed && !tcpEvent[READER] && (hostile[READER] || !news[READER]));
    assert(finished[WRITER] || !closed && !tcpEvent[WRITER] && !gone && (hostile[WRITER] || !news[WRITER]))
}
