package jfs.conformance.soak;

import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** What a connection does, from the first byte to the end. Client and server follow the same script. */
enum Kind {

    /** Questions and answers. */
    CALLS(14) {
        @Override
        void client(End end, Gate gate) throws Exception {
            ask(end, 1 + end.script.nextInt(30), 100_000);
            endFirst(end, end.script.nextBoolean());
        }

        @Override
        void server(End end) throws Exception {
            answer(end, 1 + end.script.nextInt(30), 100_000);
            endFirst(end, !end.script.nextBoolean());
        }
    },

    /** Megabytes both ways at the same time, each direction to its end. */
    BULK(10) {
        @Override
        void client(End end, Gate gate) throws Exception {
            both(end, End.size(end.script, MUCH), End.size(end.script, MUCH));
        }

        @Override
        void server(End end) throws Exception {
            int in = End.size(end.script, MUCH);
            both(end, End.size(end.script, MUCH), in);
        }

        private void both(End end, int out, int in) throws Exception {
            End.Meanwhile writing = end.meanwhile(() -> {
                end.write(out);
                end.shutdownOutput();
            });
            end.read(in);
            end.expectEnd();
            writing.join();
            end.close();
        }
    },

    /**
     * Phases: calls by either end, silence, bytes both ways at the same time, more than a path takes. Then one stream ends,
     * or both do.
     */
    PHASES(10) {
        @Override
        void client(End end, Gate gate) throws Exception {
            talk(end, true);
            finish(end, true);
        }

        @Override
        void server(End end) throws Exception {
            talk(end, false);
            finish(end, false);
        }

        private void talk(End end, boolean client) throws Exception {
            for (int left = 1 + end.script.nextInt(6); left > 0; left--) {
                boolean mine = end.script.nextBoolean() == client;
                int clients = End.size(end.script, 300_000);
                int servers = End.size(end.script, 300_000);
                switch (end.script.nextInt(8)) {
                    case 0, 1, 2 -> {
                        if (mine) {
                            ask(end, ROUNDS, 2_000);
                        } else {
                            answer(end, ROUNDS, 2_000);
                        }
                    }
                    case 3, 4 -> {
                        if (mine) {
                            LockSupport.parkNanos(end.whim.nextInt(4) * MILLI); // the other end's reader falls asleep
                            end.write(1);
                        } else {
                            end.read(1);
                        }
                    }
                    case 5 -> {
                        if (mine) {
                            end.write(MUCH);
                        } else {
                            LockSupport.parkNanos(end.whim.nextInt(100) * MILLI); // the other end's writer falls asleep
                            end.read(MUCH);
                        }
                    }
                    default -> {
                        End.Meanwhile writing = end.meanwhile(() -> end.write(client ? clients : servers));
                        end.read(client ? servers : clients);
                        writing.join();
                    }
                }
            }
        }

        private void finish(End end, boolean client) throws Exception {
            boolean together = end.script.nextInt(3) == 0;
            boolean first = end.script.nextBoolean() == client;
            int rest = End.size(end.script, 200_000);
            if (!together && !first) {
                end.expectEnd();
                end.write(rest);
            } else {
                end.shutdownOutput();
                end.read(together ? 0 : rest);
                end.expectEnd();
            }
            end.close();
        }
    },

    /** A question up to the end of its stream, then the answer. */
    HALF_CLOSED(16) {
        @Override
        void client(End end, Gate gate) throws Exception {
            ask(end, end.script.nextInt(3), 1_000);
            end.write(End.size(end.script, 1_000_000));
            end.shutdownOutput();
            end.read(End.size(end.script, 1_000_000));
            end.expectEnd();
            end.close();
        }

        @Override
        void server(End end) throws Exception {
            answer(end, end.script.nextInt(3), 1_000);
            end.read(End.size(end.script, 1_000_000));
            end.expectEnd();
            end.write(End.size(end.script, 1_000_000));
            end.close();
        }
    },

    /** One of the two ends resets the connection, with or without bytes under way. */
    RESET(14) {
        @Override
        void client(End end, Gate gate) throws Exception {
            ask(end, end.script.nextInt(4), 1_000);
            boolean me = end.script.nextBoolean();
            if (!me) {
                end.write(1);
            }
            resetBy(end, me);
        }

        @Override
        void server(End end) throws Exception {
            answer(end, end.script.nextInt(4), 1_000);
            boolean me = !end.script.nextBoolean();
            if (me) {
                end.read(1); // the client has got the last answer, which a reset could overtake
            }
            resetBy(end, me);
        }

        private void resetBy(End end, boolean me) throws Exception {
            int bytes = end.script.nextInt(4) == 0 ? 0 : End.size(end.script, 200_000);
            if (me) {
                end.write(bytes);
                end.reset();
            } else {
                end.expectReset();
            }
        }
    },

    /** Answers that come later than the client's time-out. */
    TIMEOUTS(10) {
        @Override
        void client(End end, Gate gate) throws Exception {
            end.timeout(1 + end.whim.nextInt(10));
            ask(end, 5, 10_000);
            end.close();
        }

        @Override
        void server(End end) throws Exception {
            for (int i = 0; i < 5; i++) {
                end.read(End.size(end.script, 10_000));
                LockSupport.parkNanos(end.whim.nextInt(20) * MILLI);
                end.write(End.size(end.script, 10_000));
            }
            end.expectEnd();
        }
    },

