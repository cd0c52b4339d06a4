/*
 * No thread sleeps on by a bell: one end's reader and writer, which share it (jfs.wait.BellSleepers). Each of them may be a platform
 * thread, which polls the bell, or a virtual one, which parks; then one thread watches bell and TCP for it, edge-triggered
 * (jfs.wait.Watch).
 *
 * All fields of these classes are volatile, so steps interleave as in Java; what shared memory adds to it is memory.pml's.
 * What happens to the two is chosen: bytes come for the reader, room for the writer, TCP has something to say, the peer
 * has gone, another thread closes, the JVM shuts down; HAPPENINGS of these at most. There are no time-outs, and when nothing can move
 * any more no thread may sleep that has news: SLEEP-1 to SLEEP-4, SLEEP-7, and ORDER-1 above them.
 *
 * PLATFORM: both are platform threads; there are far fewer states, so more can happen.
 *
 * Each MUTANT_... leaves one thing out; then a thread must be found that sleeps on.
 */
#ifndef HAPPENINGS
#define HAPPENINGS 1
#endif

#define READER 0
#define WRITER 1
#define NOBODY 2

/* Memory that is shared with the peer; by role. */
bool news[2];               /* there was some: bytes, room */
bool asleep[2];

/* Sleepers, by role. */
byte leader = NOBODY;
bool slot[2];               /* Sleepers.reader, Sleepers.writer: not null */
bool woken[2];
bool permit[2];             /* LockSupport's */
bool finished[2];

bool bell;                  /* the doorbell polls readable */
bool tcpEvent;              /* TCP has bytes or an end for the reader, which a writer's poll does not ask for (END-3) */
bool closed;                /* what wake() is to show */

bool edge, tcpEdge;         /* the poller's epoll has something to tell */
bool rung;
bool tcpSpoke = true;
bool ending;                /* EventLoop.isEnding */

/* At worst one that was rung before takes no more, and is no news to the poller: a peer may have rung it until it was full. */
#define RING atomic { if :: !bell -> bell = true; edge = true :: else fi }

/* LockSupport.unpark(slot): the slot is read first. */
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

/* SciPath.published, receive: publish, then look who sleeps. True for one caller only, who rings (ORDER-1, SLEEP-7). */
proctype Peer(byte role) {
    bool was;
    news[role] = true;
    if
    :: asleep[role] ->
        atomic { was = asleep[role]; asleep[role] = false };
        if
        :: was -> RING
        :: else
        fi
    :: else
    fi
}

proctype Tcp() {
    atomic { tcpEvent = true; tcpEdge = true }
}

/* EventLoop.end. */
proctype Shutdown() {
    ending = true
}

/* BellSleepers.wake, by a thread that closes. */
proctype Closer() {
    bool some[2];
    closed = true;
#ifdef MUTANT_SLEEP_3_WAKER_LOOKS_FIRST
    some[READER] = slot[READER];
    some[WRITER] = slot[WRITER];
#endif
    woken[READER] = true;
    woken[WRITER] = true;
#ifndef MUTANT_SLEEP_3_WAKER_LOOKS_FIRST
    some[READER] = slot[READER];
    some[WRITER] = slot[WRITER];
#endif
    if
    :: some[READER] || some[WRITER] ->
        if
        :: some[READER] -> permit[READER] = true
        :: else
        fi;
        if
        :: some[WRITER] -> permit[WRITER] = true
        :: else
        fi;
        RING
    :: else
    fi
}

/* SISCI's callback (sisci.c): the peer has gone, which a writer looks for (END-1). It rings, whoever sleeps. */
proctype Gone() {
    news[WRITER] = true;
    RING
}

/*
 * Whether a look at everything finds something: then its caller does not sleep again. In BellSleepers.sleep only news are
 * looked for (Sleeper.arrived); of a close a thread hears there by being woken.
 */
#define sees(role) (news[role] || closed)

