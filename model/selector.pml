/*
 * Verifies how a selector of channels goes to sleep and is woken (sun.nio.ch.JfsSelector and JfsWakeups, jfs.nio.SelectorWaiting,
 * jfs.wait.DescriptorWatch). One selecting thread calls select again and again, and reads what is reported. It has the keys of two
 * connections with a path, and one plain key, which only the kernel knows. The selector sleeps at words of memory or in the kernel. In the
 * code the last news decides on that. Here Spin chooses each time. The peer of connection SECOND may be one that does not know the futex.
 * Then a callback always waits for the news of this connection.
 *
 * With ROOM the key of connection SECOND waits for room, not for bytes. The connection has a path, but this direction is on TCP, which is
 * full at first. The peer may make the path usable at any time. It tells nobody of that. So the selector watches TCP for room until the
 * direction is armed in the path. The program writes until there is no room when the key is reported, and may do so after any select.
 *
 * words.pml has how a peer and the bell wake a sleeper. So here no ring is lost, and TCP has no events but that room. The selecting thread
 * is not virtual, is not interrupted, and no other thread reads or writes. The JVM does not shut down.
 *
 * Spin chooses what happens: a peer process publishes on one of the connections, or on both (bytes, or room in the path); with ROOM it
 * reads what TCP has, and makes the path usable before that, after that, or not at all; the plain connection has an event, twice in a row;
 * another thread of the program calls wakeup, changes the interest in the second or in the plain key, or does both in either order; the
 * selector is told of nothing. At most HAPPENINGS of these happen. There are no time-outs.
 *
 * A select that returns without a key returns for a wakeup (NIO-2). When no process can make a step any more, there is no news for a key
 * that the present select waits for, and a select has returned since each wakeup (NIO-4).
 *
 * What a thread does under the selector's lock is one step (atomic). Each MUTANT_... leaves one thing out, or does it too early or late.
 * Then Spin must find a select that sleeps on, or that returns early.
 */
#ifndef HAPPENINGS
#define HAPPENINGS 2
#endif

#ifdef MUTANT_NIO_4_A_WRITER_LEFT_TO_TCP_IS_FORGOTTEN
#define ROOM
#endif
#ifdef MUTANT_NIO_4_THE_KERNEL_IS_NOT_ASKED_FOR_ROOM
#define ROOM
#endif
#ifdef MUTANT_NIO_2_AN_EVENT_THAT_IS_NONE_IS_TAKEN_FOR_ONE
#define ROOM
#endif
#ifdef MUTANT_NIO_2_A_LATE_EVENT_IS_TAKEN_FOR_ONE
#define ROOM
#endif
#ifdef ROOM
#define forRoom true
#else
#define forRoom false
#endif

#define FIRST 0
#define SECOND 1
#define PLAIN 2

/* The values of an asleep word. */
#define AWAKE 0
#define BELL 1
#define FUTEX 2

/* Connections. */
bool news[2];               /* bytes that the program has not read; of a writer: room in the path */
byte word[2];               /* READER_ASLEEP, WRITER_ASLEEP */
bool knowsFutex[2];         /* InboxSleeper.peerKnowsFutex */
bool callback[2];           /* Sleepers.readersCallback, writersCallback: not null */
bool bell;                  /* the region's bell was rung */

/* The direction of SECOND that waits for room. */
bool isUsable = !forRoom;   /* FastPath.peerReady. The next byte goes by the path (Writer.pathOfNextByte) */
bool hasSwitched = !forRoom;/* a byte has gone by the path */
bool tcpRoom;               /* of the kernel: TCP has room */
bool isAtTcp;               /* of NonBlockingWriter */
bool outQueued;             /* SelectorImpl.updateKeys */
bool outInEpoll;            /* SelectionKeyImpl.registeredEvents */

/* Keys. */
bool wanted[2];             /* the interest set */
bool isQueued[2];

/* The plain key. */
bool plainQueued;           /* SelectorImpl.updateKeys */
bool plainInEpoll;
bool plainReady;            /* of the kernel: there is an event */

/* JfsSelector. */
bool woken, told;
bool asleepInKernel, asleepAtWords;
bool changed = true;
bool event;                 /* the selector's wakeup event; the JDK changes it and interruptTriggered under a lock */

/* SelectorWaiting. */
bool inWords[2];            /* SleepWords */
bool own;                   /* WakeWord: it is announced */
bool inFutex;               /* of the kernel: the selecting thread sleeps at its words */

/* DescriptorWatch. */
bool isWatching;
bool oneShot;               /* of the kernel: the next event of the selector's epoll is told */
bool wasWatched;            /* of a mutant */