    /** A third thread closes one of the two ends while both ends read and write, or only wait. */
    CLOSED_BY_ANOTHER(16) {
        @Override
        void client(End end, Gate gate) throws Exception {
            ask(end, end.script.nextInt(4), 1_000);
            boolean me = end.script.nextBoolean();
            if (!me) {
                end.write(1);
            }
            closedBy(end, me);
        }

        @Override
        void server(End end) throws Exception {
            answer(end, end.script.nextInt(4), 1_000);
            boolean me = !end.script.nextBoolean();
            if (me) {
                end.read(1); // the client has got the last answer, which a reset could overtake
            }
            closedBy(end, me);
        }

        private void closedBy(End end, boolean me) throws Exception {
            boolean copying = end.script.nextInt(4) > 0;
            End.Meanwhile closing = me ? end.meanwhile(() -> {
                LockSupport.parkNanos(end.whim.nextInt(30) * MILLI);
                end.close();
            }) : () -> { };
            End.Meanwhile writing = copying ? end.meanwhile(end::writeWhateverGoes) : () -> { };
            end.readWhateverComes();
            if (!me) { // else a writer to an end that no longer reads could wait forever
                end.close();
            }
            closing.join();
            writing.join();
        }
    },

    /**
     * The thread that waits for the bytes is interrupted. A platform thread that uses a socket goes on, and so does an event loop. A
     * virtual thread that waits has its socket closed, and any thread its channel.
     */
    INTERRUPTED(10) {
        @Override
        void client(End end, Gate gate) throws Exception {
            if (end.isClosedByInterrupt()) {
                interruptedWaiting(end, Thread.currentThread());
            } else {
                interruptedAgainAndAgain(end, Thread.currentThread());
            }
        }

        private void interruptedAgainAndAgain(End end, Thread me) throws Exception {
            AtomicBoolean interrupting = new AtomicBoolean(true);
            End.Meanwhile other = end.meanwhile(() -> {
                for (;;) {
                    synchronized (interrupting) {
                        if (!interrupting.get()) {
                            return;
                        }
                        end.interrupt(me);
                    }
                    LockSupport.parkNanos(end.whim.nextInt(5) * MILLI);
                }
            });
            try {
                ask(end, ROUNDS, 50_000);
            } finally {
                synchronized (interrupting) {
                    interrupting.set(false);
                }
                Thread.interrupted(); // no other interrupt will come, and the join waits
                other.join();
            }
            end.close();
        }

        private void interruptedWaiting(End end, Thread me) throws Exception {
            ask(end, ROUNDS, 50_000);
            End.Meanwhile other = end.meanwhile(() -> {
                LockSupport.parkNanos(end.whim.nextInt(10) * MILLI);
                end.note("is interrupted", 0);
                end.interrupt(me);
            });
            try {
                end.expectInterruption();
            } finally {
                Thread.interrupted();
            }
            other.join();
        }

        @Override
        void server(End end) throws Exception {
            answer(end, ROUNDS, 50_000);
            end.expectEnd();
        }
    },

    /** Silence that is long enough for memory to be given back, then a conversation again. */
    IDLE(0) {
        @Override
        void client(End end, Gate gate) throws Exception {
            ask(end, 3, 100_000);
            gate.await(1_000 + end.whim.nextInt(5_000));
            ask(end, 3, 100_000);
            end.close();
        }

        @Override
        void server(End end) throws Exception {
            answer(end, 6, 100_000);
            end.expectEnd();
        }
    },

    /** A few short questions. The client may leave without the last answer. */
    SHORT(0) {
        @Override
        void client(End end, Gate gate) throws Exception {
            ask(end, 1 + end.script.nextInt(4), 200);
            if (end.script.nextInt(4) == 0) {
                end.write(End.size(end.script, 200));
            }
            end.close();
        }

        @Override
        void server(End end) throws Exception {
            answer(end, 1 + end.script.nextInt(4), 200);
            if (end.script.nextInt(4) == 0) {
                end.read(End.size(end.script, 200));
                end.meanwhile(end::writeWhateverGoes).join();
            } else {
                end.expectEnd();
            }
        }
    },

    /** Stays open until the gate is opened. */
    HELD(0) {
        @Override
        void client(End end, Gate gate) throws Exception {
            ask(end, 5, 10_000);
            gate.await(Long.MAX_VALUE);
            ask(end, 1, 10_000);
            end.close();
        }

        @Override
        void server(End end) throws Exception {
            answer(end, 6, 10_000);
            end.expectEnd();
        }
    };

    /** More bytes than a path takes unread. */
    private static final int MUCH = 8_000_000;
    private static final int ROUNDS = 10;
    private static final long MILLI = 1_000_000;
    private static final Kind[] ALL = values();

    private final int weight;

    /** @param weight how many of a hundred random connections are of this kind */
    Kind(int weight) {
        this.weight = weight;
    }

    static Kind any(Random random) {
        int at = random.nextInt(100);
        for (Kind kind : ALL) {
            at -= kind.weight;
            if (at < 0) {
                return kind;
            }
        }
        throw new IllegalStateException("the weights are not a hundred");
    }

    static Kind of(int ordinal) {
        return ALL[ordinal];
    }

    /** @param gate for connections that wait on purpose */
    abstract void client(End end, Gate gate) throws Exception;

    abstract void server(End end) throws Exception;

    void ask(End end, int times, int most) throws Exception {
        for (int i = 0; i < times; i++) {
            end.write(End.size(end.script, most));
            end.read(End.size(end.script, most));
        }
    }

    void answer(End end, int times, int most) throws Exception {
        for (int i = 0; i < times; i++) {
            end.read(End.size(end.script, most));
            end.write(End.size(end.script, most));
        }
    }

    void endFirst(End end, boolean me) throws Exception {
        if (!me) {
            end.expectEnd();
        }
        end.close();
    }
}
