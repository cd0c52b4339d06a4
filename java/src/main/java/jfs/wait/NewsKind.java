package jfs.wait;

/** The kinds of news that {@link Polling} looks for, with the values that differ between them. */
enum NewsKind {
    MEMORY(NewsKind.MEMORY_ROUNDS, NewsKind.WAKE_UP_NANOS),
    BY_SYSTEM_CALL(NewsKind.SYSTEM_CALL_ROUNDS, NewsKind.WAKE_UP_NANOS),
    MESSAGES(NewsKind.SYSTEM_CALL_ROUNDS, NewsKind.RELAYED_WAKE_UP_NANOS);

    /** How often one look asks for news in shared memory, and by a system call. Either look takes about a microsecond. */
    private static final int MEMORY_ROUNDS = 32;
    private static final int SYSTEM_CALL_ROUNDS = 2;
    /** Nanoseconds of a wait that the peer's wake-up takes; and the same where at either end one thread wakes another. */
    private static final int WAKE_UP_NANOS = 50_000;
    private static final int RELAYED_WAKE_UP_NANOS = 4 * WAKE_UP_NANOS;

    /** How often one look asks for the news. */
    final int rounds;
    final int wakeUpNanos;

    NewsKind(int rounds, int wakeUpNanos) {
        this.rounds = rounds;
        this.wakeUpNanos = wakeUpNanos;
    }
}
