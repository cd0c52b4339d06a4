package jfs.conformance.table;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How one run of one test ended.
 *
 * @param type      the test's class, by its full name
 * @param subject   whose sockets it ran on; empty for a test that runs once
 * @param behaviour the test's method, which several runs have in common if it has parameters; empty if the class as a
 *                  whole has a result
 * @param reason    why it was skipped or failed, may be empty
 */
record Result(State state, String type, String subject, String behaviour, String reason) {

    enum State {
        PASSED, FAILED, SKIPPED
    }

    /** Class, subject in brackets, method; the method's parameters and the number of the run may follow. */
    private static final Pattern TEST = Pattern.compile(
            "(?<type>(?:[a-z]\\w*\\.)*[A-Z][\\w$]*)(?:\\((?<subject>\\w+)\\))?(?:\\.(?<behaviour>\\w*).*)?");

    /**
     * Reads "state TAB test TAB reason".
     *
     * @return nothing where the test has no class, so it is none of Java's
     * @throws IllegalArgumentException for a line that is of another form
     */
    static Optional<Result> parse(String line) {
        String[] fields = line.split("\t", -1);
        if (fields.length != 3) {
            throw new IllegalArgumentException("no \"state TAB test TAB reason\": " + line);
        }
        State state = State.valueOf(fields[0].toUpperCase(Locale.ROOT));
        Matcher test = TEST.matcher(fields[1]);
        if (!test.matches()) {
            return Optional.empty();
        }
        return Optional.of(new Result(state, test.group("type"), orEmpty(test.group("subject")),
                orEmpty(test.group("behaviour")), fields[2]));
    }

    private static String orEmpty(String group) {
        return group == null ? "" : group;
    }
}
