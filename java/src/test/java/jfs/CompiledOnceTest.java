package jfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * JIT-1: the methods that all reads and writes of a program go through are compiled once, and not again inside each of their callers.
 * HotSpot's C2 inlines no method with more bytes of bytecode than its flag FreqInlineSize says, however often the method is called.
 */
class CompiledOnceTest {

    /** FreqInlineSize's default on all processors, in the JDKs from 8 to 25. */
    private static final int MOST_THAT_IS_INLINED = 325;

    @ParameterizedTest
    @CsvSource({
        "jfs.connection.Reader, readUnlessFast",
        "jfs.connection.Writer, 'write(byte[], jfs.connection.NonBlockingCall, int, int)'",
        "jfs.ring.RingReceiver, 'receive(byte[], java.nio.ByteBuffer, int, int, int)'",
        "jfs.ring.RingSender, 'send(byte[], java.nio.ByteBuffer, int, int)'",
        "jfs.wait.Polling, 'poll('",
        "jfs.wait.WordSleepers, 'sleep('",
    })
    void isTooLargeToBeInlined(String type, String method) {
        int bytes = lastInstruction(type, method);
        assertTrue(bytes > MOST_THAT_IS_INLINED, method + " has " + bytes + " bytes and a few");
    }

    /** The offset of the method's last instruction, bytes. */
    private static int lastInstruction(String type, String method) {
        StringWriter code = new StringWriter();
        ToolProvider javap = ToolProvider.findFirst("javap").orElseThrow();
        assertEquals(0, javap.run(new PrintWriter(code), new PrintWriter(System.err), "-c", "-p", "-cp",
                System.getProperty("java.class.path"), type));
        // A method's text ends with an empty line. Each instruction begins with its offset.
        Matcher text = Pattern.compile("(?m)^  \\S.* " + Pattern.quote(method) + "[^\n]*\n    Code:\n((?:.+\n)+)").matcher(code.toString());
        assertTrue(text.find(), () -> method + " is not in\n" + code);
        Matcher place = Pattern.compile("(?m)^ +(\\d+): [a-z]").matcher(text.group(1));
        int last = -1;
        while (place.find()) {
            last = Integer.parseInt(place.group(1));
        }
        return last;
    }
}
