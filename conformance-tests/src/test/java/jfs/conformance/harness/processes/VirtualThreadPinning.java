package jfs.conformance.harness.processes;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;
import jfs.testing.VirtualThreads;

/** Every virtual thread that held its carrier while it waited, however shortly. The JVM itself reports them (JFR). */
final class VirtualThreadPinning {

    private static final String EVENT = "jdk.VirtualThreadPinned";

    private final Recording recording = new Recording();

    /** Records from now on. */
    VirtualThreadPinning() throws Exception {
        recording.enable(EVENT).withThreshold(Duration.ZERO).withStackTrace();
        recording.start();
        VirtualThreads.run(Deliberate::initialise).result();
    }

    /** The JVM calls a class initialiser, and a thread with such a call on its stack can't be unmounted. */
    private static final class Deliberate {
        static {
            LockSupport.parkNanos(1_000_000);
        }

        static void initialise() {
            // the initialiser has run
        }
    }

    /**
     * Ends the recording. Returns "done" if no thread was pinned in JFS, else the places. The deliberate one shows that
     * events are recorded.
     */
    String seen() throws Exception {
        Path file = Files.createTempFile("jfs-pinned", ".jfr");
        try {
            recording.stop();
            recording.dump(file);
            List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getEventType().getName().equals(EVENT)).toList(); // JFS's own are in each recording
            if (events.stream().noneMatch(event -> isIn(event, Deliberate.class.getName()))) {
                throw new AssertionError("the event is not seen");
            }
            List<String> ofJfs = events.stream().filter(VirtualThreadPinning::isInJfs)
                    .map(VirtualThreadPinning::text).distinct().toList();
            return ofJfs.isEmpty() ? "done" : String.join(" | ", ofJfs);
        } finally {
            recording.close();
            Files.delete(file);
        }
    }

    private static boolean isIn(RecordedEvent event, String type) {
        return frames(event).stream().anyMatch(frame -> frame.getMethod().getType().getName().equals(type));
    }

    /**
     * Whether JFS made the thread wait. A class that is used for the first time is loaded by a call from the JVM. A thread
     * that waits for its class loader's lock meanwhile is pinned, whatever code it runs. So is a thread that needs a class of the JDK while
     * another thread initializes it. Such threads are not counted. Nor are those that give the flight recorder an event: what its code in
     * {@code commit} waits for is the JDK's.
     */
    private static boolean isInJfs(RecordedEvent event) {
        List<RecordedFrame> frames = frames(event);
        boolean loadsClass = frames.stream().takeWhile(frame -> !isOfJfs(frame))
                .anyMatch(frame -> frame.getMethod().getName().equals("loadClass"));
        boolean commits = frames.stream().anyMatch(frame -> frame.getMethod().getName().equals("commit")
                && frame.getMethod().getType().getName().endsWith("Event"));
        String reason = reason(event);
        boolean waitsForJdk = reason.startsWith("Waited for initialization of ") && !reason.contains("jfs");
        return !loadsClass && !commits && !waitsForJdk && frames.stream().anyMatch(VirtualThreadPinning::isOfJfs);
    }

    private static boolean isOfJfs(RecordedFrame frame) {
        String type = frame.getMethod().getType().getName();
        return type.startsWith("jfs.") && !type.startsWith("jfs.conformance.") && !type.startsWith("jfs.testing.");
    }

    private static List<RecordedFrame> frames(RecordedEvent event) {
        return event.getStackTrace() == null ? List.of() : event.getStackTrace().getFrames();
    }

    /** Why the thread was pinned, as JDK 24 and later tell it; "" from an earlier one. */
    private static String reason(RecordedEvent event) {
        return event.hasField("pinnedReason") ? String.valueOf(event.getString("pinnedReason")) : "";
    }

    private static String text(RecordedEvent event) {
        return reason(event) + ": " + String.join(" < ", frames(event).stream()
                .map(frame -> frame.getMethod().getType().getName() + "." + frame.getMethod().getName()).toList());
    }
}
