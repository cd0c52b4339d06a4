package jfs.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Reads a file of JUnit's XML, as Surefire and ctest write it. */
final class JUnitReport {

    /** What comes before the reason of a test that was skipped by an assumption: the exception's name and JUnit's prefix. */
    private static final String BEFORE_REASON = "^\\S+: (Assumption failed: )?";
    /** The beginning of ctest's message for a test that skipped itself. The last line of the program's output may say why. */
    private static final String CTEST_SKIPPED = "SKIP_";
    /** The beginning of a line that a test prints if it does something less often than with {@code --all} (class Effort). */
    private static final String REDUCED = "REDUCED: ";

    /** What has been read of the test whose element is open. */
    private static final class Case {
        private String name;
        private Outcome outcome = Outcome.PASSED;
        private String reason = "";
        private double seconds;
        private List<String> reduced = List.of();
    }

    private final String module;
    private final XMLStreamReader xml;
    private final List<TestRun> runs;
    private String suite;
    private boolean isSuiteEmpty;
    private Case open;

    private JUnitReport(String module, XMLStreamReader xml, List<TestRun> runs) {
        this.module = module;
        this.xml = xml;
        this.runs = runs;
    }

    /**
     * @param module the folder of the module that the report is of
     * @return its tests, in the order of the file. A class whose report has no test counts as one skipped test: an assumption failed before
     *         its first test. A report that is damaged counts as one failed test, behind those that come before the damage
     * @throws IOException if the file can't be read
     */
    static List<TestRun> read(String module, Path file) throws IOException {
        XMLInputFactory factory = XMLInputFactory.newFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        List<TestRun> runs = new ArrayList<>();
        try (InputStream in = Files.newInputStream(file)) {
            new JUnitReport(module, factory.createXMLStreamReader(in), runs).read();
        } catch (XMLStreamException | NumberFormatException e) {
            runs.add(new TestRun(module, file.getFileName().toString(), Outcome.FAILED, "damaged: " + oneLine(e.getMessage()), 0));
        }
        return runs;
    }

    private void read() throws XMLStreamException {
        while (xml.hasNext()) {
            switch (xml.next()) {
                case XMLStreamConstants.START_ELEMENT -> begin(xml.getLocalName());
                case XMLStreamConstants.END_ELEMENT -> end(xml.getLocalName());
                default -> { }
            }
        }
    }

    private void begin(String element) throws XMLStreamException {
        switch (element) {
            case "testsuite" -> {
                suite = attribute("name");
                isSuiteEmpty = true;
            }
            case "testcase" -> beginCase();
            case "failure", "error" -> ends(Outcome.FAILED, attribute("message"));
            case "flakyFailure", "flakyError" -> {
                String message = attribute("message");
                ends(Outcome.UNSTEADY, message.isEmpty() ? attribute("type") : message);
            }
            case "skipped" -> {
                String message = attribute("message");
                ends(Outcome.SKIPPED, message.isEmpty() ? reasonOf(xml.getElementText()) : message);
            }
            case "system-out" -> {
                if (open != null) {
                    output(xml.getElementText());
                }
            }
            default -> { }
        }
    }

    private void beginCase() {
        isSuiteEmpty = false;
        String test = attribute("name");
        String type = attribute("classname");
        open = new Case();
        open.name = type.isEmpty() || type.equals(test) ? test : type + "." + test; // ctest gives the name twice
        String time = attribute("time");
        open.seconds = time.isEmpty() ? 0 : Double.parseDouble(time.replace(",", "")); // Surefire groups thousands
    }

    private void ends(Outcome outcome, String reason) {
        if (open != null && open.outcome != Outcome.FAILED) {
            open.outcome = outcome;
            open.reason = reason;
        }
    }

    private void output(String text) {
        if (open.reason.startsWith(CTEST_SKIPPED)) {
            String last = lastLine(text);
            open.reason = last.isEmpty() ? open.reason : last;
        }
        open.reduced = text.lines().filter(line -> line.startsWith(REDUCED)).map(line -> oneLine(line.substring(REDUCED.length())))
                .toList();
    }

    private void end(String element) {
        if (element.equals("testcase")) {
            runs.add(new TestRun(module, TestName.of(open.name), open.outcome, open.reason, open.seconds, open.reduced));
            open = null;
        } else if (element.equals("testsuite") && isSuiteEmpty) {
            runs.add(new TestRun(module, suite, Outcome.SKIPPED, Runs.NOTHING_RAN, 0));
        }
    }

    private String attribute(String name) {
        String value = xml.getAttributeValue(null, name);
        return value == null ? "" : oneLine(value);
    }

    /** The reason in the first line of a stack trace. */
    private static String reasonOf(String trace) {
        return oneLine(trace.strip().lines().findFirst().orElse("").replaceFirst(BEFORE_REASON, ""));
    }

    private static String lastLine(String text) {
        List<String> lines = text.strip().lines().toList();
        return lines.isEmpty() ? "" : oneLine(lines.get(lines.size() - 1));
    }

    private static String oneLine(String text) {
        return text == null ? "" : text.strip().replaceAll("\\s+", " ");
    }
}
