package jfs.report;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a test.
 *
 * @param text the full name. For a test in Java: the class, for some classes with the subject in brackets, and the method,
 *     which its parameters and the number of the run may follow. For a C test: its name in ctest
 * @param type the full name of the class; empty for a C test
 * @param subject the subject on whose sockets the test runs; empty for a test that runs once
 * @param behaviour the method, which several runs have in common if it has parameters; empty if the class as a whole has an
 *     outcome
 */
record TestName(String text, String type, String subject, String behaviour) {

    private static final Pattern IN_JAVA = Pattern.compile(
            "(?<type>(?:[a-z]\\w*\\.)*[A-Z][\\w$]*)(?:\\((?<subject>\\w+)\\))?(?:\\.(?<behaviour>\\w*).*)?");

    static TestName of(String text) {
        Matcher test = IN_JAVA.matcher(text);
        return test.matches()
                ? new TestName(text, test.group("type"), orEmpty(test.group("subject")), orEmpty(test.group("behaviour")))
                : new TestName(text, "", "", "");
    }

    private static String orEmpty(String group) {
        return group == null ? "" : group;
    }

    boolean isInJava() {
        return !type.isEmpty();
    }

    /** The name of the test's suite in a report: the class with its subject, or a C test's name. */
    String suite() {
        return !isInJava() ? text : subject.isEmpty() ? type : type + "(" + subject + ")";
    }
}