/* What the properties are about. */
bool isWaitedFor[3];        /* the program has set the interest in this key */
bool waitsFor[3];           /* so it was when the present select was called */
byte wakeups;               /* for which no select has returned without a key */
bool isOwed;                /* there was a wakeup, and no select has returned since */

#define queue (isQueued[FIRST] || isQueued[SECOND])
#define outReady (outInEpoll && tcpRoom)
#define kernelHasEvent (plainInEpoll && plainReady || event || outReady)

/* ChannelEnd.interest, NonBlockingWriter.needsTcp: whether the kernel has to watch TCP for room. */
#ifdef MUTANT_NIO_4_THE_KERNEL_IS_NOT_ASKED_FOR_ROOM
#define interest false
#else
#define interest (forRoom && wanted[SECOND] && (isAtTcp || !isUsable))
#endif

/* What the program can write or read there. */
#define secondIsReady (hasSwitched -> news[SECOND] : tcpRoom)

#include "selector_others.pml"

/* JfsWakeups.takeQueued. A key that is active already stays so. */
inline takeQueued() {
    if
    :: queue ->
        atomic {
            isActive[FIRST] = isActive[FIRST] || isQueued[FIRST];
            isActive[SECOND] = isActive[SECOND] || isQueued[SECOND];
            isQueued[FIRST] = false; isQueued[SECOND] = false
        }
    :: else
    fi
}

/* JfsKeys.removeIfUnchanged. */
inline removeIfUnchanged(key) {
    if
    :: atomic { watched[key] == wanted[key] -> isActive[key] = false; events[key] = false }
    :: else
    fi
}

/* NonBlockingReader.retract, NonBlockingWriter.retract. */
inline retract(key) {
    if
    :: isAtWord[key] -> isAtWord[key] = false; word[key] = AWAKE
    :: else
    fi
}

/* JfsSelector.look: what the kernel is asked for is corrected. */
inline correct(key) {
    if
    :: forRoom && key == SECOND && interest != outInEpoll -> outQueued = true; changed = true
    :: else
    fi
}

/* JfsSelector.look, for one key: ChannelEnd.look, NonBlockingReader.isReadableInPath, NonBlockingWriter.isWritableInPath. */
inline lookAt(key) {
    if
    :: !isActive[key]
    :: isActive[key] && !watched[key] -> events[key] = false; correct(key); removeIfUnchanged(key)
    :: isActive[key] && watched[key] ->
        retract(key);
        events[key] = news[key] && (key == FIRST || isUsable);
        correct(key)
    fi
}

#define found (events[FIRST] || events[SECOND])

/* JfsSelector.arm, for one key: ChannelEnd.arm, Sleepers.arm. */
inline arm(key) {
    if
    :: !isActive[key]
    :: isActive[key] && !watched[key] -> removeIfUnchanged(key)
    :: isActive[key] && watched[key] && key == SECOND && !isUsable ->
#ifndef MUTANT_NIO_4_A_WRITER_LEFT_TO_TCP_IS_FORGOTTEN
        isAtTcp = true;
#endif
        removeIfUnchanged(key)
    :: isActive[key] && watched[key] && forRoom && key == SECOND && isUsable && news[key] -> again = true
    :: isActive[key] && watched[key] && (!forRoom || key == FIRST || isUsable && !news[key]) ->
        callback[key] = true;
        word[key] = (atWords && knowsFutex[key] -> FUTEX : BELL);
        if
#ifndef MUTANT_NIO_4_NO_LOOK_AFTER_ANNOUNCING
        :: news[key] ->
            callback[key] = false;
            word[key] = AWAKE;
            isAtWord[key] = false;
            again = true;
            isAtTcp = isAtTcp && key == FIRST
#endif
        :: else ->
            isAtTcp = isAtTcp && key == FIRST;
            isAtWord[key] = atWords;
            if
            :: atWords && knowsFutex[key] ->
                inWords[key] = true;
#ifdef MUTANT_NIO_4_A_KEY_ARMED_AT_ITS_WORD_IS_NOT_ACTIVE
                removeIfUnchanged(key)
#endif
            :: else -> removeIfUnchanged(key)
            fi
        fi
    fi
}

/* DescriptorWatch.begin. */
inline watchKernel() {
    if
    :: atWords && !isWatching ->
        isWatching = true;
#ifdef MUTANT_NIO_4_THE_KERNEL_IS_WATCHED_ONCE
        atomic { oneShot = oneShot || !wasWatched; wasWatched = true }
#else
        oneShot = true
#endif
    :: else
    fi
}

