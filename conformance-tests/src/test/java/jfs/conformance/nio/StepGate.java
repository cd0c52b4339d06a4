package jfs.conformance.nio;

import java.util.function.Consumer;
import jfs.steps.Step;
import jfs.testing.Await;

/**
 * JFS calls this at each {@link Step}, in the JVM of the tests of channels, which has {@code org.javafastsockets.steps}. A gate holds one
 * thread at one step until the test opens it. The thread must not park: it could use up the permit that is meant for its next sleep.
 */
public final class StepGate implements Consumer<Step> {

    private static final ThreadLocal<Gate> OF_THREAD = new ThreadLocal<>();

    /** Opened by close. */
    static final class Gate implements AutoCloseable {
        private final Step step;
        private boolean isReached;
        private boolean isOpen;

        Gate(Step step) {
            this.step = step;
        }

        /** The calling thread will be held, the next time that it reaches the step. */
        void holdThisThread() {
            OF_THREAD.set(this);
        }

        void awaitReached() throws Exception {
            Await.until(step + " is reached", () -> {
                synchronized (this) {
                    return isReached;
                }
            });
        }

        private synchronized void hold() {
            isReached = true;
            while (!isOpen) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }

        @Override
        public synchronized void close() {
            isOpen = true;
            notifyAll();
        }
    }

    @Override
    public void accept(Step step) {
        Gate it = OF_THREAD.get();
        if (it != null && it.step == step) {
            OF_THREAD.remove();
            it.hold();
        }
    }
}
