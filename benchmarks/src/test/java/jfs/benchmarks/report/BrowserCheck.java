package jfs.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.function.Executable;

/**
 * Opens pages in a headless Chromium, whose path the tests look for. The browser gets no name resolved, so nothing can be loaded. One
 * browser opens all pages at once, each in a frame of its own, because its start takes longer than a page.
 */
public final class BrowserCheck {
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final Pattern PLOT = Pattern.compile("plot (\\d+)x(\\d+) natural (\\d+)x(\\d+) drawn (\\d+) text (\\d+) ([^\\n]*)");
    /** The fewest text of a plot: title, two axis titles, a label at each axis and a name in the legend. */
    private static final int TEXT_LEAST = 6;
    /** The fewest shapes beside text: a marker, an interval, the frame and the grid. */
    private static final int DRAWN_LEAST = 8;
    /** Writes what the browser has laid out instead of the frames. The pages themselves allow no script. */
    private static final String PROBE = """
            <script>
            const lines = [];
            function plot(image) {
              const svg = document.importNode(
                  new DOMParser().parseFromString(atob(image.src.split(",")[1]), "image/svg+xml").documentElement, true);
              document.body.append(svg);
              const all = svg.getBoundingClientRect();
              const shapes = [...svg.querySelectorAll("path, line, rect, ellipse, polygon, polyline")]
                  .filter(each => !each.closest("defs"));
              const isText = each => each.tagName == "path" && getComputedStyle(each).fill == "rgb(17, 17, 17)";
              const boxes = shapes.filter(isText).map(each => each.getBoundingClientRect()).filter(each => each.width > 0);
              const drawn = shapes.filter(each => !isText(each)).map(each => each.getBBox()).filter(each => each.width + each.height > 0);
              lines.push("plot " + image.width + "x" + image.height + " natural " + image.naturalWidth + "x" + image.naturalHeight
                  + " drawn " + drawn.length + " text " + boxes.length + " " + image.alt);
              boxes.forEach((box, i) => {
                if (box.left < all.left || box.right > all.right || box.top < all.top || box.bottom > all.bottom) {
                  lines.push("cut off: text " + i + " of " + image.alt);
                }
                boxes.slice(i + 1).forEach((other, j) => {
                  if (box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom) {
                    lines.push("overlap: text " + i + " and " + (i + 1 + j) + " of " + image.alt);
                  }
                });
              });
              svg.remove();
            }
            addEventListener("load", () => {
              document.querySelectorAll("iframe").forEach(frame => {
                const page = frame.contentDocument;
                lines.push("page " + page.title);
                [...page.images].forEach(plot);
                page.querySelectorAll("table.figures tr").forEach(row =>
                    lines.push("row " + [...row.cells].map(cell => cell.innerText).join(" ")));
                const root = page.documentElement;
                lines.push("width " + root.scrollWidth + " of " + root.clientWidth);
                lines.push("loaded " + frame.contentWindow.performance.getEntriesByType("resource")
                    .filter(each => !each.name.startsWith("data:")).length);
              });
              document.body.innerText = lines.join("\\n");
            });
            </script>
            """;

    /** A page beside the text of the same measurement. @param plots how many plots the page has */
    public record Opened(String html, String text, int plots) {}

    private BrowserCheck() {}

    public static boolean hasBrowser() {
        return Files.isExecutable(CHROMIUM);
    }

    /** Checks all pages, in one browser. @param folder for files of the browser */
    public static void check(List<Opened> pages, Path folder) throws IOException, InterruptedException {
        pages.forEach(each -> assertTrue(each.html().contains("default-src 'none'; img-src data:"), each::html));
        String frames = pages.stream().map(Opened::html).map(html -> html.replace("&", "&amp;").replace("\"", "&quot;"))
                .map(html -> "<iframe width=\"1100\" height=\"1400\" srcdoc=\"" + html + "\"></iframe>\n").collect(Collectors.joining());
        String seen = open("<!DOCTYPE html><meta charset=\"utf-8\"><link rel=\"icon\" href=\"data:,\"><body>\n" + frames + PROBE, folder);
        List<String> sections = List.of(seen.split("(?m)^.*page JFS: "));
        assertEquals(pages.size(), sections.size() - 1, seen);
        List<Executable> checks = new ArrayList<>();
        for (int i = 0; i < pages.size(); i++) {
            Opened page = pages.get(i);
            String section = sections.get(i + 1);
            checks.add(() -> check(page, section));
        }
        assertAll(checks);
    }

    private static void check(Opened page, String seen) {
        int plots = 0;
        Matcher plot = PLOT.matcher(seen);
        while (plot.find()) {
            plots++;
            assertTrue(number(plot, 1) > 500 && number(plot, 2) > 150, plot::group);
            assertTrue(number(plot, 3) > 0 && number(plot, 4) > 0, plot::group);
            assertTrue(number(plot, 5) >= DRAWN_LEAST && number(plot, 6) >= TEXT_LEAST, plot::group);
        }
        assertEquals(page.plots(), plots, seen);
        assertFalse(seen.contains("cut off: ") || seen.contains("overlap: "), seen);
        List<String> rows = seen.lines().filter(line -> line.startsWith("row ")).map(line -> words(line.substring(4))).toList();
        assertFalse(rows.isEmpty(), seen);
        Set<String> lines = page.text().lines().map(BrowserCheck::words).collect(Collectors.toCollection(HashSet::new));
        rows.forEach(row -> assertTrue(lines.contains(row), () -> row + " is not in\n" + page.text()));
        Matcher width = Pattern.compile("width (\\d+) of (\\d+)").matcher(seen);
        assertTrue(width.find() && width.group(1).equals(width.group(2)), seen);
        assertTrue(seen.contains("loaded 0"), seen);
    }

    private static int number(Matcher found, int group) {
        return Integer.parseInt(found.group(group));
    }

    private static String words(String line) {
        return line.strip().replaceAll("\\s+", " ");
    }

    /** What the document has become, as text. Fails if the browser has written anything to the console. */
    private static String open(String html, Path folder) throws IOException, InterruptedException {
        Path page = Files.writeString(folder.resolve("probe.html"), html);
        Path says = folder.resolve("browser.log");
        Path dom = folder.resolve("dom.html");
        Process browser = new ProcessBuilder(CHROMIUM.toString(), "--headless=new", "--no-sandbox", "--disable-gpu",
                "--user-data-dir=" + folder.resolve("browser"), "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr",
                "--window-size=1200,1400", "--dump-dom", page.toUri().toString())
                .redirectError(says.toFile()).redirectOutput(dom.toFile()).start();
        try {
            assertTrue(browser.waitFor(180, TimeUnit.SECONDS), "the browser ends");
        } finally {
            browser.descendants().forEach(ProcessHandle::destroyForcibly);
            browser.destroyForcibly();
        }
        String log = Files.readString(says);
        assertFalse(log.contains(":CONSOLE"), log);
        return Files.readString(dom).replace("<br>", "\n").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    }
}