/* A thread of this role: BellSleepers.sleep again and again, its caller's look at everything between. */
proctype Thread(byte role; bool virtual) {
    bool w, told;           /* told: by poll, of the event on TCP */
    do
    :: sees(role) || told -> break
    :: else ->
        /* sleep: setSlot, announce */
        slot[role] = true;
        asleep[role] = true;
        takeWoken(role, w);
#ifndef MUTANT_SLEEP_1_NO_LOOK_AFTER_ANNOUNCING
        if
        :: w || news[role] -> goto out
        :: else
        fi;
#endif
        if
        :: role == READER || !slot[READER] ->
            if
            :: atomic { leader == NOBODY -> leader = role };
                goto lead
            :: else -> goto follow
            fi
        :: else -> goto follow
        fi;
lead:
        takeWoken(role, w);
#ifndef MUTANT_SLEEP_3_LEADER_DOES_NOT_LOOK_AGAIN
        if
        :: w || news[role] -> goto led
        :: else
        fi;
#endif
        if
        :: virtual && !ending -> skip
        :: else -> goto endPolling
        fi;
        if
        :: rung || role == READER && tcpSpoke -> skip
        :: else ->
endParked:
            permit[role] -> permit[role] = false
        fi;
        if
        :: rung -> rung = false; bell = false
        :: else
        fi;
        if /* Watch.eventsOnTcp */
        :: role == READER && tcpSpoke ->
            tcpSpoke = false;
            if
            :: tcpEvent -> tcpSpoke = true; told = true
            :: else
            fi
        :: else
        fi;
        goto led;
endPolling:
        if /* Posix.poll, acknowledge; a virtual thread that is not watched parks and polls in turns, and both end that */
        :: bell -> rung = false; bell = false
        :: role == READER && tcpEvent -> told = true
        :: virtual && permit[role] -> permit[role] = false
        fi;
led:
        leader = NOBODY;
        goto out;
follow:
        if
#ifndef MUTANT_SLEEP_4_READER_DOES_NOT_RING
        :: role == READER && slot[WRITER] -> RING
#endif
        :: else
        fi;
endFollowing:
        permit[role] -> permit[role] = false;
out:
        slot[role] = false;
        asleep[role] = false;
#ifndef MUTANT_SLEEP_2_NO_HANDING_ON
        unpark(1 - role);
#endif
        skip
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

/* The handlers of bell and TCP, on the thread of jfs.wait.EventLoop. The poller does not hear the edge of a bell that was acknowledged meanwhile. */
proctype Poller() {
    byte it = NOBODY;
endWaiting:
    do
    :: atomic { edge && !bell -> edge = false }
    :: atomic { edge && bell -> edge = false };
#ifndef MUTANT_SLEEP_2_A_RING_IS_FORGOTTEN
        rung = true;
#endif
        unparkLeader()
    :: atomic { tcpEdge -> tcpEdge = false };
        tcpSpoke = true;
        unparkLeader()
    :: ending ->
#ifndef MUTANT_SLEEP_3_THE_WATCH_ENDS_UNTOLD
        woken[READER] = true;
        woken[WRITER] = true;
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
        :: run Thread(READER, false); run Thread(WRITER, false)
#ifndef PLATFORM
        :: run Thread(READER, true); run Thread(WRITER, false); run Poller()
        :: run Thread(READER, false); run Thread(WRITER, true); run Poller()
        :: run Thread(READER, true); run Thread(WRITER, true); run Poller()
#endif
        fi;
#ifdef MUTANT_SLEEP_3_THE_WATCH_ENDS_UNTOLD
        run Shutdown(); n++; /* the search is long otherwise */
#endif
        if :: n < HAPPENINGS -> run Peer(READER); n++ :: true fi;
        if :: n < HAPPENINGS -> run Peer(WRITER); n++ :: true fi;
        if :: n < HAPPENINGS -> run Tcp(); n++ :: true fi;
        if :: n < HAPPENINGS -> run Gone(); n++ :: true fi;
        if :: n < HAPPENINGS -> run Closer(); n++ :: true fi;
#ifndef PLATFORM
        if :: n < HAPPENINGS -> run Shutdown(); n++ :: true fi
#endif
    };
    timeout;
    assert(finished[READER] || !sees(READER) && !tcpEvent);
    assert(finished[WRITER] || !sees(WRITER))
}
