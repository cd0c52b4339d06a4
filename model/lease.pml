/*
 * Nothing is touched after it was given back, everything is given back, once: a path's memory (LEASE-1, LEASE-2; Lease), and TCP's
 * descriptor (END-4; TcpEnd).
 *
 * A reader and a writer of one socket, two threads that close it, one that comes by for a moment (takeUrgent,
 * shutdownInput), and the garbage collector, which frees what belongs to a socket that nobody has any more.
 *
 * Each MUTANT_... leaves one thing out; then an assertion must fail.
 */
#define RECEIVER 1
#define SENDER 2
#define NONE 3

#ifndef CALLS
#define CALLS 1             /* of each stream */
#endif

bool closed;                /* JFSSocketImpl.closed */
bool lock[2];               /* the streams' locks: [0] in, [1] out */
bool held = true;           /* the program refers to the socket */
byte inside;                /* threads whose stack refers to the path: it can't be collected */

/* Lease */
byte halves = RECEIVER | SENDER;
byte visitors;
bool cleaned;               /* Cleanable.clean acts once */
byte frees;

/* TcpEnd */
byte users;
bool tcpClosing;
byte tcpCloses;
byte running;

#define touchMemory assert(frees == 0) /* LEASE-1 */
#define touchDescriptor assert(tcpCloses == 0) /* END-4 */

inline clean() {
    atomic {
        if
#ifndef MUTANT_LEASE_2_NOT_ONCE
        :: cleaned
#endif
        :: else -> cleaned = true; frees++; assert(frees == 1) /* LEASE-2 */
        fi
    }
}

/* Lease.retire: synchronized, then cleaned outside. */
inline retire(half, last) {
    atomic {
#ifdef MUTANT_LEASE_1_FIRST_HALF_FREES
        last = true;
#else
#ifdef MUTANT_LEASE_2_NOT_ONCE
        last = (halves & (NONE - (half))) == 0 && visitors == 0;
#else
        last = (halves & (half)) != 0 && (halves & (NONE - (half))) == 0 && visitors == 0;
#endif
#endif
        halves = halves & (NONE - (half))
    };
    if
    :: last -> clean()
    :: else
    fi
}

/* SocketInputStream.retire, SocketOutputStream.retire: tryLock. */
inline retireStream(s, last) {
    if
    :: atomic { !lock[s] -> lock[s] = true };
        retire(s + 1, last);
        lock[s] = false
    :: else
    fi
}

/* TcpEnd.acquire, a poll, release. */
inline poll(user, last) {
#ifdef MUTANT_END_4_POLL_IS_NOT_COUNTED
    user = !tcpClosing;
    if
    :: user -> touchDescriptor
    :: else
    fi
#else
    atomic { user = !tcpClosing; users = users + user };
    if
    :: user ->
        touchDescriptor;
        atomic { users--; last = users == 0 && tcpClosing };
        if
        :: last -> tcpCloses++
        :: else
        fi
    :: else
    fi
#endif
}

/* A call of read or write: under the lock, and on its way out what a close has left to it. */
proctype Caller(byte s) {
    bool last, user;
    byte n;
    do
    :: n == CALLS -> break
    :: else ->
        atomic { !lock[s] -> lock[s] = true };
        if
#ifdef MUTANT_LEASE_1_CLOSED_IS_NOT_LOOKED_AT
        :: true ->
#else
        :: !closed ->
#endif
            touchMemory;
            poll(user, last);
            if                      /* asleep in there: close has woken it, so it looks again */
            :: !closed -> touchMemory
            :: else
            fi
        :: else
        fi;
        lock[s] = false;
#ifndef MUTANT_LEASE_1_NOT_RETIRED_ON_THE_WAY_OUT
        if
        :: closed -> retireStream(s, last)
        :: else
        fi;
#endif
        n++
    od;
    atomic { inside--; running-- }
}

/* Lease.enter, a use, leave. */
inline visit(entered, last) {
#ifdef MUTANT_LEASE_1_VISITORS_ARE_NOT_COUNTED
    entered = halves != 0;
    if
    :: entered -> touchMemory
    :: else
    fi
#else
    atomic { entered = halves != 0; visitors = visitors + entered };
    if
    :: entered ->
        touchMemory;
        atomic { visitors--; last = visitors == 0 && halves == 0 };
        if
        :: last -> clean()
        :: else
        fi
    :: else
    fi
#endif
}

proctype Visitor() {
    bool entered, last;
    if                      /* it has the path by a weak reference only, so it may be too late */
    :: atomic { inside > 0 || held ->
#ifndef MUTANT_LEASE_3_VISITOR_IS_NOT_REACHABLE
        inside++
#endif
        };
        visit(entered, last);
        atomic {
#ifndef MUTANT_LEASE_3_VISITOR_IS_NOT_REACHABLE
            inside--;
#endif
            running--
        }
    :: else -> running--
    fi
}

/* JFSSocketImpl.close; the first one does it. */
proctype Closer() {
    bool first, entered, last;
    atomic { first = !closed; closed = true };
    if
    :: first ->
        visit(entered, last);                       /* finish */
        atomic { tcpClosing = true; last = users == 0 };
        if
        :: last -> tcpCloses++
        :: else
        fi;
        visit(entered, last);                       /* closeReceiver, wake */
        retireStream(0, last);
        retireStream(1, last)
    :: else
    fi;
    atomic { inside--; running-- }
}

/* The socket is let go, closed or not; when no thread is inside any more its cleaner may run. */
proctype Collector() {
    held = false;
    inside == 0;
    clean();
    running--
}

init {
    atomic {
        inside = 2;
        running = 3;
        run Caller(0);
        run Caller(1);
        run Visitor();
        if
        :: inside = inside + 2; running = running + 2; run Closer(); run Closer()
        :: running++; run Collector()                       /* an abandoned socket */
        fi
    };
    running == 0;
    assert(frees == 1);
    assert(tcpCloses == closed)                             /* else the JDK's own cleaner does it */
}
