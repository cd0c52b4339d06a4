package jfs.conformance.harness.faults;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a {@link Talk} ended at one end.
 *
 * @param phase the phase that it reached, or "whole"
 * @param write what the last write threw, or "none"
 * @param read what the last read threw, "end", or "none"
 * @param own what a call threw for a reason within this process, or "none"
 * @param received bytes that came, all of them those of the stream
 * @param sent bytes of writes that have returned
 */
public record Ending(String phase, String write, String read, String own, long received, long sent) {

    private static final Pattern TEXT = Pattern.compile(
            "(.*?); write=(.*?); read=(.*?); own=(.*?); received=(\\d+); sent=(\\d+)");

    public static Ending of(String text) {
        Matcher it = TEXT.matcher(text);
        if (!it.matches()) {
            throw new AssertionError(text);
        }
        return new Ending(it.group(1), it.group(2), it.group(3), it.group(4), Long.parseLong(it.group(5)),
                Long.parseLong(it.group(6)));
    }

    public boolean isWhole() {
        return phase.equals(Talk.WHOLE);
    }
}