/* JfsSelector.askKernel, EPollSelectorImpl.doSelect, in two parts, between which a thread may sleep. */
inline askKernelFirst() {
    changed = false;
    eventWasNone = false;
    if
    :: atomic { plainQueued -> plainQueued = false; plainInEpoll = true }
    :: else
    fi;
    if
    :: atomic { outQueued -> outQueued = false; outInEpoll = interest }
    :: else
    fi
}

inline askKernelThen() {
    if
    :: gotEvent -> gotEvent = false; event = false
    :: else
    fi;
    /* JfsChannel.translateReadyOps: ChannelEnd.ready, NonBlockingWriter.isWritable, JfsRegistration.reported. */
    if
    :: gotOut ->
        gotOut = false;
        retract(SECOND);
        if
        :: wanted[SECOND] && (isUsable -> news[SECOND] : tcpRoom) -> out = true
        :: else -> eventWasNone = true; enqueue(SECOND, false)
        fi
    :: else
    fi;
    eventIsLeft = eventIsLeft && event
}

#define TAKE_EVENTS plain = plain || plainInEpoll && plainReady; gotEvent = event; gotOut = outReady

inline askKernelNow() {
    askKernelFirst();
    atomic { TAKE_EVENTS };
    askKernelThen()
}

inline takeWakeup() {
    atomic { woken = false; told = false }
}

/* JfsSelector.report. Whether the kernel is asked depends on the time, too. */
inline report() {
    if
    :: takeWakeup();
        askKernelNow()
    :: !woken && !changed
    fi
}

