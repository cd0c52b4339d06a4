package jfs.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Opens a page in a headless Chromium, whose path the tests look for. The browser gets no name resolved, so nothing can be loaded. */
public final class BrowserCheck {
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final Pattern PLOT = Pattern.compile("plot (\\d+)x(\\d+) natural (\\d+)x(\\d+) ([^\\n]*)");
    /** Writes into the page what the browser has laid out. The page itself allows no script. */
    private static final String PROBE = """
            <script nonce="probe">
            addEventListener("load", () => {
              const lines = [...document.images].map(each => "plot " + each.width + "x" + each.height + " natural "
                  + each.naturalWidth + "x" + each.naturalHeight + " " + each.alt);
              document.querySelectorAll("table.figures tr").forEach(row =>
                  lines.push("row " + [...row.cells].map(cell => cell.innerText).join(" ")));
              lines.push("width " + document.documentElement.scrollWidth + " of " + document.documentElement.clientWidth);
              lines.push("loaded " + performance.getEntriesByType("resource").filter(each => !each.name.startsWith("data:")).length);
              document.body.innerText = lines.join("\\n");
            });
            </script>
            """;

    private BrowserCheck() {}

    public static boolean hasBrowser() {
        return Files.isExecutable(CHROMIUM);
    }

    /** Checks a page beside the text of the same measurement. @param plots how many plots the page has */
    public static void check(Path page, String text, int plots, Path folder) throws IOException, InterruptedException {
        String html = Files.readString(page);
        assertTrue(html.contains("default-src 'none'; img-src data:"), html);
        String seen = open(html.replace("style-src", "script-src 'nonce-probe'; style-src").replace("</body>", PROBE + "</body>"), folder);
        List<String> found = new ArrayList<>();
        Matcher plot = PLOT.matcher(seen);
        while (plot.find()) {
            found.add(plot.group(5));
            assertTrue(Integer.parseInt(plot.group(1)) > 500 && Integer.parseInt(plot.group(2)) > 250, plot::group);
            assertTrue(Integer.parseInt(plot.group(3)) > 0 && Integer.parseInt(plot.group(4)) > 0, plot::group);
        }
        assertEquals(plots, found.size(), seen);
        List<String> rows = seen.lines().filter(line -> line.startsWith("row ")).map(line -> words(line.substring(4))).toList();
        assertFalse(rows.isEmpty(), seen);
        List<String> lines = text.lines().map(BrowserCheck::words).toList();
        int first = lines.indexOf(rows.get(0));
        assertTrue(first >= 0, text);
        int end = first;
        while (end < lines.size() && !lines.get(end).isEmpty() && !lines.get(end).startsWith("(")) {
            end++;
        }
        assertEquals(lines.subList(first, end), rows);
        Matcher width = Pattern.compile("width (\\d+) of (\\d+)").matcher(seen);
        assertTrue(width.find() && width.group(1).equals(width.group(2)), seen);
        assertTrue(seen.contains("loaded 0"), seen);
    }

    private static String words(String line) {
        return line.strip().replaceAll("\\s+", " ");
    }

    /** What the page has become, as text. Fails if the browser has written anything to the console. */
    private static String open(String html, Path folder) throws IOException, InterruptedException {
        Path page = Files.writeString(folder.resolve("probe.html"), html);
        Path says = folder.resolve("browser.log");
        Path dom = folder.resolve("dom.html");
        Process browser = new ProcessBuilder(CHROMIUM.toString(), "--headless=new", "--no-sandbox", "--disable-gpu",
                "--user-data-dir=" + folder.resolve("browser"), "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr",
                "--window-size=1100,1400", "--dump-dom", page.toUri().toString())
                .redirectError(says.toFile()).redirectOutput(dom.toFile()).start();
        try {
            assertTrue(browser.waitFor(60, TimeUnit.SECONDS), "the browser ends");
        } finally {
            browser.descendants().forEach(ProcessHandle::destroyForcibly);
            browser.destroyForcibly();
        }
        String log = Files.readString(says);
        assertFalse(log.contains(":CONSOLE"), log);
        return Files.readString(dom).replace("<br>", "\n").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    }
}
