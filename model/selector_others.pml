/* Part of selector.pml: what tells the selector of something, and the processes and threads beside the selecting thread. */

/* JfsWakeups.wake: EPollSelectorImpl.wakeup, or WakeWord.wake. Under the lock. */
inline endSleep() {
    if
    :: asleepInKernel -> event = true
    :: !asleepInKernel && asleepAtWords && own -> own = false; inFutex = false
    :: else
    fi
}

/* JfsWakeups.tell. Under the lock. */
inline tell() {
    told = asleepInKernel || asleepAtWords;
    endSleep()
}

inline enqueue(key, wakes) {
    atomic {
        isQueued[key] = true;
        if
        :: wakes && !told -> tell()
        :: else
        fi
    }
}

/* Sleepers.runCallback. */
inline runCallback(key) {
    if
    :: atomic { callback[key] -> callback[key] = false };
        enqueue(key, true)
    :: else
    fi
}

/* SciPath.published: publish, then wake what sleeps. The kernel wakes a thread that sleeps at this word, among others. */
proctype Peer(byte connection) {
    byte was;
endFull:
    !forRoom || connection == FIRST || hasSwitched && !news[SECOND]; /* the peer makes room in a path that is full */
    news[connection] = true;
    if
    :: word[connection] != AWAKE ->
        atomic { was = word[connection]; word[connection] = AWAKE };
        if
        :: atomic { was == FUTEX && inWords[connection] -> inFutex = false }
        :: was == BELL -> bell = true
        :: else
        fi
    :: else
    fi
}

/* The peer reads what TCP has. It watches the path from one of its reads on, or does not. */
proctype TcpPeer() {
    if
    :: isUsable = true; tcpRoom = true
    :: tcpRoom = true; isUsable = true
    :: tcpRoom = true
    fi
}

/* The plain connection. The second event may come after the first one was read, and before. */
proctype Plain() {
    plainReady = true;
    plainReady = true
}

/* JfsWakeups.wakeup. */
inline wakeup() {
    atomic {
        wakeups++; isOwed = true;
        if
        :: !woken -> woken = true; endSleep()
        :: else
        fi
    }
}

/* SelectionKeyImpl.interestOps, JfsSelector.setEventOps. */
inline changeInterest(plain) {
    if
    :: plain ->
        plainQueued = true;
        changed = true;
        isWaitedFor[PLAIN] = true
    :: !plain ->
        wanted[SECOND] = true;
        outQueued = outQueued || interest;
        changed = true;
        enqueue(SECOND, false);
        isWaitedFor[SECOND] = true
    fi
}

/* Another thread of the program. */
proctype Program(bool plain) {
    if
    :: wakeup()
    :: changeInterest(plain); wakeup()
    :: wakeup(); changeInterest(plain)
    :: changeInterest(plain)
    fi
}

/* JfsChannel.tellSelectors, for an event of TCP, for example, that is none for the key. */
proctype Teller() {
    enqueue(FIRST, true)
}

/* RegionBell.ready. */
inline look(key) {
    if
    :: word[key] == AWAKE -> runCallback(key)
    :: else
    fi
}

/* The watching thread: the handlers of the region's bell and of the selector's epoll (DescriptorWatch.ready, JfsWakeups.kernelHasEvent). */
proctype Poller() {
endWaiting:
    do
    :: atomic { bell -> bell = false };
        look(FIRST); look(SECOND)
    :: atomic { oneShot && kernelHasEvent -> oneShot = false };
        isWatching = false;
        changed = true;
        atomic {
            if
            :: asleepAtWords && !told -> tell()
            :: else
            fi
        }
    od
}
