/*
 * Verifies the switch of one direction. One process writes the bytes 1..BYTES and another process reads them, over TCP first and by
 * the path from some byte on. Other things happen at any step: either end closes, with SO_LINGER 0 or without, or shuts its output
 * down, or is killed; the path arrives at either end at any time, or at one of them only; an urgent byte is sent.
 *
 * What stands for what: Writer is jfs.connection.Writer with RingSender, Reader is its Reader with RingReceiver, Closer is
 * Connection.close, and the chan tcp with its flags is the kernel. Each step is an access to memory that other threads see, or a
 * system call. A wait is a guard here. sleepers.pml and memory.pml show that a wait ends.
 *
 * Each MUTANT_... breaks one invariant. Then an assertion must fail, or Spin finds a state in which a thread waits for ever.
 */
#ifndef BYTES
#define BYTES 2             /* with 3 a writer finds ring and overflow ring full */
#endif
#define TCP 1               /* how many bytes TCP, ring and overflow ring hold */
#define RING 1
#define OVERFLOW 1

#define URGENT 100
#define SPILLED 101         /* the record that announces a spill; there is always room for it (RING-3) */

#define SENDER 0
#define RECEIVER 1

#define FIN 1
#define RESET 2

/* Each end: the process, and the fields of Connection, Reader and Writer. */
bool dead[2], attached[2], closed[2];
bool shutOut;               /* Writer.shut */
bool outHasPath;            /* the phase of Writer is FAST or later */
bool writing;               /* Writer.lock is held */
bool finishedOut;           /* the phase of Writer is ENDED */

/* Shared memory: the receiver's inbox, and the word RECEIVER in the sender's inbox. */
byte switched;              /* SWITCHED */
byte ended;                 /* ENDED */
bool ready, readerClosed;   /* RECEIVER */
chan ring = [RING + 1] of { byte };
chan overflow = [OVERFLOW] of { byte };
byte overflowTail, overflowHead, overflowEnd;

/* The kernel. */
chan tcp = [TCP] of { byte };
bool tcpFin;                /* TCP's stream ends after the bytes in tcp */
bool tcpClosed[2];          /* the descriptor is closed */
bool tcpReset[2];           /* the kernel has told this end of a reset, or will tell it */
bool hungUp[2];             /* SISCI has told this end that the other process, or its end of the path, is gone (END-1) */

/* What the program may rely on. */
byte sentAll;               /* bytes of writes that have returned */
byte got;
bool sawEnd, sawReset;

#define STOPS(e) unless { dead[e] -> skip }

/* Posix.poll of TCP by the reader. The writer's poll asks for no events, so that a half-close does not make the writer spin (END-3). */
#define tcpReadable (len(tcp) > 0 || tcpFin || tcpReset[RECEIVER])

inline kernelReset(e) { tcpReset[e] = true }

/* ---- the sender's end ---- */

/*
 * What NioSocketImpl does with a byte: it writes the byte, or throws an exception. After the receiver's close the kernel still takes one
 * byte.
 */
inline tcpWrite(b, fine) {
    if
    :: atomic { !tcpClosed[SENDER] && !tcpReset[SENDER] && !tcpClosed[RECEIVER] && !tcpFin && len(tcp) < TCP -> tcp!b; fine = true }
    :: atomic { !tcpClosed[SENDER] && !tcpReset[SENDER] && tcpClosed[RECEIVER] -> kernelReset(SENDER); fine = true }
    :: tcpClosed[SENDER] || tcpReset[SENDER] || tcpFin -> fine = false
    fi
}

inline putOverflow(b, fine) {
    if
    :: len(overflow) < OVERFLOW -> overflow!b; overflowTail++; fine = true
    :: else -> fine = false
    fi
}

