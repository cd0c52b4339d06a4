package programs.jms;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.apache.activemq.transport.TransportListener;

/** Hears of the first. */
final class Interruptions implements TransportListener {

    private final CountDownLatch first;

    Interruptions(CountDownLatch first) {
        this.first = first;
    }

    @Override
    public void transportInterupted() {
        first.countDown();
    }

    @Override
    public void transportResumed() {
        // is seen by what the connection does then
    }

    @Override
    public void onCommand(Object command) {
        // not of interest
    }

    @Override
    public void onException(IOException error) {
        // comes after an interruption, or instead of one
    }
}
