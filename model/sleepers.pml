/*
 * Verifies that no thread that has news sleeps on by a bell. The threads are the reader and the writer of one end, which share the bell
 * (jfs.wait.BellSleepers). Each of them may be a platform thread, which polls the bell, or a virtual thread, which parks. For virtual
 * threads one more thread watches bell and TCP, edge-triggered (jfs.wait.Watch).
 *
 * All fields of these classes are volatile, so steps interleave as in Java. memory.pml has what shared memory adds to that.
 * Spin chooses what happens to the two threads: bytes come for the reader, room for the writer, TCP has an event, the peer
 * has gone, another thread closes, the JVM shuts down. At most HAPPENINGS of these happen. There are no time-outs. When no process can
 * make a step any more, no thread that has news may sleep: SLEEP-1 to SLEEP-4, SLEEP-7, and ORDER-1 above them.
 *
 * PLATFORM: both are platform threads. There are far fewer states then, so HAPPENINGS may be larger.
 *
 * Each MUTANT_... leaves one thing out. Then Spin must find a thread that sleeps on.
 */
#ifndef HAPPENINGS
#define HAPPENINGS 1
#endif

#define READER 0
#define WRITER 1
#define NOBODY 2

/* Memory that is shared with the peer; by role. */
bool news[2];               /* whether there was news: bytes, room */
bool asleep[2];

/* Sleepers, by role. */
byte owner = NOBODY;
bool slot[2];               /* Sleepers.reader, Sleepers.writer: not null */
bool woken[2];
bool permit[2];             /* the permit of LockSupport */
bool finished[2];

bool bell;                  /* the doorbell is readable by poll */
bool tcpEvent;              /* TCP has bytes or an end for the reader, which a writer's poll does not ask for (END-3) */
bool closed;                /* the change for which wake() wakes the sleepers */

bool edge, tcpEdge;         /* the poller's epoll has an edge to report */
bool rung;
bool tcpEventSeen = true;
bool ending;                /* EventLoop.isEnding */

/* A bell that was rung before may take no more, because a peer may have rung it until it was full. Then the poller gets no new edge. */
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

/* SciPath.published, receive: publish, then look at the asleep word. Only the one caller that takes the word rings (ORDER-1, SLEEP-7). */
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

/* SISCI's callback (sisci.c): the peer has gone. A writer looks for that (END-1). The callback rings whether a thread sleeps or not. */
proctype Gone() {
    news[WRITER] = true;
    RING
}

/*
 * Whether the caller of BellSleepers.sleep, which looks at everything, finds something. Then it does not sleep again. Inside
 * BellSleepers.sleep a thread looks for news only (Sleeper.arrived). It learns of a close there by being woken.
 */
#define sees(role) (news[role] || closed)

/* A thread of this role. It calls BellSleepers.sleep again and again, and looks at everything in between. */
proctype Thread(byte role; bool virtual) {
    bool w, told;           /* told: poll has reported the event on TCP */
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
            :: atomic { owner == NOBODY -> owner = role };
                goto own
            :: else -> goto parkBeside
            fi
        :: else -> goto parkBeside
        fi;
own:
        takeWoken(role, w);
#ifndef MUTANT_SLEEP_3_OWNER_DOES_NOT_LOOK_AGAIN
        if
        :: w || news[role] -> goto giveUp
        :: else
        fi;
#endif
        if
        :: virtual && !ending -> skip
        :: else -> goto endPolling
        fi;
        if
        :: rung || role == READER && tcpEventSeen -> skip
        :: else ->
endParked:
            permit[role] -> permit[role] = false
        fi;
        if
        :: rung -> rung = false; bell = false
        :: else
        fi;
        if /* Watch.eventsOnTcp */
        :: role == READER && tcpEventSeen ->
            tcpEventSeen = false;
            if
            :: tcpEvent -> tcpEventSeen = true; told = true
            :: else
            fi
        :: else
        fi;
        goto giveUp;
endPolling:
        if /* Posix.poll, acknowledge. A virtual thread that is not watched parks and polls in turns, so a permit ends its sleep too. */
        :: bell -> rung = false; bell = false
        :: role == READER && tcpEvent -> told = true
        :: virtual && permit[role] -> permit[role] = false
        fi;
giveUp:
        owner = NOBODY;
        goto out;
parkBeside:
        if
#ifndef MUTANT_SLEEP_4_READER_DOES_NOT_RING
        :: role == READER && slot[WRITER] -> RING
#endif
        :: else
        fi;
endParkedBeside:
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

inline unparkOwner() {
    it = owner;
    if
    :: it != NOBODY -> permit[it] = true
    :: else
    fi;
    it = NOBODY
}

/*
 * The handlers of bell and TCP, on the thread of jfs.threads.EventLoop. The poller does not get the edge of a bell that was acknowledged
 * meanwhile.
 */
proctype Poller() {
    byte it = NOBODY;
endWaiting:
    do
    :: atomic { edge && !bell -> edge = false }
    :: atomic { edge && bell -> edge = false };
#ifndef MUTANT_SLEEP_2_A_RING_IS_FORGOTTEN
        rung = true;
#endif
        unparkOwner()
    :: atomic { tcpEdge -> tcpEdge = false };
        tcpEventSeen = true;
        unparkOwner()
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
        run Shutdown(); n++; /* always, because the search is long otherwise */
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