/* RingSender.send, then FastPath.sendOrAwaitRoom, which spills, or waits for room. */
inline send(b, fine) {
    fine = false;
    if
    :: spilled && overflowHead != overflowTail -> putOverflow(b, fine)
    :: else ->
        if
        :: spilled -> overflowEnd = overflowTail; spilled = false
        :: else
        fi;
        if
        :: len(ring) < RING -> ring!b; fine = true
        :: len(ring) >= RING ->
            putOverflow(b, fine);           /* a spill: the bytes first, then the record that announces them (RING-4) */
            spilled = true;
            ring!SPILLED
        fi
    fi
}

#define hasRoom (spilled -> (overflowHead == overflowTail || len(overflow) < OVERFLOW) : len(ring) < RING)
#define peerGone (hungUp[SENDER] || readerClosed || tcpReset[SENDER])

/* Writer.finish. The thread that gets the lock publishes the path's FIN before TCP's (END-3). */
inline finish() {
    if
    :: outHasPath ->
        if
        :: atomic { !writing -> writing = true };
            if
            :: !finishedOut ->
                finishedOut = true;
                if :: !ended -> ended = FIN :: else fi;
                tcpFin = true;
                writing = false
            :: else -> writing = false
            fi
        :: else
        fi
    :: else
    fi
}

proctype Writer() {
    byte next = 1;
    bool fine, staysOnTcp, spilled, urgent;
    byte sent;
    {
    if :: urgent = true :: true fi;     /* whether the program has an urgent byte to send */
    do
    :: next > BYTES -> break
    :: else ->
        atomic { !writing -> writing = true };
        /* Writer.write, the switch */
        if
        :: !outHasPath && attached[SENDER] && !staysOnTcp && !shutOut && !closed[SENDER] && ready ->
            outHasPath = true;
            if
            :: shutOut -> writing = false; goto thrown
            :: else
            fi;
#ifdef MUTANT_SWITCH_2_SWITCHED_AFTER_THE_BYTES
            send(next, fine);
#endif
#ifdef MUTANT_SWITCH_2_COUNT_IS_WRONG
            switched = sent;
            if :: !switched -> switched = 1 :: else fi
#else
            switched = sent + 1
#endif
        :: else
        fi;
        if
        :: !outHasPath ->
            if
            :: tcpWrite(next, fine)
#ifdef MUTANT_SWITCH_4_SWITCHES_AFTER_AN_URGENT_BYTE
            :: urgent -> urgent = false; tcpWrite(URGENT, fine); writing = false; goto again
#else
            :: urgent -> urgent = false; staysOnTcp = true; tcpWrite(URGENT, fine); writing = false; goto again /* SWITCH-4 */
#endif
            fi;
            if
            :: fine -> sent++
            :: else -> staysOnTcp = true; writing = false; goto thrown
            fi
        :: else -> /* Writer.write, by the path */
            fine = false;
            do
            :: closed[SENDER] -> writing = false; goto thrown
            :: else ->
                if
                :: shutOut -> writing = false; goto thrown
                :: else
                fi;
                if
                :: peerGone ->
                    tcpWrite(next, fine);   /* nobody reads this byte; TCP decides what becomes of the write */
                    writing = false;
                    goto thrown
                :: else
                fi;
                if
                :: hasRoom || !spilled -> send(next, fine)
                :: else
                fi;
                if
                :: fine -> break
                :: else -> hasRoom || peerGone || closed[SENDER] || shutOut      /* the writer sleeps (ORDER-1, END-1) */
                fi
            od;
            if
            :: closed[SENDER] -> writing = false; goto thrown
            :: else
            fi
        fi;
        atomic { sentAll = next; next++ };
        writing = false;
again:
        if
        :: shutOut -> finish()
        :: else
        fi
    od;
    /* shutdownOutput, by this thread */
    shutOut = true;
    if
    :: outHasPath -> finish()
    :: else -> tcpFin = true
    fi;
    goto done;
thrown:
    if
    :: shutOut -> finish()
    :: else
    fi;
done:
    skip
    } STOPS(SENDER)
}

/* shutdownOutput by another thread. */
proctype Shutter() {
    {
    shutOut = true;
    if
    :: outHasPath -> finish()
    :: else -> tcpFin = true
    fi
    } STOPS(SENDER)
}

