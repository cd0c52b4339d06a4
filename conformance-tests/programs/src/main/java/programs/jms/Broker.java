package programs.jms;

import org.apache.activemq.broker.BrokerService;
import programs.Console;

/** A broker that keeps everything in memory. */
public final class Broker {

    private Broker() {
    }

    /** Arguments: the port. */
    public static void main(String[] args) throws Exception {
        Console.open();
        BrokerService broker = new BrokerService();
        broker.setPersistent(false);
        broker.setUseJmx(false);
        broker.setUseShutdownHook(false);
        broker.setSchedulerSupport(false);
        broker.addConnector("tcp://127.0.0.1:" + args[0]);
        broker.start();
        broker.waitUntilStarted();
        Console.say("started");
        Console.awaitEnd();
        broker.stop();
        broker.waitUntilStopped();
        Console.say("stopped");
    }
}
