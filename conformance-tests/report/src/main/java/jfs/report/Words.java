package jfs.report;

import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Turns names into words. */
final class Words {

    /** A border between two words: before a capital, but not within IPv6 or TCP; and after the word "A". */
    private static final Pattern BORDER = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[a-z0-9]A)(?=[A-Z][a-z])");

    /** Words that are not written in small letters. */
    private static final Map<String, String> NAMES = Map.of("jdk", "JDK", "jdks", "JDK's", "jfs", "JFS",
            "jfss", "JFS's", "jvm", "JVM", "tcp", "TCP");

    private Words() {
    }

    /** "aBlockedReaderSeesTheEnd" as "a blocked reader sees the end". */
    static String of(String name) {
        return BORDER.splitAsStream(name).map(Words::word).collect(Collectors.joining(" "));
    }

    private static String word(String word) {
        boolean capitals = word.length() > 1 && Character.isUpperCase(word.charAt(1));
        String small = capitals ? word : Character.toLowerCase(word.charAt(0)) + word.substring(1);
        return NAMES.getOrDefault(small, small);
    }

    /** Escapes any text, so that Markdown shows it as it is. */
    static String literally(String text) {
        return text.replaceAll("[\\\\`*_<>\\[\\]|]", "\\\\$0");
    }
}
