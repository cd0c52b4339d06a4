package jfs.conformance.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import jfs.conformance.Await;
import jfs.conformance.Effort;
import jfs.conformance.VirtualThreads;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** kill -9: the other process hears of it within a second, and nothing is left on either side. */
class DeathTest extends Deaths {

    /** More than any buffer between two ends takes, at any time. */
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
        long killed = victim.kill();
        assertOver(read.resultWithin(leftOf(killed)));
        assertNothingIsLeft(who);
    }

    @ParameterizedTest
    @EnumSource
    void theSurvivorIsWriting(Victim who) throws Exception {
        switched(who);
        Child.Order write = survivor.begin("write 1 " + TOO_MUCH).blocked();
        long killed = victim.kill();
        assertOver(write.resultWithin(leftOf(killed)));
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
            assertTrue(survivor.ask("descriptors") > 0); // meanwhile they are at it
        }
        long killed = victim.kill();
        assertOver(write.resultWithin(leftOf(killed)));
        assertOver(read.resultWithin(leftOf(killed)));
        assertNothingIsLeft(who);
    }

    /** Nothing of JFS's that ends then is missed: shutdown hooks of a program may go on for as long as they like. */
    @ParameterizedTest
    @EnumSource
    void theSurvivorIsReadingWhileItsJvmShutsDown(Victim who) throws Exception {
        Child.Order read = readWhileTheJvmShutsDown(who, "read");
        long killed = victim.kill();
        assertOver(read.resultWithin(leftOf(killed)));
    }

    /** None of the survivor's virtual threads holds the carrier, of which there is one. */
    @ParameterizedTest
    @EnumSource
    void virtualThreadsOfTheSurvivorTalkWhileItsJvmShutsDown(Victim who) throws Exception {
        VirtualThreads.assume();
        Child.Order read = readWhileTheJvmShutsDown(who, "virtually read");
        Child.Order write = survivor.begin("virtually write 2 " + TOO_MUCH).blocked();
        survivor.ask("virtually sleeps"); // the carrier is free for that
        long killed = victim.kill();
        assertOver(read.resultWithin(leftOf(killed)));
        assertOver(write.resultWithin(leftOf(killed)));
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

    /** TCP has told all it will ever tell: the end came before the death. */
    @ParameterizedTest
    @EnumSource
    void theVictimHadShutDownItsOutputAndTheSurvivorIsWriting(Victim who) throws Exception {
        switched(who);
        victim.begin("shutdownOutput").isDone();
        assertEquals(0, survivor.ask("readToEnd 1"));
        Child.Order write = survivor.begin("write 1 " + TOO_MUCH).blocked();
        long killed = victim.kill();
        assertOver(write.resultWithin(leftOf(killed)));
        assertNothingIsLeft(who);
    }

    @ParameterizedTest
    @EnumSource
    void theVictimHadShutDownItsOutputAndTheSurvivorIsIdle(Victim who) throws Exception {
        switched(who);
        victim.begin("shutdownOutput").isDone();
        assertEquals(0, survivor.ask("readToEnd 1"));
        long killed = victim.kill();
        assertOver(survivor.begin("writeUntilItFails").resultWithin(leftOf(killed)));
        assertNothingIsLeft(who);
    }

    /** What had been written before the death is there to be read. */
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
