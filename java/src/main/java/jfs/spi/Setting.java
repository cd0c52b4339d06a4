package jfs.spi;

import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One setting: its name, its default, and which values are allowed. A system property has the value, else an environment variable
 * ({@code JFS_POLL_MICROS} for {@code jfs.poll.micros}), else it is the default. Immutable.
 *
 * @param <T> what the text of a value is turned into, such as Integer
 */
public abstract class Setting<T> {

    private final String name;
    private final T otherwise;
    private final String allowed;

    /**
     * @param name begins with {@code jfs.}
     * @param otherwise the default, not null
     * @param allowed which values are allowed, for the message about any other value: "a whole number from 0 to 9"
     */
    protected Setting(String name, T otherwise, String allowed) {
        this.name = name;
        this.otherwise = otherwise;
        this.allowed = allowed;
    }

    public final String name() {
        return name;
    }

    /** The value if the user gives none. */
    public final T otherwise() {
        return otherwise;
    }

    /**
     * Understands a value.
     *
     * @param text as the user has written it, with any blanks
     * @return null if it is not allowed; a NumberFormatException says the same
     */
    protected abstract T parse(String text);

    /**
     * The value that a text stands for.
     *
     * @param text null if the user gives none
     * @throws IllegalArgumentException if it is not allowed. The message is one line and says what is
     */
    public final T of(String text) {
        if (text == null) {
            return otherwise;
        }
        T value = null;
        try {
            value = parse(text);
        } catch (NumberFormatException e) {
            // falls through to the message
        }
        if (value == null) {
            throw new IllegalArgumentException("JFS: bad setting " + name + "=" + text + "; allowed is " + allowed);
        }
        return value;
    }

    /** A whole number, least and most included. */
    public static Setting<Integer> integer(String name, int otherwise, int least, int most) {
        return new Whole(name, otherwise, least, most);
    }

    /** An amount of memory: bytes, with K, M or G for multiples of 1024, or a percentage. */
    public static Setting<Amount> amount(String name, Amount otherwise) {
        return new Memory(name, otherwise);
    }

    /** Which native library of a vendor's interface is used: "auto" (the default), "shim", or the full name of a file. */
    public static Setting<String> library(String name) {
        return new Library(name);
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

    private static final class Whole extends Setting<Integer> {
        private final int least;
        private final int most;

        Whole(String name, int otherwise, int least, int most) {
            super(name, otherwise, "a whole number from " + least + " to " + most);
            this.least = least;
            this.most = most;
        }

        @Override
        protected Integer parse(String text) {
            int number = Integer.parseInt(text.trim());
            return number >= least && number <= most ? number : null;
        }
    }

    private static final class Memory extends Setting<Amount> {

        /** The pattern is in a class of its own, so it is compiled only if the user gives an amount, which is seldom. */
        private static final class Text {
            static final Pattern PATTERN = Pattern.compile("(\\d{1,18})([KMG%]?)", Pattern.CASE_INSENSITIVE);
        }

        Memory(String name, Amount otherwise) {
            super(name, otherwise, "a number of bytes with K, M or G behind it or nothing, like 512M, or a share of the"
                    + " memory that this process may have, from 0% to 100%");
        }

        @Override
        protected Amount parse(String text) {
            if (text.isBlank()) {
                return otherwise();
            }
            Matcher parts = Text.PATTERN.matcher(text.trim());
            if (!parts.matches()) {
                return null;
            }
            long number = Long.parseLong(parts.group(1));
            String unit = parts.group(2).toUpperCase(Locale.ROOT);
            boolean percent = unit.equals("%");
            int shift = percent ? 0 : 10 * "KMG".indexOf(unit) + (unit.isEmpty() ? 0 : 10);
            return number <= (percent ? 100 : Long.MAX_VALUE >> shift) ? new Amount(number << shift, percent) : null;
        }
    }

    private static final class Library extends Setting<String> {

        private static final String AUTO = "auto";

        Library(String name) {
            super(name, AUTO, "auto, shim, or the full name of a file");
        }

        /** A mere name, for which the dynamic linker would search, is refused: which library it finds depends on the process. */
        @Override
        protected String parse(String text) {
            String wanted = text.isBlank() ? AUTO : text.trim();
            return wanted.equals(AUTO) || wanted.equals("shim") || Path.of(wanted).isAbsolute() ? wanted : null;
        }
    }
}