/* ---- the receiver's end ---- */

inline takeTcp(result) {
    if
    :: atomic { tcpClosed[RECEIVER] -> result = 0 }                   /* "Socket closed" */
    :: atomic { !tcpClosed[RECEIVER] && tcpReset[RECEIVER] -> result = 0 }       /* "Connection reset" */
    :: atomic { !tcpClosed[RECEIVER] && !tcpReset[RECEIVER] && len(tcp) > 0 -> tcp?b; result = 1; received++;
        if
        :: b == URGENT && staysInBand -> skip                          /* of two urgent bytes one stays in the stream (SWITCH-4) */
        :: b == URGENT -> received--
        :: else -> got++; assert(b == got)                             /* no byte is lost or doubled, SWITCH-2 */
        fi }
    :: atomic { !tcpClosed[RECEIVER] && !tcpReset[RECEIVER] && len(tcp) == 0 && tcpFin -> result = 2 }
    fi
}

/* RingReceiver.receive. */
inline receive(result) {
    result = 0;
    if
    :: inOverflow ->
        if
        :: len(overflow) > 0 -> overflow?b; overflowHead++; result = 1
        :: else ->
            if
#ifdef MUTANT_RING_7_NO_END_IS_WAITED_FOR
            :: true -> inOverflow = false
#else
            :: overflowEnd > spillStart && overflowEnd == overflowHead -> inOverflow = false
#endif
            :: else
            fi
        fi
    :: else
    fi;
    if
    :: !inOverflow && !result && len(ring) > 0 ->
        ring?b;
        if
        :: b == SPILLED ->
            inOverflow = true;
            spillStart = overflowHead;
            if
            :: len(overflow) > 0 -> overflow?b; overflowHead++; result = 1
            :: else
            fi
        :: else -> result = 1
        fi
    :: else
    fi;
    if
    :: result -> got++; assert(b == got)                               /* no byte is lost or doubled */
    :: else
    fi
}

#define pathHasNews (len(ring) > 0 || inOverflow && (len(overflow) > 0 || overflowEnd > spillStart && overflowEnd == overflowHead) || ended)

proctype Reader() {
    byte b, result, received, count, spillStart;
    bool inOverflow, staysInBand, wasEnded;
    {
    if :: staysInBand = true :: true fi;

    /* Phase TCP: the reader blocks in TCP's read, until a read enters that finds the path (SWITCH-1). */
    do
    :: closed[RECEIVER] -> goto out
    :: else ->
        if
        :: attached[RECEIVER] -> ready = true; break
        :: else
        fi;
        takeTcp(result);
        if
        :: result == 0 -> goto reset
        :: result == 2 -> goto end
        :: else
        fi
    od;

    /* Phase BOTH. */
    do
    :: closed[RECEIVER] -> goto out
    :: else ->
        if
        :: !count -> count = switched                                  /* read once, then kept (SWITCH-2) */
        :: else
        fi;
        if
        :: !count ->
#ifdef MUTANT_SWITCH_1_READER_WAITS_IN_TCP
            tcpReadable || closed[RECEIVER];
#else
            tcpReadable || switched || closed[RECEIVER];
#endif
            if
            :: tcpReadable ->
                takeTcp(result);
                if
                :: result == 0 && (closed[RECEIVER] || !switched) -> goto reset
#ifndef MUTANT_END_3_SWITCH_IS_NOT_LOOKED_FOR_AT_THE_END
                :: result == 2 && !switched -> goto end
#else
                :: result == 2 -> goto end
#endif
                :: else
                fi
            :: else
            fi
#ifdef MUTANT_SWITCH_2_TCP_IS_NOT_DRAINED
        :: else -> break
#else
        :: count && received < count - 1 ->
            takeTcp(result);
            if
            :: result == 0 -> goto reset
            :: result == 2 -> assert(false)     /* SWITCH-2: the counted bytes were sent, and TCP's end comes after them */
            :: else
            fi
        :: count && received >= count - 1 ->
            assert(received == count - 1);      /* SWITCH-2, SWITCH-4 */
            break
#endif
        fi
    od;

    /* Phase FAST. */
    do
    :: closed[RECEIVER] -> goto out
    :: else ->
        receive(result);
        if
        :: result -> goto fast
        :: else
        fi;
        if
        :: ended ->
#ifndef MUTANT_END_3_PATH_IS_NOT_READ_AFTER_ITS_END
            receive(result);                    /* a reader that sees the end sees the bytes before it */
            if :: result -> goto fast :: else fi;
            if :: inOverflow && pathHasNews && len(overflow) == 0 -> goto fast :: else fi;
#endif
            if
            :: ended == RESET -> goto reset
            :: else -> goto end
            fi
        :: else
        fi;
        pathHasNews || tcpReadable || closed[RECEIVER];
        if
        :: !pathHasNews && tcpReadable ->       /* Reader.readTcpEvent asks the path first and last */
            takeTcp(result);
            if
            :: result == 1 -> assert(closed[RECEIVER])                 /* SWITCH-4: no data over TCP after the switch */
            :: result == 0 -> goto reset
            :: else
            fi;
            receive(result);
            if
            :: !result && !ended -> goto end    /* the peer has died, which the JDK shows as an end (END-3) */
            :: else
            fi
        :: else
        fi;
fast:
        skip
    od;
end:
    sawEnd = true;
    goto out;
reset:
    sawReset = true;
out:
    skip
    } STOPS(RECEIVER)
}

