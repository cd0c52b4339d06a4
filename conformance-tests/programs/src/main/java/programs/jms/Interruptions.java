package programs.jms;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.apache.activemq.transport.TransportListener;

/** Reports the first interruption of a connection. */
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
        // the client sees it by what the connection does afterwards
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
