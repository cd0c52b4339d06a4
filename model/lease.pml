/*
 * Verifies how a socket's resources are given back: its path's memory (LEASE-1, LEASE-2; class Lease), and TCP's descriptor (END-4;
 * class TcpEnd). Each is given back exactly once, and no thread touches it afterwards.
 *
 * The model has a reader and a writer of one socket, two threads that close the socket, a thread that uses the path for a moment
 * (takeUrgent, shutdownInput), and the garbage collector. The collector frees the resources of a socket to which nothing refers.
 *
 * Each MUTANT_... leaves one thing out. Then an assertion must fail.
 */
#define RECEIVER 1
#define SENDER 2
#define NONE 3

#ifndef CALLS
#define CALLS 1             /* of read or write, for each stream */
#endif

bool closed;                /* the state of Connection is CLOSING or CLOSED */
bool lock[2];               /* the streams' locks: [0] in, [1] out */
bool held = true;           /* the program refers to the socket */
byte inside;                /* threads whose stack refers to the path, which can't be collected then */

/* Lease */
byte halves = RECEIVER | SENDER;
byte pathUsers;
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

/* Lease.retire: a synchronized step, then the cleaning outside of it. */
inline retire(half, last) {
    atomic {
#ifdef MUTANT_LEASE_1_FIRST_HALF_FREES
        last = true;
#else
#ifdef MUTANT_LEASE_2_NOT_ONCE
        last = (halves & (NONE - (half))) == 0 && pathUsers == 0;
#else
        last = (halves & (half)) != 0 && (halves & (NONE - (half))) == 0 && pathUsers == 0;
#endif
#endif
        halves = halves & (NONE - (half))
    };
    if
    :: last -> clean()
    :: else
    fi
}

/* Reader.retire, Writer.retire: tryLock. */
inline retireStream(s, last) {
    if
    :: atomic { !lock[s] -> lock[s] = true };
        retire(s + 1, last);
        lock[s] = false
    :: else
    fi
}

/* TcpEnd.acquire, a poll of the descriptor, TcpEnd.release. */
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

/* Calls of read or write, under the stream's lock. After unlocking, a call retires the stream if the socket was closed meanwhile. */
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
            if                      /* the caller may have slept here until a close woke it, so it looks again */
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

/* Lease.enter, a use of the memory, Lease.leave. */
inline visit(entered, last) {
#ifdef MUTANT_LEASE_1_USERS_ARE_NOT_COUNTED
    entered = halves != 0;
    if
    :: entered -> touchMemory
    :: else
    fi
#else
    atomic { entered = halves != 0; pathUsers = pathUsers + entered };
    if
    :: entered ->
        touchMemory;
        atomic { pathUsers--; last = pathUsers == 0 && halves == 0 };
        if
        :: last -> clean()
        :: else
        fi
    :: else
    fi
#endif
}

proctype PathUser() {
    bool entered, last;
    if                      /* this thread has only a weak reference to the path, so it may be too late */
    :: atomic { inside > 0 || held ->
#ifndef MUTANT_LEASE_3_USER_IS_NOT_REACHABLE
        inside++
#endif
        };
        visit(entered, last);
        atomic {
#ifndef MUTANT_LEASE_3_USER_IS_NOT_REACHABLE
            inside--;
#endif
            running--
        }
    :: else -> running--
    fi
}

/* Connection.close. Only the first closer does the work. */
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

/* The program drops its reference to the socket, which it has not closed. When no thread is inside any more, the cleaner may run. */
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
        run PathUser();
        if
        :: inside = inside + 2; running = running + 2; run Closer(); run Closer()
        :: running++; run Collector()                       /* an abandoned socket */
        fi
    };
    running == 0;
    assert(frees == 1);
    assert(tcpCloses == closed)                             /* the JDK's own cleaner closes the descriptor of an abandoned socket */
}
