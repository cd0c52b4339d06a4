/*
 * Verifies that no thread that has news sleeps on between hosts: neither a thread that waits at an MX endpoint's descriptor
 * (jfs.mx.Leadership), nor a thread that relies on another one there.
 *
 * Two readers, of one connection each, sleep and are woken. The endpoint's own thread is there for both. Messages come for either of
 * them, and messages for which no thread waits, such as an end that is to be confirmed. A thread leaves work for the endpoint's thread.
 * Another thread connects, and so makes progress for others too. A reader's time is over, or its socket is closed. At most
 * HAPPENINGS of these happen. When no process can make a step any more, no thread may sleep whose message has come, no message may
 * remain in the library, and no work may be left.
 *
 * The library is the shim with a network that reports an event once: after it was armed, the next message makes the descriptor
 * readable, and a thread that makes progress takes that event away. All fields of Leadership are volatile, so steps interleave as in
 * Java.
 *
 * A doze has an end, but a thread that sleeps does not count on that. So a doze ends by itself here only while no thread sleeps that
 * relies on the endpoint's thread.
 *
 * Each MUTANT_... leaves one thing out. Then Spin must find a thread that sleeps on, or a message that remains in the library.
 */
#ifndef HAPPENINGS
#define HAPPENINGS 1
#endif

#define READERS 2
#define NOBODY 2            /* the receiver of messages for which no thread waits */

/* ---- The library: each of its calls is one step, since it has a lock. By receiver: whether a message is on its way, or has completed. */
bool wire[3];
bool complete[3];
bool changed;               /* something has completed since the library was armed last (in the shim: a change > outer_changes) */
bool bellArmed, bellRung;   /* the shim's bell "outer" */
bool networkArmed, event;

#define anyOnWire (wire[0] || wire[1] || wire[2])
#define anyComplete (complete[0] || complete[1] || complete[2])
#define readable (bellRung || event)

inline progress() {         /* inside a step of its caller */
    if
    :: anyOnWire ->
        complete[0] = complete[0] || wire[0]; wire[0] = false;
        complete[1] = complete[1] || wire[1]; wire[1] = false;
        complete[2] = complete[2] || wire[2]; wire[2] = false;
        changed = true;
        networkArmed = false; event = false;
        if
        :: bellArmed -> bellArmed = false; bellRung = true
        :: else
        fi
    :: else
    fi
}

/* Mx.arm, and Mx.sleep before it waits */
inline arm(result) {
    atomic {
        progress();
#ifdef MUTANT_ENDPOINT_2_FORGETS_WHAT_IS_LEFT
        result = true;
#else
        result = !(changed && anyComplete);
#endif
        changed = false;
        bellRung = false;
        bellArmed = result;
        networkArmed = result;
        event = false
    }
}

/* Mx.sleep after its wait: what its thread finds from now on rings no bell. */
inline disarm() {
    bellArmed = false
}

/* ---- MxEndpoint, and jfs.transport.mx.MxPath, to which messages are handed on. By reader. */
bool looking;               /* the lock (ENDPOINT-1) */
bool news[READERS];         /* a message in the channel is not read yet */
bool announced[READERS];    /* Bell.readerAsleep */
bool bell[READERS];
bool looked;
bool work;                  /* sendsWait */

inline handOn(whom) {
    if
    :: atomic { taken[whom] -> taken[whom] = false; news[whom] = true };
        if
        :: atomic { announced[whom] -> announced[whom] = false; bell[whom] = true }
        :: else
        fi
    :: else
    fi
}

/* progressAll */
inline look() {
    atomic { !looking -> looking = true };
    atomic {
        progress();
        taken[0] = complete[0]; complete[0] = false;
        taken[1] = complete[1]; complete[1] = false;
        complete[2] = false
    };
    handOn(0);
    handOn(1);
    looking = false
}

/* ---- Leadership */
mtype = { FREE, ARMING, THREAD, READER };
mtype place = FREE;
mtype = { AWAKE, DOZING, RESTING };
mtype sleeping = AWAKE;
byte asleep;
bool nudge;

/* leave */
inline leave() {
    place = FREE;
#ifndef MUTANT_LEADER_3_LEAVER_WAKES_NOBODY
    if
    :: sleeping == RESTING -> nudge = true
#ifndef MUTANT_LEADER_3_LEAVER_FORGETS_OTHERS
    :: sleeping == DOZING && asleep > 1 -> nudge = true
#endif
    :: else
    fi;
#endif
    skip
}

bool over[READERS];         /* SO_TIMEOUT has passed, or the socket is closed */
bool finished[READERS];

