package jfs.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import jfs.memory.Shared;
import org.junit.jupiter.api.Test;

/**
 * Compares the inboxes of a message queue with the file inbox.golden, byte for byte. The file's head says what this test does.
 * A test in C (native/scilib-shim/scilib/test/test_inbox.c) reads the file too.
 */
class InboxGoldenTest {

    private static final Path GOLDEN = Path.of("../native/common/inbox.golden");
    private static final int WINDOW = InboxLayout.WINDOW_MIN;
    private static final int ROW = 32;
    private static final int[] SIZES = {1, 8, 56, 57, 120, 3000, 2500};
    private static final int ALL = 1 + 8 + 56 + 57 + 120 + 3000 + 2500;
    private static final int LATER = 4000;
    private static final int PART = 100;

    private static Inbox inbox(int window, int doorbell) {
        int bytes = InboxLayout.inboxBytes(window, 0);
        Inbox inbox = new Inbox(new Shared(ByteBuffer.allocateDirect(bytes), 0, bytes));
        inbox.setDoorbell(doorbell);
        inbox.initialise(InboxLayout.QUEUE_VERSION, window, 0, 0x0123456789abcdefL);
        return inbox;
    }

    private static byte[] stream(int from, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) ((from + i) * 7 + (from + i) / 251 + 1);
        }
        return bytes;
    }

    private static RingReceiver receiver(Inbox receivers, Inbox senders) {
        return new RingReceiver(receivers.memory(), senders.memory(), WINDOW, 0);
    }

    private static List<String> image(String title, Inbox inbox, int window) {
        List<String> lines = new ArrayList<>(List.of(title));
        byte[] row = new byte[ROW];
        for (int at = 0; at < InboxLayout.inboxBytes(window, 0); at += ROW) {
            inbox.memory().get(at, row, 0, ROW);
            String text = HexFormat.of().formatHex(row);
            if (!text.matches("0+")) {
                lines.add(String.format("%04x %s", at, text));
            }
        }
        return lines;
    }

    @Test
    void bothEndsWriteWhatTheFileSays() throws Exception {
        Inbox receivers = inbox(WINDOW, 0x11223344);
        Inbox senders = inbox(0, 0x55667788);
        RingSender sender = new RingSender(receivers.memory(), senders.memory(), WINDOW, 0, InboxLayout.QUEUE_LONG_MIN);
        RingReceiver receiver = receiver(receivers, senders);
        int sent = 0;
        for (int size : SIZES) {
            sent += sender.send(stream(sent, size), 0, size);
        }
        assertEquals(ALL, sent);
        assertTrue(receivers.claim(InboxLayout.SENDER_ID | 5));
        senders.reader().announce(AsleepWord.BELL);
        List<String> lines = new ArrayList<>(image("receiver's inbox, all sent", receivers, WINDOW));
        lines.addAll(image("sender's inbox, all sent", senders, 0));

        assertEquals(ALL, receiver.receive(new byte[ALL], 0, ALL));
        assertEquals(LATER, sender.send(stream(ALL, LATER), 0, LATER));
        assertEquals(PART, receiver.receive(new byte[PART], 0, PART));
        receivers.writer().announce(AsleepWord.BELL);
        receivers.setEnded(false);
        senders.reader().retract();
        senders.setReceiver(false, false, true);
        lines.addAll(image("receiver's inbox, once round", receivers, WINDOW));
        lines.addAll(image("sender's inbox, once round", senders, 0));
        assertEquals(String.join("\n", golden()), String.join("\n", lines));
    }

    @Test
    void whatTheFileHoldsIsReceived() throws Exception {
        Inbox receivers = inbox(WINDOW, 0);
        List<String> lines = golden();
        for (String line : lines.subList(1, lines.indexOf("sender's inbox, all sent"))) {
            String[] words = line.split(" ");
            receivers.memory().put(Integer.parseInt(words[0], 16), HexFormat.of().parseHex(words[1]), 0, ROW);
        }
        RingReceiver receiver = receiver(receivers, inbox(0, 0));
        byte[] got = new byte[ALL + 1];
        assertEquals(ALL, receiver.available());
        assertEquals(ALL, receiver.receive(got, 0, got.length));
        assertEquals(HexFormat.of().formatHex(stream(0, ALL)), HexFormat.of().formatHex(got, 0, ALL));
        assertEquals(0x11223344, receivers.doorbell());
        assertEquals(InboxLayout.SENDER_ID | 5, receivers.sender());
        assertTrue(receivers.matches(InboxLayout.QUEUE_VERSION, WINDOW, 0, 0x0123456789abcdefL));
    }

    private static List<String> golden() throws Exception {
        return Files.readAllLines(GOLDEN).stream().filter(line -> !line.startsWith("#")).toList();
    }
}
