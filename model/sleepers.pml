/*
 * Nobody sleeps on: one end's reader and writer, who share a bell (jfs.wait.Sleepers).
 *
 * All fields of that class are volatile, so steps interleave as in Java; what shared memory adds to it is memory.pml's.
 * What happens to the two is chosen: bytes come for the reader, room for the writer, TCP has something to say, the peer
 * has gone, another thread closes; HAPPENINGS of these at most. There are no time-outs, and when nothing can move any more nobody
 * may sleep who has news: rules S1-S4, R11, and R10 above them.
 *
 * VIRTUAL: the threads are virtual. They park, and one thread watches the bell for them, edge-triggered.
 *
 * Each MUTANT_... leaves one thing out; then somebody must be found who sleeps on.
 */
#ifndef HAPPENINGS
#ifdef VIRTUAL
#define HAPPENINGS 1
#else
#define HAPPENINGS 2
#endif
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
bool tcpEvent;              /* TCP has bytes or an end for the reader, which a writer's poll does not ask for (R14) */
bool closed;                /* what wake() is to show */

#ifdef VIRTUAL
bool edge;                  /* the poller's epoll has a ring to tell */
bool rung;
#define RING atomic { bell = true; edge = true }
#else
#define RING bell = true
#endif


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

/* SciPath.published, receive: publish, then look who sleeps. True for one caller only, who rings (R10, R11). */
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
    tcpEvent = true
}

/* Sleepers.wake, by whoever closes. */
proctype Closer() {
    bool some[2];
    closed = true;
#ifdef MUTANT_S3_WAKER_LOOKS_FIRST
    some[READER] = slot[READER];
    some[WRITER] = slot[WRITER];
#endif
    woken[READER] = true;
    woken[WRITER] = true;
#ifndef MUTANT_S3_WAKER_LOOKS_FIRST
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

/* SISCI's callback (sisci.c): the peer has gone, which a writer looks for (R12). It looks at nobody, and rings. */
proctype Gone() {
    news[WRITER] = true;
    RING
}

/*
 * Whether a look at everything finds something: then its caller does not sleep again. In Sleepers.sleep only news are
 * looked for (Sleeper.arrived); of a close a thread hears there by being woken.
 */
#define sees(role) (news[role] || closed)

/* A thread of this role: Sleepers.sleep again and again, its caller's look at everything between. */
proctype Thread(byte role) {
    bool w, told;           /* told: by poll, of the event on TCP */
    do
    :: sees(role) || told -> break
    :: else ->
        /* sleep: setSlot, announce */
        slot[role] = true;
        asleep[role] = true;
        takeWoken(role, w);
#ifndef MUTANT_S1_NO_LOOK_AFTER_ANNOUNCING
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
#ifndef MUTANT_S3_LEADER_DOES_NOT_LOOK_AGAIN
        if
        :: w || news[role] -> goto led
        :: else
        fi;
#endif
#ifdef VIRTUAL
        if
        :: rung
        :: else ->
endParked:
            if
            :: permit[role] -> permit[role] = false
            :: role == READER && tcpEvent -> told = true
            fi
        fi;
        if
        :: rung -> rung = false; bell = false
        :: else
        fi;
#else
endPolling:
        if /* Posix.poll, acknowledge */
        :: bell -> bell = false
        :: role == READER && tcpEvent -> told = true
        fi;
#endif
led:
        leader = NOBODY;
        goto out;
follow:
        if
#ifndef MUTANT_S4_READER_DOES_NOT_RING
        :: role == READER && slot[WRITER] -> RING
#endif
        :: else
        fi;
endFollowing:
        permit[role] -> permit[role] = false;
out:
        slot[role] = false;
        asleep[role] = false;
#ifndef MUTANT_S2_NO_HANDING_ON
        unpark(1 - role);
#endif
        skip
    od;
    finished[role] = true
}

#ifdef VIRTUAL
/* Watch's handler of the bell, on the thread of jfs.wait.EventLoop. */
proctype Poller() {
    byte it;
endWaiting:
    do
    :: atomic { edge -> edge = false };
        rung = true;
        it = leader;
        if
        :: it != NOBODY -> permit[it] = true
        :: else
        fi
    od
}
#endif

init {
    byte n;
    atomic {
        run Thread(READER);
        run Thread(WRITER);
#ifdef VIRTUAL
        run Poller();
#endif
        if :: n < HAPPENINGS -> run Peer(READER); n++ :: true fi;
        if :: n < HAPPENINGS -> run Peer(WRITER); n++ :: true fi;
        if :: n < HAPPENINGS -> run Tcp(); n++ :: true fi;
        if :: n < HAPPENINGS -> run Gone(); n++ :: true fi;
        if :: n < HAPPENINGS -> run Closer(); n++ :: true fi
    };
    timeout;
    assert(finished[READER] || !sees(READER) && !tcpEvent);
    assert(finished[WRITER] || !sees(WRITER))
}
