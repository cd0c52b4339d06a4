package jfs.conformance.soak;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Numbers by name, or lines, as one line of text between two processes. */
final class Figures {

    /** Separates the lines in that one line. */
    static final String LINE = "\u001e";
    private static final String NUMBER = "=";

    private Figures() {
    }

    static String encoded(Map<String, Long> figures) {
        return figures.entrySet().stream().map(entry -> entry.getKey() + NUMBER + entry.getValue())
                .collect(Collectors.joining(LINE));
    }

    static Map<String, Long> decoded(String text) {
        Map<String, Long> figures = new TreeMap<>();
        for (String one : text.split(LINE)) {
            int at = one.lastIndexOf(NUMBER);
            if (at > 0) {
                figures.put(one.substring(0, at), Long.parseLong(one.substring(at + 1)));
            }
        }
        return figures;
    }
}
