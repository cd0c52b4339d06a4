package jfs.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jfs.benchmarks.report.BrowserCheck;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages of short runs, with stand-ins for jfs.jar and the floor, as a browser shows them. */
class PageTest {
    private static final Path STAND_INS = Path.of(PageTest.class.getProtectionDomain().getCodeSource().getLocation().getPath());

    @TempDir
    private Path folder;

    @BeforeEach
    void standInsForTheFloor() throws Exception {
        for (String program : List.of("shm-pingpong", "scil-pingpong", "copy")) {
            String says = "#!/bin/sh\necho floor program=" + program + " bytes=$2 ns=50.00 least_ns=49.00\n";
            assertTrue(Files.writeString(folder.resolve(program), says).toFile().setExecutable(true));
        }
    }

    private String run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--jfs", STAND_INS.toString(), "--floor", folder.toString(), "--report", folder.resolve("<a>&").toString()));
        assertEquals(0, Main.run(new PrintWriter(out), new PrintWriter(err), all.toArray(String[]::new)), err::toString);
        return out.toString();
    }

    /** The page that the last line names. */
    private static Path page(String text) {
        String last = text.lines().reduce((first, second) -> second).orElseThrow();
        assertTrue(last.startsWith("Page: "), text);
        return Path.of(last.substring("Page: ".length()));
    }

    private String opened(int plots, String... arguments) throws Exception {
        assumeTrue(BrowserCheck.hasBrowser(), "no /usr/bin/chromium");
        String text = run(arguments);
        BrowserCheck.check(page(text), text, plots, folder);
        return Files.readString(page(text));
    }

    @Test
    void thePageOfThePingPongHasItsPlotsAndTheRowsOfTheText() throws Exception {
        String html = opened(2, "bench", "pingpong", "--forks", "2", "--sizes", "1,64", "--turns", "1");
        assertTrue(html.contains("The y axis is: microseconds. Series: JDK sockets, JFS, floor: C."), html);
        assertTrue(html.contains("1 byte: faster than the JDK"), html);
    }

    @Test
    void thePagesOfTheSleepingReceiverAndOfThePlainPeerToo() throws Exception {
        opened(1, "bench", "asleep", "--forks", "1", "--requests", "40");
        opened(1, "bench", "plainpeer", "--forks", "1", "--sizes", "1", "--turns", "1");
    }

    @Test
    void eachRunHasAPageOfItsOwnWithEscapedText() throws Exception {
        String[] arguments = {"bench", "asleep", "--forks", "1", "--requests", "20"};
        Path first = page(run(arguments));
        String before = Files.readString(first);
        assertNotEquals(first, page(run(arguments)));
        assertEquals(before, Files.readString(first));
        assertTrue(before.contains("&lt;a&gt;&amp;"), before);
        assertFalse(before.contains("<a>&"), before);
    }
}
