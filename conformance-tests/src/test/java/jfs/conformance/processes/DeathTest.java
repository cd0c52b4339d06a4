package jfs.conformance.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Deaths;
import jfs.testing.Await;
import jfs.testing.Effort;
import jfs.testing.VirtualThreads;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * After a kill -9 the other process learns of the death, and nothing is left on either side. How soon it learns depends on the machine: the
 * kernel needs a core for each thread of the killed JVM before TCP tells its end. {@code docs/death-at-every-step.md} has measured times.
 */
class DeathTest extends Deaths {

    /** More bytes than all buffers between two ends ever take. */
    private static final int TOO_MUCH = 500_000_000;

    private void switched(Victim who) throws Exception {
        connected(who);
        converse(client, server);
    }

    @ParameterizedTest
    @EnumSource
    void theSurvivorIsReading(Victim who) throws Exception {
        switched(who);
        victim.begin("write 1 1000").isDone();
        Child.Order read = survivor.begin("read 1 1001").blocked();
        victim.kill();
        assertOver(read.result());
        assertNothingIsLeft(who);
    }

    @ParameterizedTest
    @EnumSource
    void theSurvivorIsWriting(Victim who) throws Exception {
        switched(who);
        Child.Order write = survivor.begin("write 1 " + TOO_MUCH).blocked();
        victim.kill();
        assertOver(write.result());
        assertNothingIsLeft(who);
    }

    static Stream<Victim> victims() {
        return Stream.generate(Victim::values).limit(Effort.rounds(1, 25)).flatMap(Stream::of);
    }

    @ParameterizedTest
    @MethodSource("victims")
    void inTheMiddleOfATransfer(Victim who) throws Exception {
        switched(who);
        Child.Order write = survivor.begin("write 1 " + TOO_MUCH);
        Child.Order read = survivor.begin("read 2 " + TOO_MUCH);
        victim.begin("exchange 2 1 " + TOO_MUCH);
        for (int asked = ThreadLocalRandom.current().nextInt(Effort.of(1, 100)); asked >= 0; asked--) {
            assertTrue(survivor.ask("descriptors") > 0); // the transfer goes on meanwhile
        }
        victim.kill();
        assertOver(write.result());
        assertOver(read.result());
        assertNothingIsLeft(who);
    }

    /** JFS must not depend on anything that ends when the JVM shuts down, because a program's shutdown hooks may run for any time. */
    @ParameterizedTest
    @EnumSource
    void theSurvivorIsReadingWhileItsJvmShutsDown(Victim who) throws Exception {
        Child.Order read = readWhileTheJvmShutsDown(who, "read");
        victim.kill();
        assertOver(read.result());
    }

    /** There is one carrier, and none of the survivor's virtual threads holds it while it waits. */
    @ParameterizedTest
    @EnumSource
    void virtualThreadsOfTheSurvivorTalkWhileItsJvmShutsDown(Victim who) throws Exception {
        VirtualThreads.assume();
        Child.Order read = readWhileTheJvmShutsDown(who, "virtually read");
        Child.Order write = survivor.begin("virtually write 2 " + TOO_MUCH).blocked();
        survivor.ask("virtually sleeps"); // another virtual thread gets the carrier
        victim.kill();
        assertOver(read.result());
        assertOver(write.result());
    }

    private Child.Order readWhileTheJvmShutsDown(Victim who, String order) throws Exception {
        switched(who);
        victim.begin("write 1 1000").isDone();
        long sleeps = survivor.ask("sleeps");
        Child.Order read = survivor.begin(order + " 1 1001").blocked();
        Await.until("the reader sleeps", () -> survivor.ask("sleeps") > sleeps);
        survivor.begin("shutDown").isDone();
        return read;
    }

    /** TCP reports nothing more: its end came before the death. */
    @ParameterizedTest
    @EnumSource
    void theVictimHadShutDownItsOutputAndTheSurvivorIsWriting(Victim who) throws Exception {
        switched(who);
        victim.begin("shutdownOutput").isDone();
        assertEquals(0, survivor.ask("readToEnd 1"));
        Child.Order write = survivor.begin("write 1 " + TOO_MUCH).blocked();
        victim.kill();
        assertOver(write.result());
        assertNothingIsLeft(who);
    }

    @ParameterizedTest
    @EnumSource
    void theVictimHadShutDownItsOutputAndTheSurvivorIsIdle(Victim who) throws Exception {
        switched(who);
        victim.begin("shutdownOutput").isDone();
        assertEquals(0, survivor.ask("readToEnd 1"));
        victim.kill();
        assertOver(survivor.begin("writeUntilItFails").result());
        assertNothingIsLeft(who);
    }

    /** Bytes that were written before the death can be read. */
    @ParameterizedTest
    @EnumSource
    void theSurvivorReadsLater(Victim who) throws Exception {
        switched(who);
        victim.begin("write 1 2000000").isDone();
        victim.kill();
        victim.awaitEnd();
        assertEquals(2_000_000, survivor.ask("readToEnd 1"));
        assertNothingIsLeft(who);
    }
}
