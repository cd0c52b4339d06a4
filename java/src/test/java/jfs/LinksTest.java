package jfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every relative link of README.md, CONTRIBUTING.md and docs/ leads to a file that exists, and to a heading that is in it. */
class LinksTest {

    private static final Path ROOT = Path.of("..");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern CODE = Pattern.compile("`[^`]*`");
    private static final Pattern HEADING = Pattern.compile("#{1,6} +(.*?)\\s*");
    private static final Pattern TEXT_OF_LINK = Pattern.compile("\\[([^\\]]*)\\]\\([^)]*\\)");

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")));
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        return pages;
    }

    /** The lines of a page, without its blocks of code. */
    private static List<String> prose(Path page) throws IOException {
        List<String> prose = new ArrayList<>();
        boolean isCode = false;
        for (String line : Files.readAllLines(page)) {
            if (line.strip().startsWith("```")) {
                isCode = !isCode;
            } else if (!isCode) {
                prose.add(line);
            }
        }
        assertTrue(!isCode, () -> page + ": a block of code does not end");
        return prose;
    }

    /** The anchors that GitHub makes of a page's headings: a later heading with the same words gets a number. */
    private static Set<String> anchorsOf(Path page) throws IOException {
        Set<String> anchors = new HashSet<>();
        Map<String, Integer> times = new HashMap<>();
        for (String line : prose(page)) {
            Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                String words = TEXT_OF_LINK.matcher(heading.group(1)).replaceAll("$1").toLowerCase();
                String anchor = words.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
                int before = times.merge(anchor, 1, Integer::sum) - 1;
                anchors.add(before == 0 ? anchor : anchor + "-" + before);
            }
        }
        return anchors;
    }

    /** A relative link on a page. */
    private record Link(Path page, String to) {

        private String anchor() {
            int hash = to.indexOf('#');
            return hash < 0 ? "" : to.substring(hash + 1);
        }

        private Path target() {
            String file = to.replaceFirst("#.*", "");
            return file.isEmpty() ? page : page.resolveSibling(file).normalize();
        }

        @Override
        public String toString() {
            return ROOT.relativize(page) + ": " + to;
        }
    }

    private static List<Link> links(Path page) throws IOException {
        List<Link> links = new ArrayList<>();
        for (String line : prose(page)) {
            // ./jfs test --docs writes the links to sources anew. Until then a test may have moved.
            boolean isGenerated = page.endsWith("docs/conformance.md") && line.contains("([source](");
            Matcher link = LINK.matcher(CODE.matcher(line).replaceAll("`"));
            while (!isGenerated && link.find()) {
                if (!link.group(1).matches("[a-z]+:.*")) {
                    links.add(new Link(page, link.group(1)));
                }
            }
        }
        return links;
    }

    @Test
    void everyRelativeLinkLeadsSomewhere() throws IOException {
        Map<Path, Set<String>> anchors = new HashMap<>();
        List<Link> dead = new ArrayList<>();
        int links = 0;
        for (Path page : pages()) {
            for (Link link : links(page)) {
                links++;
                Path target = link.target();
                if (!Files.exists(target)) {
                    dead.add(link);
                } else if (!link.anchor().isEmpty()) {
                    if (!anchors.containsKey(target)) {
                        anchors.put(target, anchorsOf(target));
                    }
                    if (!anchors.get(target).contains(link.anchor())) {
                        dead.add(link);
                    }
                }
            }
        }
        assertTrue(links > 100, "only " + links + " links were found");
        assertEquals(List.of(), dead);
    }

    /** A page to which no other page links is found by no reader. */
    @Test
    void everyPageIsLinkedFromAnother() throws IOException {
        Set<Path> unlinked = new TreeSet<>(pages());
        unlinked.remove(ROOT.resolve("README.md"));
        for (Path page : pages()) {
            for (Link link : links(page)) {
                if (!link.target().equals(page)) {
                    unlinked.remove(link.target());
                }
            }
        }
        assertEquals(Set.of(), unlinked);
    }
}
