package jfs.launcher.selftest;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import jfs.launcher.Json;

/** Prints findings as soon as they are there, so that a reader sees how far the command has come. At the end it prints the result. */
final class Report {

    static final String PASSED = "PASSED";
    static final String PASSED_WITH_ISSUES = "PASSED WITH ISSUES";
    static final String FAILED = "FAILED";

    private final PrintStream out;
    private final boolean json;
    private final List<Finding> findings = new ArrayList<>();

    /** @param json whether the output is one JSON object, else lines for people */
    Report(PrintStream out, boolean json) {
        this.out = out;
        this.json = json;
    }

    void add(Finding finding) {
        if (json) {
            out.print(findings.isEmpty() ? "{\"findings\": [\n" : ",\n");
            out.printf("  {\"title\": %s, \"verdict\": %s, \"what\": %s, \"remedy\": %s}", Json.quoted(finding.title()),
                    Json.quoted(finding.verdict().word()), Json.quoted(finding.what()), Json.quoted(finding.remedy()));
        } else {
            out.printf("%-6s  %s: %s%n", finding.verdict().word(), finding.title(), finding.what());
            if (finding.remedy() != null) {
                out.println("        " + finding.remedy());
            }
        }
        out.flush();
        findings.add(finding);
    }

    /** Prints the result. @return the exit code of the command */
    int end() {
        String result = has(Verdict.FAILED) ? FAILED : has(Verdict.ISSUE) ? PASSED_WITH_ISSUES : PASSED;
        out.println(json ? "\n], \"result\": " + Json.quoted(result) + "}" : result);
        out.flush();
        return result.equals(FAILED) ? 1 : 0;
    }

    private boolean has(Verdict verdict) {
        return findings.stream().anyMatch(it -> it.verdict() == verdict);
    }
}