/* The selecting thread. Its sleeps are interrupted by what others do only. */
proctype Selector() {
    bool watched[2];        /* JfsRegistration.watched */
    bool isActive[2];
    bool events[2];         /* the last look has found some */
    bool isAtWord[2];       /* of NonBlockingReader */
    bool atWords, again;
    bool plain, out;        /* the select reports the plain key; the JDK's part of it reports the second one */
    bool gotEvent, gotOut, eventIsLeft, eventWasNone, wasTold, wasWoken;
    watched[FIRST] = true;
called:
    atomic {
        waitsFor[FIRST] = isWaitedFor[FIRST];
        waitsFor[SECOND] = isWaitedFor[SECOND];
        waitsFor[PLAIN] = isWaitedFor[PLAIN]
    };
    takeQueued();
    watched[SECOND] = (isActive[SECOND] -> wanted[SECOND] : watched[SECOND]); /* takeInterest; it never changes for FIRST */
selection:
    atWords = false;
    takeQueued();
    lookAt(SECOND); lookAt(FIRST);
    if
    :: found || woken -> report(); goto reported
    :: else
    fi;
    if
    :: isActive[FIRST] || isActive[SECOND] -> atWords = true
    :: true
    fi;
#ifdef MUTANT_NIO_4_THE_KERNEL_IS_WATCHED_BEFORE_IT_IS_ASKED
    watchKernel();
#endif
    if
    :: atWords && changed ->
        askKernelNow();
        if
        :: plain || out -> takeWakeup(); goto reported
        :: !plain && !out && !eventWasNone && kernelHasEvent ->
#ifdef MUTANT_NIO_2_A_LATE_EVENT_IS_TAKEN_FOR_ONE
            goto reported
#else
            atWords = false
#endif
        :: else
        fi
    :: else
    fi;
#ifndef MUTANT_NIO_4_THE_KERNEL_IS_WATCHED_BEFORE_IT_IS_ASKED
    watchKernel();
#endif
    atomic { inWords[FIRST] = false; inWords[SECOND] = false };
    arm(SECOND); arm(FIRST);
    if
    :: again -> again = false; goto selection
    :: else
    fi;
    if
    :: inWords[FIRST] || inWords[SECOND] -> goto sleepAtWords
    :: else -> goto sleepInKernel
    fi;

sleepAtWords:
    atomic {
        if
#ifndef MUTANT_NIO_4_THE_QUEUE_IS_NOT_LOOKED_AT_BEFORE_WORDS
        :: queue -> goto selection
#endif
#ifndef MUTANT_NIO_4_WOKEN_IS_NOT_LOOKED_AT_BEFORE_WORDS
        :: woken -> goto selection
#endif
#ifndef MUTANT_NIO_4_CHANGED_IS_NOT_LOOKED_AT
        :: changed -> goto selection
#endif
        :: else -> told = false; asleepAtWords = true
        fi;
#ifndef MUTANT_NIO_4_THE_WAKE_WORD_IS_ANNOUNCED_LATE
        own = true
#endif
    };
#ifdef MUTANT_NIO_4_THE_WAKE_WORD_IS_ANNOUNCED_LATE
    own = true;
#endif
    /* SleepWords.sleep: futex_waitv(2) */
    inFutex = own && (!inWords[FIRST] || word[FIRST] == FUTEX) && (!inWords[SECOND] || word[SECOND] == FUTEX);
endAtWords:
    !inFutex;
    own = false;
    asleepAtWords = false;
    takeQueued();
    lookAt(SECOND); lookAt(FIRST);
    if
    :: found -> report(); goto reported
    :: else -> goto selection
    fi;

sleepInKernel:
    atWords = false;
    wasTold = eventIsLeft;
    atomic {
        if
#ifndef MUTANT_NIO_4_THE_QUEUE_IS_NOT_LOOKED_AT_BEFORE_THE_KERNEL
        :: queue -> goto selection
#endif
#ifndef MUTANT_NIO_4_WOKEN_IS_NOT_LOOKED_AT_BEFORE_THE_KERNEL
        :: woken -> goto selection
#endif
        :: else -> told = false; asleepInKernel = true
        fi
    };
    askKernelFirst();
endInKernel:
    atomic { kernelHasEvent -> TAKE_EVENTS };
    askKernelThen();
    asleepInKernel = false;
    atomic {
        wasTold = wasTold || told;
        told = false;
        wasWoken = woken;
        woken = false
#ifdef MUTANT_NIO_2_TOLD_IS_TAKEN_FOR_WOKEN
        ; wasWoken = wasWoken || wasTold
#endif
    };
#ifndef MUTANT_NIO_2_A_LEFT_EVENT_IS_FORGOTTEN
    eventIsLeft = (wasTold || wasWoken) && event;
    if
    :: eventIsLeft && !plain && !out ->
        atomic { TAKE_EVENTS };
        askKernelThen();
        eventIsLeft = false
    :: else
    fi;
#endif
    takeQueued();
    lookAt(SECOND); lookAt(FIRST);
    if
#ifdef MUTANT_NIO_2_AN_EVENT_THAT_IS_NONE_IS_TAKEN_FOR_ONE
    :: plain || out || found || wasWoken || !wasTold -> goto reported
#else
    :: plain || out || found || wasWoken || !wasTold && !eventWasNone -> goto reported
#endif
    :: else -> goto selection
    fi;

reported:
    atomic {
        if
        :: plain || out || found
        :: else ->
            assert(wakeups > 0);
            wakeups--
        fi;
        isOwed = false;
        /* The program reads, or writes. */
        news[FIRST] = news[FIRST] && !events[FIRST];
        if
        :: !forRoom -> news[SECOND] = news[SECOND] && !events[SECOND]
        :: forRoom && !out && !events[SECOND]
        :: forRoom && isUsable -> hasSwitched = true; news[SECOND] = false
        :: forRoom && !isUsable -> tcpRoom = false
        fi;
        plainReady = plainReady && !plain;
        plain = false; out = false; wasTold = false; wasWoken = false
    };
    goto called
}

init {
    byte n;
    bool plain;             /* the interest in the plain key changes, and not that in the second key */
    atomic {
        isQueued[FIRST] = true; isQueued[SECOND] = true;
        wanted[FIRST] = true;
        isWaitedFor[FIRST] = true;
        if
        :: plain = true
        :: plain = false
        fi;
        wanted[SECOND] = plain;
        isWaitedFor[SECOND] = plain;
        outQueued = forRoom && plain;
        news[SECOND] = forRoom;
        plainInEpoll = !plain;
        isWaitedFor[PLAIN] = !plain;
        knowsFutex[FIRST] = true;
        if
        :: knowsFutex[SECOND] = true
        :: knowsFutex[SECOND] = false
        fi;
        run Selector();
        run Poller();
        if :: n < HAPPENINGS -> run Peer(FIRST); n++ :: true fi;
        if :: n < HAPPENINGS -> run Peer(SECOND); n++ :: true fi;
        if :: n < HAPPENINGS -> run Plain(); n++ :: true fi;
        if :: forRoom && n < HAPPENINGS -> run TcpPeer(); n++ :: true fi;
        if :: n < HAPPENINGS -> run Program(plain); n++ :: true fi;
        if :: n < HAPPENINGS -> run Teller(); n++ :: true fi
    };
    timeout;
    assert(!waitsFor[FIRST] || !news[FIRST]);
    assert(!waitsFor[SECOND] || !secondIsReady);
    assert(!waitsFor[PLAIN] || !plainReady);
    assert(!isOwed)
}
