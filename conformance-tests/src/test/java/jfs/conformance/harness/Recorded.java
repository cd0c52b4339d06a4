package jfs.conformance.harness;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/** The flight recorder's events of reads and writes of sockets and channels. */
public final class Recorded {

    private Recorded() {
    }

    /** Runs a program with the flight recorder on. @return the events, in the order in which the operations began */
    public static List<RecordedEvent> during(Path folder, Duration threshold, Transcript.Action program) throws Exception {
        Path file = folder.resolve("recording");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.SocketRead").withThreshold(threshold).withStackTrace();
            recording.enable("jdk.SocketWrite").withThreshold(threshold).withStackTrace();
            recording.start();
            program.run();
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        Files.delete(file);
        return events.stream().filter(event -> event.getEventType().getName().startsWith("jdk.")) // JFS has events of its own
                .sorted(Comparator.comparing(RecordedEvent::getStartTime)).toList();
    }

    /** All that does not depend on the time, and the methods of the program. Those of {@code sun.nio.ch} are not in it. */
    public static String text(RecordedEvent event) {
        StringBuilder text = new StringBuilder(event.getEventType().getName());
        for (String field : event.hasField("bytesRead") ? List.of("host", "address", "port", "timeout", "bytesRead", "endOfStream")
                : List.of("host", "address", "port", "bytesWritten")) {
            text.append(' ').append(field).append(' ').append((Object) event.getValue(field));
        }
        text.append(" in ").append(event.getThread().getJavaName()).append(" by");
        for (RecordedFrame frame : event.getStackTrace().getFrames()) {
            String type = frame.getMethod().getType().getName();
            if (type.equals(Recorded.class.getName())) {
                break;
            }
            if (!type.startsWith("sun.nio.ch.")) {
                text.append(' ').append(type).append('.').append(frame.getMethod().getName()).append(':').append(frame.getLineNumber());
            }
        }
        return text.toString();
    }
}
