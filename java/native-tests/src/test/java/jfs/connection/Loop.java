package jfs.connection;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import jfs.nativelib.Posix;
import jfs.testing.Await;

/** Waits for its end of a connection as an event loop does. */
final class Loop {
    final Connection end;
    final NonBlockingReader reader;
    final NonBlockingWriter writer;
    final Semaphore news = new Semaphore(0);

    Loop(Connection end) {
        this.end = end;
        this.reader = end.newNonBlockingReader();
        this.writer = end.newNonBlockingWriter();
    }

    /** Waits until there may be something to read; or room, if the caller wants to write too. */
    void await(boolean writesToo) throws IOException, InterruptedException {
        long reads = reader.arm(news::release);
        long writes = writesToo ? writer.arm(news::release) : Long.MAX_VALUE;
        int events = (reads == NonBlockingReader.AT_TCP ? Posix.POLLIN : 0)
                | (writes == NonBlockingReader.AT_TCP ? Posix.POLLOUT : 0);
        if (events != 0) {
            int fd = end.tcp().acquire();
            assertTrue(fd >= 0);
            Posix.poll(fd, events, -1, 0, 1); // the path may be attached meanwhile
            end.tcp().release();
        } else if (reads > 0 && writes > 0) {
            long nanos = Math.min(Await.LIMIT.toNanos(), Math.min(reads, writes));
            boolean told = news.tryAcquire(nanos, TimeUnit.NANOSECONDS);
            assertTrue(told || nanos < Await.LIMIT.toNanos(), "not told");
        }
        reader.disarm();
        writer.disarm();
    }

    int read(ByteBuffer into) throws IOException, InterruptedException {
        for (;;) {
            int n = reader.tryRead(into);
            if (n != 0) {
                return n;
            }
            await(false);
        }
    }

    void write(ByteBuffer from) throws IOException, InterruptedException {
        while (from.hasRemaining()) {
            if (writer.tryWrite(from) == 0) {
                await(true);
            }
        }
    }
}