/* Reader.read again and again, which calls MxPath.awaitData and Sleepers.sleep. */
proctype Reader(byte it) {
    bool taken[2];
    bool armed;
    do
    :: over[it] -> break
    :: else ->
        looked = true;
        look();
        if
        :: atomic { news[it] -> news[it] = false }
        :: else ->
            asleep++;
            announced[it] = true;
#ifndef MUTANT_ORDER_1_NO_LOOK_AFTER_ANNOUNCING
            if
            :: news[it] || over[it] -> goto out
            :: else
            fi;
#endif
            /* Leadership.lead: only a reader that sleeps alone */
            if
            :: asleep == 1 ->
                if
                :: atomic { place == FREE -> place = READER }
                :: atomic { place == THREAD -> place = READER }; nudge = true
#ifdef MUTANT_LEADER_2_TAKES_FROM_WHO_ARMS
                :: atomic { place == ARMING -> place = READER }
                :: place == READER -> goto follow
#else
                :: place == ARMING || place == READER -> goto follow
#endif
                fi
            :: else -> goto follow
            fi;
again:
            arm(armed);
            if
            :: armed -> armed = false
            :: else ->
#ifndef MUTANT_LEADER_2_LEAVES_WITHOUT_LOOKING
                look();
#endif
                if
                :: !news[it] && !over[it] -> goto again
                :: goto led             /* the reader need not try again for ever */
                fi
            fi;
endLeading:
            if
            :: bell[it] -> bell[it] = false
            :: readable
            :: over[it]
            fi;
#ifdef MUTANT_LEADER_2_DISARMS_AFTER_IT_HAS_LEFT
            leave();
            disarm();
            goto out;
#else
            disarm();
#endif
led:
            leave();
            goto out;
follow:
#ifndef MUTANT_LEADER_3_FOLLOWER_WAKES_NOBODY
            if
            :: place != READER && sleeping == DOZING -> nudge = true
            :: else
            fi;
#endif
endFollowing:
            if
            :: bell[it] -> bell[it] = false
            :: over[it]
            fi;
out:
            announced[it] = false;
            asleep--
        fi
    od;
    finished[it] = true
}

/* By the endpoint's thread, while it is arming. */
#ifdef MUTANT_LEADER_2_TAKES_FROM_WHO_ARMS
#define put(what) atomic { if :: place == ARMING -> place = what :: else fi }
#else
#define put(what) place = what
#endif

/* MxEndpoint.lookAndSleep, Leadership.sleep */
active proctype Endpoint() {
    bool taken[2];
    bool armed, othersLook, led, rests;
    do
    :: atomic { othersLook = looked; looked = false };
        led = place == READER;
        rests = led && !othersLook;
        othersLook = led || othersLook && asleep == 0;
        led = false;
        work = false;
        if
        :: rests ->
            rests = false; othersLook = false;
            sleeping = RESTING;
            if
#ifndef MUTANT_LEADER_4_RESTS_WITHOUT_LOOKING_AGAIN
            :: place != READER
#endif
            :: else ->
endResting:
                nudge -> nudge = false
            fi
        :: else ->
            if
            :: othersLook ->
                othersLook = false;
                sleeping = DOZING;
                if
#ifndef MUTANT_LEADER_1_DOZES_WITHOUT_LOOKING_AGAIN
                :: place != READER && asleep > 0
#endif
                :: else ->
endDozing:
                    if
                    :: nudge -> nudge = false
                    :: place == READER || asleep == 0
                    fi
                fi
            :: else ->
                look();
                if
                :: atomic { place == FREE -> place = ARMING };
                    sleeping = RESTING;
                    arm(armed);
                    if
                    :: armed ->
                        armed = false;
                        put(THREAD);
endWaiting:
                        if
                        :: nudge -> nudge = false
                        :: readable
                        fi;
                        atomic {
                            if
                            :: place == THREAD -> place = FREE
                            :: else
                            fi
                        }
                    :: else ->
#ifndef MUTANT_LEADER_2_LEAVES_WITHOUT_LOOKING
                        look();
#endif
                        put(FREE)
                    fi
                :: place != FREE
                fi
            fi
        fi;
        sleeping = AWAKE
    od
}

/* ---- What happens. */
proctype Message(byte whom) {
    atomic {
        wire[whom] = true;
        if
        :: networkArmed -> networkArmed = false; event = true
        :: else
        fi
    }
}

/* MxEndpoint.connect: makes progress, and hands on nothing */
proctype Connecting() {
    atomic { progress() }
}

/* retrySendsSoon */
proctype Work() {
    work = true;
    nudge = true
}

proctype Over(byte whom) {
    over[whom] = true
}

init {
    byte n;
    atomic {
        run Reader(0);
        run Reader(1);
#if HAPPENINGS == 1 || defined(MUTANT_LEADER_2_DISARMS_AFTER_IT_HAS_LEFT) /* else there are too many states */
        run Connecting();
#endif
#ifdef MUTANT_LEADER_2_TAKES_FROM_WHO_ARMS
        run Message(0); n++; /* always, because the search is long otherwise */
        run Message(0); n++;
#endif
        if :: n < HAPPENINGS -> run Over(0); n++ :: true fi;
        if :: n < HAPPENINGS -> run Message(1); n++ :: true fi;
        if :: n < HAPPENINGS -> run Message(NOBODY); n++ :: true fi;
        if :: n < HAPPENINGS -> run Message(0); n++ :: true fi;
        if :: n < HAPPENINGS -> run Work(); n++ :: true fi;
        if :: n < HAPPENINGS -> run Message(0); n++ :: true fi
    };
    timeout;
    assert(!anyOnWire && !complete[0] && !complete[1] && !complete[2]);
    assert(!work);
    assert(finished[0] || !news[0] && !over[0]);
    assert(finished[1] || !news[1] && !over[1])
}