/* ---- both ends ---- */

/* The path comes to one end, then to the other, or to one end only. A closed end gets none. An end that has the path alone is told so. */
proctype Negotiation(byte first) {
    if
    :: atomic { !closed[first] && !dead[first] -> attached[first] = true };
        if
        :: atomic { !closed[1 - first] && !dead[1 - first] -> attached[1 - first] = true }
        :: hungUp[first] = true
        fi
    :: true
    fi
}

inline tcpClose(e, unread) {
    if
    :: (unread) -> tcpReset[1 - e] = true
    :: !(unread) && e == SENDER -> tcpFin = true
    :: else
    fi;
    tcpClosed[e] = true
}

/* Connection.close. */
proctype Closer(byte e) {
    bool unread, linger0;
    {
    if :: linger0 = true :: true fi;
    closed[e] = true;
    if
    :: attached[e] && e == SENDER ->
        /* END-3: the path's end is published before TCP's */
        if
        :: !ended && linger0 -> ended = RESET
        :: !ended && !linger0 -> ended = FIN
        :: else
        fi
    :: else
    fi;
    if
    :: e == RECEIVER -> unread = len(tcp) > 0 || attached[e] && (len(ring) > 0 || len(overflow) > 0)     /* END-2 */
    :: else
    fi;
    atomic { tcpClose(e, unread || linger0) };
#ifndef MUTANT_END_1_CLOSE_IS_NOT_TOLD
    if
    :: attached[e] && e == RECEIVER -> readerClosed = true
    :: else
    fi
#endif
    } STOPS(e)
}

/* kill -9. The kernel closes TCP, and SISCI tells the other end (END-1). */
proctype Killer(byte e) {
    atomic { dead[e] = true; tcpClose(e, e == RECEIVER && len(tcp) > 0) };
#ifndef MUTANT_END_1_DEATH_IS_NOT_TOLD
    hungUp[1 - e] = true
#endif
}

init {
    atomic {
        run Writer();
        run Reader();
        if :: run Negotiation(SENDER) :: run Negotiation(RECEIVER) fi;
        if
        :: true
        :: run Killer(RECEIVER)
        :: run Closer(RECEIVER)
        :: run Closer(SENDER)
        :: run Killer(SENDER)
        :: run Shutter()
        fi
    };
    _nr_pr == 1;
    /* Nothing is lost: a reader that has seen the end has all bytes whose writes have returned. */
    assert(!sawEnd || got >= sentAll)
}
