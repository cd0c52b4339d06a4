package jfs.spi;

import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One setting: its name, its default, and which values are allowed. A system property has the value, else an environment variable
 * ({@code JFS_POLL_MICROS} for {@code jfs.poll.micros}), else it is the default. Immutable.
 *
 * @param <T> what the text of a value is turned into
 */
public final class Setting<T> {

    private final String name;
    private final String otherwise;
    private final Class<T> type;
    /** Of a number: the least and the most. */
    private final int least;
    private final int most;
    private final String meaning;

    private Setting(String name, String otherwise, Class<T> type, int least, int most, String meaning) {
        this.name = name;
        this.otherwise = otherwise;
        this.type = type;
        this.least = least;
        this.most = most;
        this.meaning = meaning;
    }

    /**
     * A whole number.
     *
     * @param name begins with {@code jfs.}
     * @param otherwise the default
     * @param least the least value that is allowed
     * @param most the greatest value that is allowed
     */
    public static Setting<Integer> integer(String name, int otherwise, int least, int most) {
        return new Setting<>(name, Integer.toString(otherwise), Integer.class, least, most, "");
    }

    /**
     * An amount of memory: bytes, with K, M or G for multiples of 1024, or a percentage.
     *
     * @param name begins with {@code jfs.}
     * @param otherwise the default, as a user would write it
     */
    public static Setting<Amount> amount(String name, String otherwise) {
        return new Setting<>(name, otherwise, Amount.class, 0, 0, "");
    }

    /**
     * Which native library is used: "auto" (the default), "shim" (the one that comes with JFS), or the full name of a file.
     *
     * @param name begins with {@code jfs.}
     */
    public static Setting<String> library(String name) {
        return new Setting<>(name, Texts.AUTO, String.class, 0, 0, "");
    }

    /**
     * An amount of memory.
     *
     * @param amount bytes, or a percentage
     */
    public record Amount(long amount, boolean percent) {

        /** The amount in bytes. @param whole the bytes of which a percentage is taken */
        public long of(long whole) {
            return percent ? (long) (whole * (amount / 100.0)) : amount;
        }
    }

    /** The same setting with another meaning. @param meaning for people, in a few words; the command {@code settings} shows it */
    public Setting<T> meaning(String meaning) {
        return new Setting<>(name, otherwise, type, least, most, meaning);
    }

    public String name() {
        return name;
    }

    /** What the setting means, for people; empty if its transport does not say. */
    public String meaning() {
        return meaning;
    }

    /** The default, as a user would write it. */
    public String defaultText() {
        return otherwise;
    }

    /**
     * The value that a text stands for.
     *
     * @param text as the user has written it; null if the user gives no value
     * @throws IllegalArgumentException if the text is not allowed. The message is one line and says what is
     */
    public T of(String text) {
        String given = text == null || text.isBlank() && type != Integer.class ? otherwise : text.trim();
        Object value = type == Integer.class ? integer(given) : type == Amount.class ? Texts.amount(given) : Texts.library(given);
        if (value == null) {
            throw new IllegalArgumentException("jfs: bad setting " + name + "=" + text + "; allowed is " + allowed());
        }
        return type.cast(value);
    }

    private Integer integer(String text) {
        try {
            int number = Integer.parseInt(text);
            return number >= least && number <= most ? number : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private String allowed() {
        return type == Integer.class ? "a whole number from " + least + " to " + most
                : type == Amount.class ? "a number of bytes with K, M or G behind it or nothing, like 512M, or a share of the memory"
                        + " that this process may have, from 0% to 100%"
                : "auto, shim, or the full name of a file";
    }

    /** Understands texts. Most JVMs need this class late or never. Each method returns null for a bad text. */
    private static final class Texts {
        static final String AUTO = "auto";

        static Amount amount(String text) {
            Matcher parts = Pattern.compile("(\\d{1,18})([KMG%]?)", Pattern.CASE_INSENSITIVE).matcher(text);
            if (!parts.matches()) {
                return null;
            }
            long number = Long.parseLong(parts.group(1));
            String unit = parts.group(2).toUpperCase(Locale.ROOT);
            boolean percent = unit.equals("%");
            int shift = percent ? 0 : 10 * "KMG".indexOf(unit) + (unit.isEmpty() ? 0 : 10);
            return number <= (percent ? 100 : Long.MAX_VALUE >> shift) ? new Amount(number << shift, percent) : null;
        }

        /** A mere name, for which the dynamic linker would search, is refused: which library it finds depends on the process. */
        static String library(String text) {
            return text.equals(AUTO) || text.equals("shim") || Path.of(text).isAbsolute() ? text : null;
        }
    }
}
