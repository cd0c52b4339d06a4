package workloads.arrays;

import java.io.IOException;

/**
 * Messages whose values are computed by the sender, and added up by the receiver: what a program does that has no array of its own. The
 * value at an index is the index and the number of the message. The sum is exact, so the receiver knows it.
 */
abstract class Computed implements Transfer {
    private int sent;
    private int received;

    @Override
    public final void send(Elements message) throws IOException {
        send(message.count(), sent++);
    }

    @Override
    public final void receive(Elements message) throws IOException {
        int count = message.count();
        double sum = receive(count);
        double expected = count * (count - 1.0) / 2 + (double) count * received++;
        if (sum != expected) {
            throw new IOException("the sum of " + count + " values is " + sum + " and should be " + expected);
        }
    }

    abstract void send(int count, int number) throws IOException;

    /** @return the sum */
    abstract double receive(int count) throws IOException;
}
